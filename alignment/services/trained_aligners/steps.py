"""The steps of a training: one chunk of the job each, so that nothing done is done again after a kill.

Iterations follow one another; what comes after the last of them may be done in any order.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpus.services.jobs import ChunkPlan
from paragold.aligners.cross_validation import curve_sizes
from paragold.aligners.recipe import Recipe

ITERATION, MODEL, RULES, FOLD = "iteration", "model", "rules", "fold"


def iteration(number: int) -> ChunkPlan:
    """The iteration of that number, from 1."""
    return ChunkPlan(units=1, payload={"step": ITERATION, "number": number})


def last_steps(parts: Sequence[Sequence[int]]) -> list[ChunkPlan]:
    """Storing the model, and where there are gold links the measurements for the learning curve.

    `parts` are the folds of the gold pairs, empty without gold links.
    """
    steps = [ChunkPlan(units=1, payload={"step": MODEL})]
    sizes = curve_sizes(parts)
    if sizes:
        steps.append(ChunkPlan(units=1, payload={"step": RULES}))
    for size in sizes:
        for fold in range(len(parts)):
            steps.append(ChunkPlan(units=1, payload={"step": FOLD, "fold": fold, "size": size}))
    return steps


def units_of(recipe: Recipe, parts: Sequence[Sequence[int]]) -> tuple[ChunkPlan, int]:
    """The first step, and how many there are in all. Of a program only the text is kept."""
    if recipe.by_program:
        return ChunkPlan(units=1, payload={"step": MODEL}), 1
    return iteration(1), sum(recipe.iterations) + len(last_steps(parts))
