"""How many groups the headlines of a cluster form, without sub-clusters drawn by people.

A headline that says the same as another one is often nearer to it than headlines are by chance; a single one
rarely is. Chance is what is left when each word is dealt out again to as many headlines of the cluster, drawn
at random. The share of near headlines gives the share of single ones; the rest are in two groups where that
is possible.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from paragold.arrays import Floats

# A headline is near where no more than this share of those by chance have a neighbour as near.
CHANCE = 0.05
# The share of near headlines among those that are in a group: about half of them are far from the others.
NEAR_IN_GROUPS = 0.55
# A small cluster says little: this share of near headlines is added for so many headlines.
USUAL_NEAR, USUAL_HEADLINES = 0.33, 6
# Two groups, with no fewer and no more headlines each on average.
GROUPS, SMALLEST_MEAN, LARGEST_MEAN = 2, 3, 10
# Headlines by chance: about so many are drawn in all.
DRAWN, MIN_SHUFFLES = 240, 3


def expected_groups(vectors: Floats, seed: int = 1) -> int:
    """The expected number of groups: 2 to the number of headlines, or as many as there are headlines below 2.

    The constants were chosen on stories of the UCI News Aggregator, the first sentences of EventCorefBank+
    and the demo (`python -m benchmarks headlines`).

    Parameters
    ----------
    vectors : array of shape (headlines, terms)
        The weight of each term in each headline, 0 where it does not occur. Headlines without any weight are
        not counted.
    seed : int
        Random seed of what is dealt out.
    """
    nearest = _nearest(vectors)
    headlines = nearest.size
    if headlines < 2:
        return headlines
    random = np.random.default_rng(seed)
    shuffles = max(MIN_SHUFFLES, ceil(DRAWN / headlines))
    by_chance = np.concatenate([_nearest(random.permuted(vectors, axis=0)) for _ in range(shuffles)])
    near = np.count_nonzero(nearest > np.quantile(by_chance, 1 - CHANCE))
    share = (near + USUAL_NEAR * USUAL_HEADLINES) / (headlines + USUAL_HEADLINES)
    single = headlines * min(max((NEAR_IN_GROUPS - share) / (NEAR_IN_GROUPS - CHANCE), 0), 1)
    grouped = headlines - single
    groups = min(max(GROUPS, grouped / LARGEST_MEAN), grouped / SMALLEST_MEAN)
    return min(max(round(single + groups), 2), headlines)


def _nearest(vectors: Floats) -> Floats:
    """The cosine of each headline that has weight to the one nearest to it; 0 where there is no other."""
    lengths = np.linalg.norm(vectors, axis=1)
    units = vectors[lengths > 0] / lengths[lengths > 0, None]
    cosines = units @ units.T
    np.fill_diagonal(cosines, 0)
    nearest: Floats = cosines.max(axis=1, initial=0)
    return nearest
