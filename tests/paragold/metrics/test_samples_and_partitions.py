import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from paragold.metrics.label_agreement import (
    first_and_last,
)
from paragold.metrics.partitions import canonical, disputed_things, partition_figures, shared_groups
from paragold.metrics.samples import recall_estimate


def test_recall_by_hand_and_no_proof_by_few_pairs():
    # 50 of 100 of 1,000 found pairs: 500 paraphrases; 1 of 100 of 20,000 others: 200 more.
    result = recall_estimate((50, 100, 1_000), (1, 100, 20_000))
    assert (result["found"], result["all"]) == (500, 700)
    assert result["value"] == pytest.approx(5 / 7)
    assert result["low"] < 5 / 7 < result["high"]
    one = recall_estimate((50, 100, 1_000), (1, 100, 20_000), by_method=20)
    assert (one["found"], one["all"]) == (200, 700)
    assert one["low"] < 2 / 7 < one["high"]
    few = recall_estimate((50, 100, 1_000), (0, 20, 20_000))
    many = recall_estimate((50, 100, 1_000), (0, 2_000, 20_000))
    assert few["value"] == many["value"] == 1.0
    assert few["low"] < 0.4 < 0.9 < many["low"]
    nothing = recall_estimate((0, 10, 100), (0, 10, 100))
    assert nothing["value"] is None
    assert 0 < nothing["low"] < nothing["high"] < 1


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """300 samples from a corpus of 2,000 found and 50,000 rejected pairs with a recall of two thirds."""
    generator = np.random.default_rng(7)
    truth, held = 1_000 / 1_500, 0
    for _ in range(300):
        accepted = int(generator.hypergeometric(1_000, 1_000, 200))
        rejected = int(generator.hypergeometric(500, 49_500, 400))
        result = recall_estimate((accepted, 200, 2_000), (rejected, 400, 50_000), draws=1_000)
        held += result["low"] <= truth <= result["high"]
    assert 0.91 <= held / 300 <= 0.99


START = datetime(2026, 3, 1, 22, tzinfo=UTC)


# Minutes after the first answer at which the second pass began; before it a corrected label counts.
@pytest.mark.parametrize(
    ("given", "second_pass", "expected"),
    [
        ((), None, (None, None)),
        ((None, "y", "n"), None, ("y", "n")),
        (("y", None), None, ("y", None)),
        (("y", None, "n", "y"), 3, ("n", "y")),
        (("y", None, "n", "y"), 0, (None, "y")),
    ],
)
def test_first_label_and_the_current_one(given, second_pass, expected):
    answers = [(START + timedelta(minutes=minute), label) for minute, label in enumerate(given)]
    began = None if second_pass is None else START + timedelta(minutes=second_pass)
    assert first_and_last(answers, began) == expected


WORKED = ([[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4, 5, 6]], 6)


def test_partitions_by_hand():
    # Six headlines, 15 pairs. The first puts 3 + 3 pairs together, the second 1 + 6, both 1 + 3; by chance
    # 6 * 7 / 15 = 2.8. The index is (4 - 2.8) / ((6 + 7) / 2 - 2.8) = 1.2 / 3.7.
    assert partition_figures([WORKED]) == {
        **{"together": 4, "first": 6, "second": 7, "pairs": 15},
        **{"precision": pytest.approx(4 / 7), "recall": pytest.approx(4 / 6), "f1": pytest.approx(8 / 13)},
        "adjusted_rand": pytest.approx(1.2 / 3.7),
    }
    # (4 + 1 - 2.8 - 1/6) / ((6 + 1 + 7 + 1) / 2 - 2.8 - 1/6)
    total = partition_figures([WORKED, ([[1, 2]], [[1, 2]], 4)])
    assert [total[name] for name in ("together", "first", "second", "pairs")] == [5, 7, 8, 21]
    assert total["adjusted_rand"] == pytest.approx((5 - 2.8 - 1 / 6) / (7.5 - 2.8 - 1 / 6))
    # Headlines in no group are alone: 1 and 2 together against nothing together, no pair in common.
    figures = partition_figures([([[1, 2]], [], 4)])
    assert [figures[name] for name in ("precision", "recall", "f1", "adjusted_rand")] == [None, 0, 0, 0]
    alone = partition_figures([([[1, 2], [3]], [[1, 2], [4]], 4)])
    assert alone == partition_figures([([[1, 2]], [[1, 2]], 4)])
    for groups in ([], [[1, 2, 3, 4]], [[1, 2], [3, 4]]):
        assert index(groups, groups, 4) == 1.0
    assert partition_figures([([], [], 4)])["f1"] is None
    assert index([], [], 1) is None
    assert partition_figures([])["adjusted_rand"] is None


def index(*compared):
    return partition_figures([compared])["adjusted_rand"]


@pytest.mark.parametrize("seed", range(20))
def test_the_index_is_that_of_scikit_learn(seed):
    chance = random.Random(seed)
    size = chance.randint(2, 30)
    labels = [[chance.randint(1, 6) for _ in range(size)] for _ in range(2)]
    partitions = [
        [[thing for thing in range(size) if row[thing] == label] for label in sorted(set(row))]
        for row in labels
    ]
    expected = adjusted_rand_score(*labels)
    assert index(*partitions, size) == pytest.approx(expected)


def test_canonical_forms_and_groups_that_are_shared():
    # Order and groups of one are forgotten.
    assert canonical([[5, 4], [3], [2, 1]], [1, 2, 3, 4, 5]) == [[1, 2], [4, 5]]
    assert canonical([["c", "a"], ["d", "b"]], ["d", "c", "b", "a"]) == [["d", "b"], ["c", "a"]]
    assert shared_groups([[[1, 2, 3, 4], [5, 6]], [[1, 2], [3, 4, 5, 6]]]) == [[1, 2], [3, 4], [5, 6]]
    assert shared_groups([[[1, 2, 3]], [[1, 2, 3]], [[2, 3]]]) == [[2, 3]]
    assert shared_groups([[[1, 2]], []]) == shared_groups([]) == []


@pytest.mark.parametrize("seed", range(20))
def test_something_is_in_dispute_exactly_where_partitions_differ(seed):
    chance = random.Random(seed)
    things = list(range(1, 7))
    partitions = []
    for _ in range(2):
        row = [chance.randint(0, 2) for _ in things]
        groups = [[t for t, label in zip(things, row, strict=True) if label == wanted] for wanted in (1, 2)]
        partitions.append(canonical(groups, things))
    assert bool(disputed_things(partitions)) == (partitions[0] != partitions[1])
