"""Exact Jaccard of all pairs, beside its definition."""

import numpy as np
import pytest

from paragold.matching.exact import exact_pairs, jaccard_of
from paragold.matching.kernels import NAMES
from paragold.matching.pairs import ScoredPairs
from tests.paragold.matching.toy import all_pairs, as_dict, jaccard, random_sets, sets_of


@pytest.mark.parametrize("kernel", NAMES)
@pytest.mark.parametrize("split", [0, 50])
@pytest.mark.parametrize("threshold", [0.01, 0.2, 1 / 3, 0.5, 0.6, 2 / 3, 1.0])
def test_equals_the_definition(kernel: str, split: int, threshold: float) -> None:
    sets = random_sets(seed=3)
    words = sets_of(sets)
    expected = {pair: jaccard(words[pair[0]], words[pair[1]]) for pair in all_pairs(len(sets), split)}
    expected = {pair: score for pair, score in expected.items() if score >= threshold}
    assert expected
    assert as_dict(exact_pairs(sets, threshold, split=split, kernel=kernel)) == expected


@pytest.mark.parametrize("kernel", NAMES)
def test_order_is_by_falling_score_then_place(kernel: str) -> None:
    pairs = exact_pairs(random_sets(seed=4), 0.3, kernel=kernel)
    order = list(zip((-pairs.scores).tolist(), pairs.first.tolist(), pairs.second.tolist(), strict=True))
    assert order == sorted(order)


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5])
def test_thresholds_out_of_range_are_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        exact_pairs(random_sets(seed=1), threshold)


def test_jaccard_of_given_pairs() -> None:
    sets = random_sets(seed=5)
    words = sets_of(sets)
    pairs = ScoredPairs(np.array([0, 3, 7]), np.array([9, 4, 8]), np.zeros(3))
    assert jaccard_of(sets, pairs).tolist() == [
        jaccard(words[first], words[second]) for first, second in ((0, 9), (3, 4), (7, 8))
    ]
