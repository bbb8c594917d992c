"""Pairs of sentences as lines of tab-separated text, with labels or without.

Five layouts, distinguished by the first line:
the Microsoft Research Paraphrase Corpus (a header of Quality, #1 ID, #2 ID, #1 String, #2 String);
candidate pairs as `extract_pairs` writes them (a header that begins with cluster_id; no labels);
pairs with their context (a header of label, cluster_id, days, place_a, place_b, cohesion, sentence_a and
sentence_b; what is not known is empty);
three columns without a header: label, sentence, sentence; two columns: sentence, sentence.
Quotation marks are ordinary characters, a byte order mark is passed over.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from paragold.formats.pair_files import PLACEHOLDER_COLUMNS, TSV_COLUMNS
from paragold.formats.tables import Fields, Parse, check_width, read_tsv
from paragold.problems import FileProblem, quoted

CONTEXT_HEADER = (
    *("label", "cluster_id", "days", "place_a", "place_b", "cohesion"),
    *("sentence_a", "sentence_b"),
)
MSR_HEADER = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
LABELS = {"1": True, "0": False, "paraphrase": True, "not_paraphrase": False}
LONGEST_SENTENCE = 10_000


Context = tuple[float | None, tuple[int, int] | None, float | None]
"""What is known of a pair beside its texts, None for the rest: the days between the articles, the index of
each sentence in its article, from 0, and the cohesion of the cluster, 0 to 1."""
NO_CONTEXT: Context = (None, None, None)


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two sentences; `label` is None where none is given, `cluster` is "" where none is known;
    `other_cluster` is that of the second sentence where it is another one.

    `keys` are what the file calls the sentences ("" without names), `line` counts from 1.
    """

    first: str
    second: str
    label: bool | None
    cluster: str
    keys: tuple[str, str]
    line: int
    other_cluster: str = ""
    context: Context = NO_CONTEXT


def read_pairs(path: Path, *, encoding: str = "utf-8") -> list[TextPair]:
    """The pairs of a file in order; blank lines are passed over.

    Raises
    ------
    FileProblem
        With every faulty line; for a file that cannot be read, and one without pairs.
    """
    return list(each_pair(path, encoding=encoding))


def each_pair(path: Path, *, encoding: str = "utf-8") -> Iterator[TextPair]:
    """The pairs of `read_pairs`, read as they are asked for; FileProblem is raised after the last."""
    nothing = FileProblem("The file has no pair.", "Give at least one line with a pair.")
    return read_tsv(path, _layout, nothing, encoding=encoding)


_LAYOUTS: Mapping[tuple[str, ...], tuple[str, ...]] = {
    MSR_HEADER: ("label", "key_a", "key_b", "first", "second"),
    **{
        header: ("cluster", "key_a", "place_a", "key_b", "place_b", "", "first", "second", *header[8:])
        for header in (TSV_COLUMNS, PLACEHOLDER_COLUMNS)
    },
    CONTEXT_HEADER: ("label", "cluster", *CONTEXT_HEADER[2:-2], "first", "second"),
}
"""What the columns below a header are; a file without one has label, sentence, sentence or two sentences."""


def _layout(fields: Fields) -> tuple[Parse[TextPair], bool]:
    """The function that reads the lines, and whether the first is a header."""
    header = tuple(fields)
    if header in _LAYOUTS:
        return partial(_pair_of, _places(_LAYOUTS[header]), header == CONTEXT_HEADER), True
    if len(fields) in (2, 3):
        return partial(_pair_of, _places(("label", "first", "second")[-len(fields) :]), False), False
    raise FileProblem(
        f"The first line has {len(fields)} columns separated by tabs and is not a known header.",
        "Give label TAB sentence TAB sentence, sentence TAB sentence, an MSR paraphrase file "
        f"({', '.join(MSR_HEADER)}) or a file from extract_pairs.",
    )


def _places(columns: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(columns)}


def _pair_of(at: Mapping[str, int], may_be_unlabelled: bool, fields: Fields, line: int) -> TextPair:
    """The pair of a line, whose columns are at these places."""
    check_width(fields, len(at))
    first, second = fields[at["first"]], fields[at["second"]]
    keys, context = ("", ""), NO_CONTEXT
    if "key_a" in at:
        keys = fields[at["key_a"]], fields[at["key_b"]]
    if "place_a" in at:
        places = fields[at["place_a"]], fields[at["place_b"]]
        days, cohesion = (fields[at[name]] if name in at else "" for name in ("days", "cohesion"))
        context = (
            _number("days", days, math.inf),
            (int(places[0]), int(places[1])) if all(map(str.isdecimal, places)) else None,
            _number("cohesion", cohesion, 1.0),
        )
        keys = (f"{keys[0]}:{places[0]}", f"{keys[1]}:{places[1]}") if "key_a" in at else keys
    text = fields[at["label"]] if "label" in at else ""
    label = None if "label" not in at or (may_be_unlabelled and not text.strip()) else _label(text)
    cluster = fields[at["cluster"]] if "cluster" in at else ""
    if not first.strip() or not second.strip():
        raise FileProblem("A sentence is empty.", "Give both sentences, or leave the pair out.")
    if len(first) > LONGEST_SENTENCE or len(second) > LONGEST_SENTENCE:
        raise FileProblem(
            f"A sentence is longer than {LONGEST_SENTENCE:,} characters.", "Give sentences, not whole texts."
        )
    return TextPair(first, second, label, cluster, keys, line, context=context)


def _number(name: str, text: str, maximum: float) -> float | None:
    if not text.strip():
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= maximum or math.isinf(number):
        raise FileProblem(f"The {name} is {quoted(text)}.", "Write a number from 0, cohesion at most 1.")
    return number


def _label(text: str) -> bool:
    label = LABELS.get(text.strip().lower())
    if label is None:
        raise FileProblem(f"The label is {quoted(text)}.", "Write 1 for a paraphrase, 0 for any other pair.")
    return label


def one_line(text: str) -> str:
    """The text with every run of white space as one space and none at its ends."""
    return " ".join(text.split())


def dumps(pairs: Iterable[TextPair], *, first_line: int = 1) -> str:
    """The text of a file as the MSR corpus has it; each run of white space in a sentence becomes one space.

    With a `first_line` above 1 it goes on from there, without the header.
    Raises FileProblem for a key that is blank or holds a tab or line break, and for a sentence without text.
    """
    lines = ["\t".join(MSR_HEADER)] if first_line == 1 else []
    for line, pair in enumerate(pairs, start=max(2, first_line)):
        for key in pair.keys:
            if not key.strip() or any(separator in key for separator in "\t\n\r"):
                raise FileProblem(
                    f"the key {quoted(key)} is empty or holds a tab or line break.",
                    "Use a key without it.",
                    line=line,
                    file="pairs",
                )
        texts = one_line(pair.first), one_line(pair.second)
        if not all(texts):
            raise FileProblem("a sentence has no text.", "Leave the pair out.", line=line, file="pairs")
        lines.append("\t".join(("1" if pair.label else "0", *pair.keys, *texts)))
    return "".join(line + "\n" for line in lines)
