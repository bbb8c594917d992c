"""Which items get another judgement: where two annotators differ, and where the label is still uncertain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
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
    highest, known = fitted.posterior.max(axis=1), fitted.known_items
    return [int(item) for item in highest.argsort(kind="stable") if known[item] and highest[item] <= enough]


def saving(judgements: Sequence[Sequence[tuple[Hashable, str]]]) -> dict[str, Any]:
    """What a third judgement only where the first two differ saves, from items that three annotators judged.

    Parameters
    ----------
    judgements : sequence of sequences
        For each item annotator and label, in the order in which they came. Items with fewer than three are
        left out; of more, the first three count.

    Returns
    -------
    dict
        `items`; `all_three`, the judgements of judging all three times; `where_two_differ`, those of
        the other way; `saved`, the share that it saves. The majority label of an item is the same either way.
    """
    threes = [answers[:3] for answers in judgements if len(answers) >= 3]
    differ = sum(first[1] != second[1] for first, second, _ in threes)
    every, needed = 3 * len(threes), 2 * len(threes) + differ
    saved = (every - needed) / every if every else None
    return {"items": len(threes), "all_three": every, "where_two_differ": needed, "saved": saved}
