"""Making one set of word links out of those of the two directions.

`forward` holds the links in which each target word chose its source word, `backward` those in which each
source word chose its target word; both as (source, target) indices from 0.
Och & Ney (2003), section 4.1, for intersection, union and the refined method; Koehn, Och & Marcu (2003),
section 4.5, and Koehn et al. (2005), section 3, for the grow-diag family.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import MappingProxyType

from paragold.metrics.links import Link

Symmetrisation = Callable[[Collection[Link], Collection[Link]], list[Link]]

_STRAIGHT = ((-1, 0), (0, -1), (1, 0), (0, 1))
_DIAGONAL = (*_STRAIGHT, (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: Collection[Link], backward: Collection[Link]) -> list[Link]:
    """Links that both directions drew."""
    return sorted(set(forward) & set(backward))


def union(forward: Collection[Link], backward: Collection[Link]) -> list[Link]:
    """Links that either direction drew."""
    return sorted(set(forward) | set(backward))


def grow_diag(forward: Collection[Link], backward: Collection[Link]) -> list[Link]:
    """The intersection, grown by neighbouring links of the union that touch a word without a link."""
    return sorted(_grown(forward, backward))


def grow_diag_final(
    forward: Collection[Link], backward: Collection[Link], *, both_free: bool = False
) -> list[Link]:
    """Grow-diag, then links of either direction, forward first, of which one word at least has no link.

    With `both_free`, the variant "and", only those of which neither word has one.
    """
    links = _grown(forward, backward)
    for direction in (forward, backward):
        sources, targets = {i for i, _ in links}, {j for _, j in links}
        for i, j in sorted(direction):
            free = (i not in sources, j not in targets)
            if all(free) if both_free else any(free):
                links.add((i, j))
                sources.add(i)
                targets.add(j)
    return sorted(links)


def refined(forward: Collection[Link], backward: Collection[Link]) -> list[Link]:
    """Och & Ney's refined combination (2003, section 4.1).

    The intersection is extended by links (i, j) of the union, until none can be added: where neither word
    has a link yet; or where (i, j) has a horizontal or a vertical neighbour among the links, and the links
    with (i, j) would hold none that has neighbours of both kinds. Candidates are tried in ascending order.
    """
    links = set(forward) & set(backward)
    candidates = sorted((set(forward) | set(backward)) - links)
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    grown = True
    while grown:
        grown = False
        for link in candidates:
            if link in links:
                continue
            i, j = link
            if (i not in sources and j not in targets) or _extends_a_line(link, links):
                links.add(link)
                sources.add(i)
                targets.add(j)
                grown = True
    return sorted(links)


def _extends_a_line(link: Link, links: set[Link]) -> bool:
    i, j = link
    neighbours = [(i + down, j + right) for down, right in _STRAIGHT if (i + down, j + right) in links]
    if not neighbours:
        return False
    extended = links | {link}
    return not any(_has_both_kinds(near, extended) for near in (link, *neighbours))


def _has_both_kinds(link: Link, links: set[Link]) -> bool:
    i, j = link
    vertical = (i - 1, j) in links or (i + 1, j) in links
    horizontal = (i, j - 1) in links or (i, j + 1) in links
    return vertical and horizontal


def _grown(forward: Collection[Link], backward: Collection[Link]) -> set[Link]:
    links, either = set(forward) & set(backward), set(forward) | set(backward)
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    grown = True
    while grown:
        grown = False
        for i, j in sorted(links):
            for down, right in _DIAGONAL:
                near = (i + down, j + right)
                if near in links or near not in either:
                    continue
                if near[0] not in sources or near[1] not in targets:
                    links.add(near)
                    sources.add(near[0])
                    targets.add(near[1])
                    grown = True
    return links


SYMMETRISATIONS: Mapping[str, Symmetrisation] = MappingProxyType(
    {
        "intersection": intersection,
        "union": union,
        "grow-diag": grow_diag,
        "grow-diag-final": grow_diag_final,
        "grow-diag-final-and": partial(grow_diag_final, both_free=True),
        "refined": refined,
    }
)
