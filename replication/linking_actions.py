"""The fewest actions with which the linking page's editor makes a link set, by its rules.

An action is one click, one drag or one key. What each does (static/js/alignment/{state,gestures}.js):

- a drag over a rectangle of the matrix, or a click on one cell: all its cells become SURE, with Shift
  POSSIBLE, whatever they were; with Ctrl all other links of their words go;
- a click on a SURE link: POSSIBLE; a click on a POSSIBLE link: none;
- `P` or Backspace with the pointer on a link: POSSIBLE, none;
- `I`: every suggested link of identical words becomes SURE; `A`: every suggested link;
  suggestions that are left alone are no links;
- submit: one key, and once more when words are left without a link ("submit all the same?").

So a set costs its rectangles and the submission. The rectangles are either of SURE links and of POSSIBLE ones
apart, or of both with one click more for each POSSIBLE link, whichever are fewer. Starting from accepted
suggestions it costs one key, one action for each that is no link in the end, and the same as above for what
is missing and what is POSSIBLE in the end. A wrong one costs nothing where a rectangle that is drawn anyway
has one of its words, and none of the rectangle's words has a right link beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.measuring import DATA, Row
from paragold.aligners.aligner import texts_of
from paragold.aligners.best import BestAligner
from paragold.aligners.link_classifier import LinkClassifier
from paragold.aligners.registry import aligner_of
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.text.tokenisation import same_form
from scripts.starting_point import learn, read_sets

SETS = ("Edinburgh++ train", "MSR RTE-2 dev", "MultiMWA MTRef train and dev", "MultiMWA Wiki train")
SUGGESTERS = ("identity", "identity-stem", "best", "best, others", "best, others, 50 own")
FOLDS = 5
Suggested = Sequence[Sequence[Link]]


class StartingElsewhere(BestAligner):
    """`best` whose starting point was learned from the other sets."""

    learned: LinkClassifier

    def starting_point(self) -> tuple[LinkClassifier, dict[str, Any]]:
        return self.learned, {"signature": "other sets"}


def linking_actions(
    *,
    sets: tuple[str, ...] = SETS[:1],
    suggesters: tuple[str, ...] = SUGGESTERS,
    encoder: str = "",
    thresholds: tuple[float, ...] = (0.35,),
    most: int = 0,
) -> list[Row]:
    """Actions per pair that linking takes at least, without suggestions and with those of each suggester.

    An annotator makes the gold links of a set, or of its first `most` pairs, with the fewest clicks, drags
    and keys that the editor allows; with suggestions by the cheapest of leaving them aside and of accepting
    all, or those of identical words, with one key, then correcting. `best` is trained on the sentences of
    these pairs without any gold link; with `others` its starting point was learned from the other sets, with
    `own` it learns from the gold links of the other four fifths, as a project does that has linked some pairs
    already, and with `50 own` from 50 of them. Without `others` no starting point is used. `encoder` is a
    folder; `thresholds` are tried as the probability from which on `best, others` suggests a link.
    """
    known, rows = read_sets(DATA), []
    for name in sets:
        pairs = known[name][: most or None]
        lengths = [(len(pair.source), len(pair.target)) for pair in pairs]
        alone = mean(plain(pair.links, *size) for pair, size in zip(pairs, lengths, strict=True))
        links = mean(len(pair.links.possible) for pair in pairs)
        about = {"set": name, "pairs": len(pairs), "links": round(links, 2)}
        rows.append(about | {"suggester": "none", "actions": round(alone, 2)})
        others = {other: gold[: most or None] for other, gold in known.items() if other != name}
        start = learn(others, encoder).classifier if "others" in " ".join(suggesters) else None
        for suggester in suggesters:
            for some, offered in links_of(suggester, pairs, start, encoder, thresholds).items():
                actions = mean(
                    suggested(pair.links, own, pair.tokens) for pair, own in zip(pairs, offered, strict=True)
                )
                rows.append(about | {"suggester": some, "actions": round(actions, 2)})
    return rows


def links_of(
    name: str,
    pairs: Sequence[LinkedPair],
    start: LinkClassifier | None,
    encoder: str,
    thresholds: Sequence[float],
) -> dict[str, Suggested]:
    """What a suggester proposes, by its name and threshold."""
    texts = texts_of(pairs)
    if not name.startswith("best"):
        aligner = aligner_of({"aligner": name})
        return {name: [aligner.align(*text) for text in texts]}
    new: Any = partial(BestAligner, starting_point="none", encoder=encoder)
    if "others" in name and start is not None:
        new = partial(starting_elsewhere, start, encoder)
    if "own" in name:
        return {name: best_with_gold(pairs, new, 50 if "50" in name else None)}
    best = new().fit(texts)
    if "others" not in name or start is None:
        return {name: best.align_all(texts)}
    return {
        f"{name}, from {threshold}": best.with_model(
            best.model, replace(start, thresholds=(threshold, start.thresholds[1]))
        ).align_all(texts)
        for threshold in thresholds
    }


def starting_elsewhere(start: LinkClassifier, encoder: str) -> BestAligner:
    aligner = StartingElsewhere(encoder=encoder)
    aligner.learned = start
    return aligner


def best_with_gold(
    pairs: Sequence[LinkedPair], new: Callable[[], BestAligner], size: int | None
) -> Suggested:
    """Of a new aligner, with the gold links of the pairs in the other folds, or of so many of them."""
    text = texts_of(pairs)
    links: list[list[Link]] = [[] for _ in pairs]
    for fold in range(FOLDS):
        others = [number for number in range(len(pairs)) if number % FOLDS != fold]
        known = set(np.random.default_rng(fold).permutation(others)[:size].tolist())
        own = [pairs[number] for number in sorted(known)]
        mine = range(fold, len(pairs), FOLDS)
        # The sentences of the gold pairs join the others' by themselves.
        sentences = [text[number] for number in range(len(pairs)) if number not in known]
        aligner = new().fit(sentences, gold=own)
        for number, drawn in zip(mine, aligner.align_all([text[n] for n in mine]), strict=True):
            links[number] = drawn
    return links


def plain(links: Links, length_a: int, length_b: int) -> int:
    """The fewest actions from an empty page to the submitted links of a pair of so many words."""
    return _from(links, frozenset()) + _submission(links, length_a, length_b)


def suggested(links: Links, suggestions: Collection[Link], tokens: TokenPair) -> int:
    """As `plain`, with suggested links: all accepted and corrected, those of identical words, or none.

    Whichever takes the fewest actions.
    """
    identical = {(a, b) for a, b in suggestions if same_form(tokens[0][a]) == same_form(tokens[1][b])}
    fewest = min(_from(links, frozenset(accepted)) for accepted in (suggestions, identical, ()))
    return fewest + _submission(links, *map(len, tokens))


def _from(links: Links, accepted: frozenset[Link]) -> int:
    """The fewest actions from links that one key has accepted, or from none, to the links."""
    dropped, missing = accepted - links.possible, links.possible - accepted
    # Accepted ones are SURE at first.
    possible = (missing | accepted) & links.possible_only
    together = rectangles(missing, links.possible) + len(possible)
    apart = rectangles(missing & links.sure, links.sure) + rectangles(possible, links.possible_only)
    replaced: set[Link] = set()
    for part in (*_parts(links.sure), *_parts(links.possible_only)):
        beside = _beside(part, accepted | links.possible)
        drawn = part & (missing | possible) and rectangles(part, part) == 1
        if drawn and not beside & links.possible:
            replaced |= beside
    return bool(accepted) + len(dropped) + min(together, apart - len(replaced))


def _beside(part: frozenset[Link], links: frozenset[Link]) -> frozenset[Link]:
    """The other links of the words of a part."""
    sources, targets = {a for a, _ in part}, {b for _, b in part}
    return frozenset(link for link in links - part if link[0] in sources or link[1] in targets)


def _submission(links: Links, length_a: int, length_b: int) -> int:
    complete = len({a for a, _ in links.possible}) == length_a
    complete &= len({b for _, b in links.possible}) == length_b
    return 1 if complete else 2


def rectangles(missing: Iterable[Link], within: Iterable[Link]) -> int:
    """The least number of rectangles of cells of `within` that cover every cell of `missing`."""
    missing, allowed = frozenset(missing), frozenset(within)
    return sum(_cover(part & missing, part) for part in _parts(allowed) if part & missing)


def _parts(cells: frozenset[Link]) -> list[frozenset[Link]]:
    """Cells that touch by a side, together: no rectangle reaches from one part to another."""
    left, parts = set(cells), []
    while left:
        part, edge = set(), [left.pop()]
        while edge:
            a, b = edge.pop()
            part.add((a, b))
            for near in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
        parts.append(frozenset(part))
    return parts


def _cover(missing: frozenset[Link], part: frozenset[Link]) -> int:
    """Exact: some rectangle covers the first missing cell, so each that can is tried."""

    @cache
    def least(left: frozenset[Link]) -> int:
        if not left:
            return 0
        covers = {left & rectangle for rectangle in _rectangles(min(left), part)}
        # A rectangle that covers less than another is never better.
        best = [cover for cover in covers if not any(cover < other for other in covers)]
        return 1 + min(least(left - cover) for cover in best)

    return least(missing)


def _rectangles(cell: Link, part: frozenset[Link]) -> Iterable[frozenset[Link]]:
    """Every rectangle of cells of `part` that holds the cell."""
    rows, columns = {a for a, _ in part}, {b for _, b in part}
    for top in (a for a in rows if a <= cell[0]):
        for bottom in (a for a in rows if a >= cell[0]):
            for left in (b for b in columns if b <= cell[1]):
                for right in (b for b in columns if b >= cell[1]):
                    found = frozenset((a, b) for a in range(top, bottom + 1) for b in range(left, right + 1))
                    if found <= part:
                        yield found
