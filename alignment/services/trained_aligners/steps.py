"""The steps of a training: one chunk of the job each, so that nothing done is done again after a kill.

Iterations follow one another; what comes after the last of them may be done in any order.
"""

from __future__ import annotations

from alignment.aligners.folds import curve_sizes, folds
from alignment.aligners.recipe import Recipe
from corpus.services.jobs import ChunkPlan

ITERATION, MODEL, RULES, FOLD = "iteration", "model", "rules", "fold"


def iteration(number: int) -> ChunkPlan:
    """The iteration of that number, from 1."""
    return ChunkPlan(units=1, payload={"step": ITERATION, "number": number})


def last_steps(gold_pairs: int) -> list[ChunkPlan]:
    """Storing the model, and where there are gold links the measurements for the learning curve."""
    steps = [ChunkPlan(units=1, payload={"step": MODEL})]
    sizes = curve_sizes(gold_pairs)
    if sizes:
        steps.append(ChunkPlan(units=1, payload={"step": RULES}))
    for size in sizes:
        for fold in range(len(folds(gold_pairs, seed=0))):
            steps.append(ChunkPlan(units=1, payload={"step": FOLD, "fold": fold, "size": size}))
    return steps


def units_of(recipe: Recipe, gold_pairs: int) -> tuple[ChunkPlan, int]:
    """The first step, and how many there are in all. Of a program only the text is kept."""
    if recipe.by_program:
        return ChunkPlan(units=1, payload={"step": MODEL}), 1
    return iteration(1), sum(recipe.iterations) + len(last_steps(gold_pairs))
