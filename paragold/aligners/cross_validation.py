"""How well links are drawn on pairs that the supervised step was not trained on, by number of gold pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from paragold.aligners.best import STRENGTH
from paragold.aligners.evidence import Evidence
from paragold.aligners.folds import folds
from paragold.aligners.link_classifier import fit
from paragold.aligners.symmetrisation import Link
from paragold.metrics.links import Links


def held_out_links(
    candidates: Sequence[Evidence],
    gold: Sequence[Links],
    *,
    groups: Sequence[int],
    fold: int,
    size: int,
    seed: int,
    without: Collection[str] = (),
) -> dict[int, list[Link]]:
    """The links of the pairs of one fold, by a classifier that learned from `size` of the other pairs.

    `groups` are those of the pairs, which `folds` keeps whole. Smaller sizes are parts of larger ones;
    `without` is as in `fit`. Where those pairs leave nothing to learn, the classifier draws no link.
    """
    held_out = folds(groups, seed=seed)[fold]
    others = np.setdiff1d(np.arange(len(candidates)), held_out)
    chosen = np.random.default_rng([seed, fold]).permutation(others)[:size].tolist()
    try:
        classifier = fit(
            [candidates[n] for n in chosen], [gold[n] for n in chosen], strength=STRENGTH, without=without
        )
    except ValueError:
        return {n: [] for n in held_out}
    return {n: classifier.links(candidates[n]) for n in held_out}
