"""Which items get another judgement: where two annotators differ, and where the label is still uncertain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paragold.metrics.competence import Fit

ENOUGH = 0.9
"""The posterior above which a label is taken as certain."""


def differing_twos(judgements: Sequence[Mapping[Any, str | None]]) -> list[int]:
    """The items that have exactly two labels, which differ: those that a third annotator should judge."""
    labels = [[label for label in answers.values() if label is not None] for answers in judgements]
    return [item for item, given in enumerate(labels) if len(given) == 2 and given[0] != given[1]]


def most_uncertain(fitted: Fit, *, enough: float = ENOUGH) -> list[int]:
    """The items whose label has a posterior of at most `enough`, the most uncertain first.

    Items by annotators whose competence is unknown are left out.
    """
    highest = fitted.posterior.max(axis=1)
    in_order = highest.argsort(kind="stable")
    chosen = fitted.known_items & (highest <= enough)
    places: list[int] = in_order[chosen[in_order]].tolist()
    return places


def saving(items: int, differ: int) -> dict[str, Any]:
    """What a third judgement only where the first two differ saves.

    Parameters
    ----------
    items : int
        How many items three annotators judged or more, of which the first three count.
    differ : int
        On how many of them the first two differ.

    Returns
    -------
    dict
        `items`; `all_three`, the judgements of judging all three times; `where_two_differ`, those of
        the other way; `saved`, the share that it saves. The majority label of an item is the same either way.
    """
    every, needed = 3 * items, 2 * items + differ
    saved = (every - needed) / every if every else None
    return {"items": items, "all_three": every, "where_two_differ": needed, "saved": saved}
