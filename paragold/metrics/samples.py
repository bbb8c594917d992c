"""Estimates for a dataset from judged samples, with intervals: recall, shares of the labels, mean counts.

Recall is the share of all paraphrases that a method finds, from samples of what it accepts and rejects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from paragold.arrays import Floats
from paragold.metrics.label_agreement import SEED
from paragold.statistics import (
    LEVEL,
    RESAMPLES,
    bootstrap_intervals,
    generator,
    wilson_interval,
)

DRAWS = 10_000
VERSION = 1
# Jeffreys' prior of a multinomial: half an item of each kind. Without it a sample of rejected pairs without
# a paraphrase would say for certain that nothing is missed.
PRIOR = 0.5


Sample = tuple[int, int, int]
"""The paraphrases among the judged items, the judged items, and the pool that they were drawn from."""
Row = dict[str, Any]
"""One estimate, by the names that the function that gives it says."""


def signature(*, seed: int = SEED) -> str:
    """Method, version and seed of the estimates."""
    return f"recall|version:{VERSION}|posterior:jeffreys,{DRAWS},{LEVEL}%,pcg64|seed:{seed}"


def recall_estimate(
    accepted: Sample,
    rejected: Sample,
    *,
    by_method: int | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Row:
    """Recall of everything that was accepted, or of one of several methods that accepted it.

    With N the pool, n the judged and k the paraphrases of a sample, recall is N_a m / n_a over
    N_a k_a / n_a + N_r k_r / n_r, where m is k_a or `by_method`. The interval holds the middle 95 % of draws
    of the shares from their posterior under Jeffreys' prior.

    Parameters
    ----------
    accepted, rejected : (paraphrases, judged, pool)
        The judged samples of both pools.
    by_method : int, optional
        The number of the accepted sample's paraphrases that the method found.
    seed, draws : int
        Random seed and number of draws from the posterior.

    Returns
    -------
    dict
        `value`, the share of all paraphrases that is found, 0 to 1, None when no sample has one; `low` and
        `high`, the bounds of its 95 % interval; `found` and `all`, the estimated numbers of paraphrases.

    Raises
    ------
    ValueError
        What is no sample, a sample that is empty, or the method found more paraphrases than there are.

    References
    ----------
    Brown, Cai & DasGupta (2001), section 3.1.3, for one share.
    """
    for positive, judged, pool in (accepted, rejected):
        if not 0 <= positive <= judged <= pool:
            raise ValueError(f"{positive} of {judged} judged of {pool} is not a sample")
        if not judged:
            raise ValueError("recall needs judged pairs of both kinds: accepted and rejected")
    (positive, judged, pool), (missed, looked_at, outside) = accepted, rejected
    mine = positive if by_method is None else by_method
    if not 0 <= mine <= positive:
        raise ValueError(f"{mine} of {positive} paraphrases were found by the method")
    by_this = pool * mine / judged
    everything = pool * positive / judged + outside * missed / looked_at
    drawn = generator(seed)
    kinds = [mine, judged - positive]
    kinds += [] if by_method is None else [positive - mine]
    shares = drawn.dirichlet([kind + PRIOR for kind in kinds], size=draws)
    lost = outside * drawn.beta(missed + PRIOR, looked_at - missed + PRIOR, size=draws)
    by_mine = pool * shares[:, 0]
    by_others = pool * shares[:, 2] if by_method is not None else 0
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(by_mine / (by_mine + by_others + lost), (tail, 100 - tail))
    value = by_this / everything if everything else None
    return {"value": value, "low": float(low), "high": float(high), "found": by_this, "all": everything}


GroupT = TypeVar("GroupT", bound=Hashable)


def label_share(label: str, count: int, items: int, pool: int | None = None) -> Row:
    """How many of `items` pairs, a sample of `pool` pairs where that is known, have a label: `count`.

    `value` and the bounds of its 95 % interval, `low` and `high`, are from 0 to 1, None of no pairs;
    `projected` is the number of pairs of the pool with the label, and `projected_low` and `projected_high`
    its bounds, None without a pool.
    Dolan, Quirk & Brockett (2004), section 3.1.1: 26.3 % of 448 pairs, so 56 K of 214 K.
    """
    of_sample: Sequence[float | None] = (None, None, None)
    of_pool: Sequence[int | None] = (None, None, None)
    if items:
        share = (count / items, *wilson_interval(count, items))
        of_sample, of_pool = share, projected(share, pool) if pool is not None else of_pool
    row = {"label": label, "count": count, "items": items, "pool": pool}
    row |= dict(zip(("value", "low", "high"), of_sample, strict=True))
    return row | dict(zip(("projected", "projected_low", "projected_high"), of_pool, strict=True))


def projected(share: tuple[float, float, float], pool: int) -> tuple[int, int, int]:
    """A share from 0 to 1 and its bounds as numbers of pairs, of `pool` pairs."""
    value, low, high = (round(pool * bound) for bound in share)
    return value, low, high


def label_shares(
    judged: Mapping[tuple[GroupT, str], int],
    labels: Sequence[str],
    pools: Mapping[GroupT, int] | None = None,
) -> dict[GroupT, list[Row]]:
    """The `label_share` of each label, in the order of `labels`, by group, groups in order of first
    appearance.

    `judged` are the numbers of pairs by group and label, `pools` of those that the groups were drawn
    from, as far as they are known.
    """
    counts: dict[GroupT, Counter[str]] = {}
    for (group, label), number in judged.items():
        counts.setdefault(group, Counter())[label] += number
    return {
        group: [label_share(label, tally[label], tally.total(), (pools or {}).get(group)) for label in labels]
        for group, tally in counts.items()
    }


MEAN_VERSION = 2


def mean_signature() -> str:
    """Method, version and seed of the estimates."""
    bootstrap = f"bootstrap:items,percentile,{RESAMPLES},{LEVEL}%,pcg64|seed:{SEED}"
    return f"mean-count|version:{MEAN_VERSION}|{bootstrap}"


def mean_counts(counts: Floats, *, seed: int = SEED) -> list[Row]:
    """The mean of each column of `counts` (items, columns), with percentile bootstrap intervals over items.

    Rows have the `value` and the bounds `low` and `high`, None with fewer than two items.
    Raises ValueError without an item.
    """
    items = len(counts)
    if not items:
        raise ValueError("there is no item to count in")
    bounds = bootstrap_intervals(counts, lambda sums: sums / items, seed=seed)
    rows = []
    for mean, interval in zip(counts.mean(axis=0), bounds, strict=True):
        low, high = interval or (None, None)
        rows.append({"value": float(mean), "low": low, "high": high})
    return rows
