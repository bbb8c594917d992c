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

from collections.abc import Collection, Iterable
from functools import cache

from paragold.metrics.links import Link, Links, TokenPair
from paragold.text.tokenisation import same_form


def plain(links: Links, length_a: int, length_b: int) -> int:
    """The fewest actions from an empty page to the submitted links of a pair of so many words."""
    return _drawn(links, links.possible) + _submission(links, length_a, length_b)


def suggested(links: Links, suggestions: Collection[Link], tokens: TokenPair) -> int:
    """As `plain`, with suggested links: all accepted and corrected, those of identical words, or none.

    Whichever takes the fewest actions.
    """
    identical = {(a, b) for a, b in suggestions if same_form(tokens.source[a]) == same_form(tokens.target[b])}
    fewest = min(_from(links, frozenset(accepted)) for accepted in (suggestions, identical, ()))
    return fewest + _submission(links, len(tokens.source), len(tokens.target))


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
