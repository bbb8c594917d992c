"""Adjusted Rand, pairs in common, what two partitions share and where they differ."""

from __future__ import annotations

import random

import pytest
from sklearn.metrics import adjusted_rand_score

from paragold.agreement.partitions import (
    PairCounts,
    canonical,
    disputed_things,
    pair_counts,
    shared_groups,
)


def test_a_worked_example() -> None:
    # Six headlines, 15 pairs. The first puts 3 + 3 pairs together, the second 1 + 6, both 1 + 3; by chance
    # 6 * 7 / 15 = 2.8. The index is (4 - 2.8) / ((6 + 7) / 2 - 2.8) = 1.2 / 3.7.
    counts = pair_counts([[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4, 5, 6]], 6)
    assert (counts.together, counts.first, counts.second, counts.pairs) == (4, 6, 7, 15)
    assert counts.expected == pytest.approx(2.8)
    assert counts.precision == pytest.approx(4 / 7)
    assert counts.recall == pytest.approx(4 / 6)
    assert counts.f1 == pytest.approx(8 / 13)
    assert counts.adjusted_rand == pytest.approx(1.2 / 3.7)


def test_headlines_in_no_group_are_alone() -> None:
    # 1 and 2 together against nothing together: no pair in common.
    counts = pair_counts([[1, 2]], [], 4)
    assert (counts.precision, counts.recall, counts.f1, counts.adjusted_rand) == (None, 0.0, 0.0, 0.0)
    assert pair_counts([[1, 2], [3]], [[1, 2], [4]], 4) == pair_counts([[1, 2]], [[1, 2]], 4)


def test_equal_partitions_agree_fully_even_where_chance_alone_gives_them() -> None:
    for groups in ([], [[1, 2, 3, 4]], [[1, 2], [3, 4]]):
        assert pair_counts(groups, groups, 4).adjusted_rand == 1.0
    assert pair_counts([], [], 4).f1 is None
    assert pair_counts([], [], 1).adjusted_rand is None


def test_clusters_are_added_up() -> None:
    # (4 + 1 - 2.8 - 1/6) / ((6 + 1 + 7 + 1) / 2 - 2.8 - 1/6)
    larger = pair_counts([[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4, 5, 6]], 6)
    total = larger + pair_counts([[1, 2]], [[1, 2]], 4)
    assert (total.together, total.first, total.second, total.pairs) == (5, 7, 8, 21)
    assert total.adjusted_rand == pytest.approx((5 - 2.8 - 1 / 6) / (7.5 - 2.8 - 1 / 6))
    assert sum([total], PairCounts()) == total


def test_what_is_not_a_partition_is_refused() -> None:
    with pytest.raises(ValueError, match="two groups"):
        pair_counts([[1, 2], [2, 3]], [], 4)
    with pytest.raises(ValueError, match="3 things in groups, but there are 2"):
        pair_counts([[1, 2, 3]], [], 2)


@pytest.mark.parametrize("seed", range(20))
def test_the_index_is_that_of_scikit_learn(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(2, 30)
    labels = [[chance.randint(1, 6) for _ in range(size)] for _ in range(2)]
    partitions = [
        [[thing for thing in range(size) if row[thing] == label] for label in sorted(set(row))]
        for row in labels
    ]
    expected = adjusted_rand_score(*labels)
    assert pair_counts(*partitions, size).adjusted_rand == pytest.approx(expected)


def test_the_canonical_form_forgets_order_and_groups_of_one() -> None:
    assert canonical([[5, 4], [3], [2, 1]], [1, 2, 3, 4, 5]) == [[1, 2], [4, 5]]
    assert canonical([["c", "a"], ["d", "b"]], ["d", "c", "b", "a"]) == [["d", "b"], ["c", "a"]]


def test_shared_groups_are_together_for_everybody() -> None:
    assert shared_groups([[[1, 2, 3, 4], [5, 6]], [[1, 2], [3, 4, 5, 6]]]) == [[1, 2], [3, 4], [5, 6]]
    assert shared_groups([[[1, 2, 3]], [[1, 2, 3]], [[2, 3]]]) == [[2, 3]]
    assert shared_groups([[[1, 2]], []]) == []
    assert shared_groups([]) == []


def test_differences_by_headline() -> None:
    # {1, 2, 3} and {1, 2} are each other's match: only 3 is in dispute.
    assert disputed_things([[[1, 2, 3], [5, 6]], [[1, 2], [5, 6]]]) == {3}
    # 3 moved to the other group.
    assert disputed_things([[[1, 2, 3], [4, 5]], [[1, 2], [3, 4, 5]]]) == {3}
    # One group parted in two: one half finds its match, the other does not.
    assert disputed_things([[[1, 2, 3, 4]], [[1, 2], [3, 4]]]) == {3, 4}
    assert disputed_things([[[1, 2]], []]) == {1, 2}
    assert disputed_things([[[1, 2], [3, 4]], [[1, 2], [3, 4]]]) == set()
    assert disputed_things([[[1, 2]], [[1, 2]], []]) == {1, 2}
    assert disputed_things([[[1, 2]]]) == set()


@pytest.mark.parametrize("seed", range(20))
def test_something_is_in_dispute_exactly_where_partitions_differ(seed: int) -> None:
    chance = random.Random(seed)
    things = list(range(1, 7))
    partitions = []
    for _ in range(2):
        row = [chance.randint(0, 2) for _ in things]
        groups = [[t for t, label in zip(things, row, strict=True) if label == wanted] for wanted in (1, 2)]
        partitions.append(canonical(groups, things))
    assert bool(disputed_things(partitions)) == (partitions[0] != partitions[1])
