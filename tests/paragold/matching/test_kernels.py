from itertools import combinations, pairwise

import numpy as np
import pytest

from paragold.matching import kernels
from paragold.matching.similar_pairs import SCORED
from tests.paragold.matching.toy import jaccard, random_sets, sets_of


@pytest.mark.parametrize("split", [0, 50])
@pytest.mark.parametrize("threshold", [0.01, 1 / 3, 0.6, 1.0])
def test_pairs_within_groups_and_shared_words(split, threshold):
    sets = random_sets(seed=8)
    words = sets_of(sets)
    members, bounds = np.array([*range(0, 120, 3), *range(40), *range(30, 90)]), np.array([0, 40, 80, 140])
    room = np.empty(1, SCORED)  # it grows
    pairs = kernels.similar_in_groups(sets.offsets, sets.codes, members, bounds, threshold, split, room)
    expected = [
        (a, b, jaccard(words[a], words[b]))
        for start, end in pairwise(bounds.tolist())
        for a, b in combinations(members[start:end].tolist(), 2)
        if (not split or a < split <= b) and words[a] | words[b]
    ]
    assert len(pairs)
    assert sorted(pairs.tolist()) == sorted(pair for pair in expected if pair[2] >= threshold)
    first, second = (np.ascontiguousarray(pairs[side]) for side in ("first", "second"))
    shared = kernels.shared_words(sets.offsets, sets.codes, first, second)
    assert shared.tolist() == [len(words[a] & words[b]) for a, b, _ in pairs.tolist()]
