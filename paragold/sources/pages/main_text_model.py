"""Main text by a supervised hidden Markov model over a page's blocks (DQB04, section 2, figure 1).

Two states, main text and other; the model is counted from pages whose blocks people have marked. A block has
a handful of features, each with a few values, independent of each other given the state. All counts are
smoothed by adding one half. Viterbi's algorithm gives the most likely sequence of states.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from paragold.problems import FileProblem, located

from .blocks import Block

FORMAT = "paragold-story-hmm/1"
SMOOTHING = 0.5
PAGES_NEEDED = 3

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption", "legend", "summary"))
_LISTS = frozenset(("li", "dt", "dd", "option", "td", "th"))
_FURNITURE = frozenset(("nav", "header", "footer", "aside", "form", "button", "dialog", "figure", "select"))
_MAIN_TAGS = frozenset(("article", "main"))
_LENGTHS = ((4, "to 4"), (12, "to 12"), (25, "to 25"), (50, "to 50"))
_ENDINGS = ".!?…。！？"
_CLOSING = "\"'”’»)]"

FEATURES: dict[str, tuple[str, ...]] = {
    "tag": ("paragraph", "heading", "list or table", "other"),
    "around": ("article", "furniture", "neither"),
    "words": (*(name for _, name in _LENGTHS), "more"),
    "links": ("none", "few", "many"),
    "ending": ("sentence", "none"),
    "punctuation": ("none", "some", "much"),
    "capitals": ("few", "many"),
}


def features_of(block: Block) -> tuple[str, ...]:
    """The block's values of FEATURES, in their order."""
    words = block.text.split(" ")
    density = block.link_density
    marks = sum(character in ',;:.!?"“”' for character in block.text) / len(words)
    capitals = sum(word[:1].isupper() for word in words) / len(words)
    return (
        _tag(block.tag),
        _around(block.inside),
        next((name for limit, name in _LENGTHS if len(words) <= limit), "more"),
        "none" if not density else "few" if density < 0.34 else "many",
        "sentence" if block.text.rstrip(_CLOSING)[-1:] in tuple(_ENDINGS) else "none",
        "none" if not marks else "some" if marks < 0.25 else "much",
        "few" if capitals < 0.5 else "many",
    )


def _tag(tag: str) -> str:
    if tag in ("p", "blockquote"):
        return "paragraph"
    if tag in _HEADINGS:
        return "heading"
    return "list or table" if tag in _LISTS else "other"


def _around(tags: tuple[str, ...]) -> str:
    """The class of the innermost tag that has one."""
    for tag in reversed(tags):
        if tag in _FURNITURE:
            return "furniture"
        if tag in _MAIN_TAGS:
            return "article"
    return "neither"


_Log = Annotated[float, Field(le=0, allow_inf_nan=False)]
_Logs = tuple[_Log, _Log]


@dataclass(frozen=True, slots=True)
class MainTextModel:
    """Natural logarithms of probabilities; index 0 is "other", 1 is "main text".

    start[s], transitions[s][t], emissions[feature][value][s]; `pages` and `blocks` say what it was
    counted from.
    """

    start: _Logs
    transitions: tuple[_Logs, _Logs]
    emissions: dict[str, dict[str, _Logs]]
    pages: int
    blocks: int

    def label(self, blocks: Sequence[Block]) -> list[bool]:
        """Which blocks are main text: the most likely sequence of states (Viterbi)."""
        if not blocks:
            return []
        scores = [self.start[state] + self._emission(blocks[0], state) for state in (0, 1)]
        came_from: list[tuple[int, int]] = []
        for block in blocks[1:]:
            best: list[int] = []
            following: list[float] = []
            for state in (0, 1):
                ways = [scores[before] + self.transitions[before][state] for before in (0, 1)]
                best.append(int(ways[1] > ways[0]))
                following.append(max(ways) + self._emission(block, state))
            came_from.append((best[0], best[1]))
            scores = following
        state = int(scores[1] > scores[0])
        states = [state]
        for sources in reversed(came_from):
            state = sources[state]
            states.append(state)
        return [bool(state) for state in reversed(states)]

    def _emission(self, block: Block, state: int) -> float:
        values = zip(FEATURES, features_of(block), strict=True)
        return math.fsum(self.emissions[feature][value][state] for feature, value in values)

    def to_json(self) -> str:
        """The same model always gives the same text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, sort_keys=True)


def train_main_text_model(pages: Sequence[tuple[Sequence[Block], Sequence[bool]]]) -> MainTextModel:
    """Count a model from pages: their blocks, and for each whether it is main text.

    Raises FileProblem for fewer than three pages, and for pages with nothing, or nothing but, main text.
    """
    if len(pages) < PAGES_NEEDED:
        raise FileProblem(
            f"{len(pages)} marked pages are too few; {PAGES_NEEDED} are needed.",
            "Mark more, of several sites.",
        )
    start: Counter[int] = Counter()
    transitions: Counter[tuple[int, int]] = Counter()
    emissions: Counter[tuple[str, str, int]] = Counter()
    states_seen: Counter[int] = Counter()
    for blocks, marks in pages:
        states = [int(mark) for mark in marks]
        if not states:
            continue
        start[states[0]] += 1
        transitions.update(pairwise(states))
        states_seen.update(states)
        for block, state in zip(blocks, states, strict=True):
            emissions.update(
                (name, value, state) for name, value in zip(FEATURES, features_of(block), strict=True)
            )
    if not (states_seen[0] and states_seen[1]):
        raise FileProblem(
            "The marked pages hold only one kind of block.", "Mark both main text and the rest."
        )
    firsts = {state: start[state] for state in (0, 1)}
    return MainTextModel(
        start=_logs(firsts),
        transitions=(
            _logs({state: transitions[0, state] for state in (0, 1)}),
            _logs({state: transitions[1, state] for state in (0, 1)}),
        ),
        emissions={
            name: {
                value: (
                    _log(emissions[name, value, 0], states_seen[0], len(values)),
                    _log(emissions[name, value, 1], states_seen[1], len(values)),
                )
                for value in values
            }
            for name, values in FEATURES.items()
        },
        pages=len(pages),
        blocks=states_seen.total(),
    )


def _logs(counts: dict[int, int]) -> tuple[float, float]:
    total = sum(counts.values())
    return _log(counts[0], total, 2), _log(counts[1], total, 2)


def _log(count: int, total: int, values: int) -> float:
    return math.log((count + SMOOTHING) / (total + SMOOTHING * values))


def load_main_text_model(text: str) -> MainTextModel:
    """The model that `to_json` wrote. Raises FileProblem for anything else."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise FileProblem(
                f"This is a model of the format {data['format']!r}, not {FORMAT!r}.", "Train it again."
            )
        model = TypeAdapter(MainTextModel).validate_python(data)
        if any(model.emissions[name].keys() != set(values) for name, values in FEATURES.items()):
            raise ValueError("values of the features are missing")
        return model
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileProblem):
            raise
        raise FileProblem("This is not a main text model.", "Give the JSON that training wrote.") from error


def read_main_text_model(path: Path) -> MainTextModel:
    """The model of a file. Raises FileProblem with the file's name, or OSError."""
    with located(file=str(path)):
        return load_main_text_model(path.read_text(encoding="utf-8", errors="replace"))
