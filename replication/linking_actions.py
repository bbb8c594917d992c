"""The fewest actions with which the linking page's editor makes a link set, by its rules.

An action is one click, one drag or one key. What each does (static/js/alignment/{state,gestures}.js):

- a drag over a rectangle of the matrix, or a click on one cell: all its cells become SURE, with Shift
  POSSIBLE;
- a click on a SURE link: POSSIBLE; a click on a POSSIBLE link: none;
- `P` or Backspace with the pointer on a link: POSSIBLE, none;
- `I`: every suggested link of identical words becomes SURE; `A`: every suggested link;
  suggestions that are left alone are no links;
- submit: one key, and once more when words are left without a link ("submit all the same?").

So a set costs its rectangles and the submission. The rectangles are either of SURE links and of POSSIBLE ones
apart, or of both with one click more for each POSSIBLE link, whichever are fewer. Starting from accepted
suggestions it costs one key, one action for each that is POSSIBLE or no link in the end, and the same as
above for what is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from statistics import mean

import numpy as np

from benchmarks.measuring import DATA, Row
from paragold.aligners.aligner import texts_of
from paragold.aligners.best import BestAligner, BestSpec
from paragold.aligners.registry import aligner_of
from paragold.formats.link_files import read_links
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.text.tokenisation import same_form

GOLD = str(DATA / "alignment" / "edinburghpp.train.jsonl")
SUGGESTERS = ("identity", "identity-stem", "best", "best, 50 own", "best, own")
FOLDS = 5
Suggested = Sequence[Sequence[Link]]


def linking_actions(
    *, gold: str = GOLD, suggesters: tuple[str, ...] = SUGGESTERS, most: int = 0
) -> list[Row]:
    """Actions per pair that linking takes at least, without suggestions and with those of each suggester.

    An annotator makes the gold links of Edinburgh++ train, or of the first `most` pairs, with the fewest
    clicks, drags and keys that the editor allows; with suggestions by the cheapest of leaving them aside and
    of accepting all, or those of identical words, with one key, then correcting. `best` is trained on the
    sentences of these pairs without any gold link; `best, own` learns from the gold links of the other four
    fifths, as a project does that has linked some pairs already, and `best, 50 own` from 50 of them. The
    starting point of `best`, which was learned from this set too, is off.
    """
    pairs = read_links(Path(gold))[: most or None]
    lengths = [(len(pair.source), len(pair.target)) for pair in pairs]
    alone = mean(plain(pair.links, *size) for pair, size in zip(pairs, lengths, strict=True))
    links = mean(len(pair.links.possible) for pair in pairs)
    rows: list[Row] = [{"suggester": "none", "actions": round(alone, 2), "links": round(links, 2)}]
    for name in suggesters:
        offered = zip(pairs, links_of(name, pairs), strict=True)
        actions = mean(suggested(pair.links, some, pair.tokens) for pair, some in offered)
        rows.append({"suggester": name, "actions": round(actions, 2)})
    return [{"pairs": len(pairs)} | row for row in rows]


def links_of(name: str, pairs: Sequence[LinkedPair]) -> Suggested:
    """What a suggester proposes."""
    unaided = BestSpec(starting_point="none")
    if name == "best":
        return BestAligner(unaided).fit(texts_of(pairs)).align_all(texts_of(pairs))
    if name.startswith("best"):
        return best_with_gold(pairs, unaided, 50 if "50" in name else None)
    aligner = aligner_of({"aligner": name})
    return [aligner.align(*text) for text in texts_of(pairs)]


def best_with_gold(pairs: Sequence[LinkedPair], spec: BestSpec, size: int | None) -> Suggested:
    """As `best`, with the gold links of the pairs in the other folds, or of so many of them."""
    text = texts_of(pairs)
    links: list[list[Link]] = [[] for _ in pairs]
    for fold in range(FOLDS):
        others = [number for number in range(len(pairs)) if number % FOLDS != fold]
        known = set(np.random.default_rng(fold).permutation(others)[:size].tolist())
        own = [pairs[number] for number in sorted(known)]
        mine = range(fold, len(pairs), FOLDS)
        # The sentences of the gold pairs join the others' by themselves.
        sentences = [text[number] for number in range(len(pairs)) if number not in known]
        aligner = BestAligner(spec).fit(sentences, gold=own)
        for number, drawn in zip(mine, aligner.align_all([text[n] for n in mine]), strict=True):
            links[number] = drawn
    return links


def plain(links: Links, length_a: int, length_b: int) -> int:
    """The fewest actions from an empty page to the submitted links of a pair of so many words."""
    return _drawn(links, links.possible) + _submission(links, length_a, length_b)


def suggested(links: Links, suggestions: Collection[Link], tokens: TokenPair) -> int:
    """As `plain`, with suggested links: all accepted and corrected, those of identical words, or none.

    Whichever takes the fewest actions.
    """
    identical = {(a, b) for a, b in suggestions if same_form(tokens[0][a]) == same_form(tokens[1][b])}
    fewest = min(_from(links, frozenset(accepted)) for accepted in (suggestions, identical, ()))
    return fewest + _submission(links, *map(len, tokens))


def _from(links: Links, accepted: frozenset[Link]) -> int:
    """The fewest actions from links that one key has accepted, or from none, to the links."""
    return bool(accepted) + len(accepted - links.sure) + _drawn(links, links.possible - accepted)


def _drawn(links: Links, missing: frozenset[Link]) -> int:
    """Rectangles of links that cover the missing ones: both strengths apart, or together and corrected."""
    possible = missing - links.sure
    together = rectangles(missing, links.possible) + len(possible)
    apart = rectangles(missing - possible, links.sure) + rectangles(possible, links.possible_only)
    return min(together, apart)


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
