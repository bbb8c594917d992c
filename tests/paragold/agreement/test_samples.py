"""Recall from two samples: worked by hand, its interval against the truth of simulated corpora."""

import numpy as np
import pytest

from paragold.agreement.samples import (
    LabelShare,
    MeanCount,
    Sampled,
    label_shares,
    mean_counts,
    recall_estimate,
    signature,
)


def test_worked_by_hand() -> None:
    # 50 of 100 of 1,000 found pairs: 500 paraphrases; 1 of 100 of 20,000 others: 200 more.
    result = recall_estimate(Sampled(50, 100, 1_000), Sampled(1, 100, 20_000))
    assert (result.found, result.all) == (500, 700)
    assert result.value == pytest.approx(5 / 7)
    assert result.low < 5 / 7 < result.high
    one = recall_estimate(Sampled(50, 100, 1_000), Sampled(1, 100, 20_000), by_method=20)
    assert (one.found, one.all) == (200, 700)
    assert one.low < 2 / 7 < one.high


def test_no_paraphrase_among_few_rejected_pairs_is_no_proof() -> None:
    few = recall_estimate(Sampled(50, 100, 1_000), Sampled(0, 20, 20_000))
    many = recall_estimate(Sampled(50, 100, 1_000), Sampled(0, 2_000, 20_000))
    assert few.value == many.value == 1.0
    assert few.low < 0.4 < 0.9 < many.low
    nothing = recall_estimate(Sampled(0, 10, 100), Sampled(0, 10, 100))
    assert nothing.value is None
    assert 0 < nothing.low < nothing.high < 1


def test_the_same_seed_gives_the_same_interval() -> None:
    samples = Sampled(30, 100, 1_000), Sampled(3, 100, 20_000)
    assert recall_estimate(*samples) == recall_estimate(*samples)
    assert recall_estimate(*samples, seed=2).low != recall_estimate(*samples).low
    assert signature() == "recall|version:1|posterior:jeffreys,10000,95%,pcg64|seed:1"


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """300 samples from a corpus of 2,000 found and 50,000 rejected pairs with a recall of two thirds."""
    generator = np.random.default_rng(7)
    truth, held = 1_000 / 1_500, 0
    for _ in range(300):
        accepted = int(generator.hypergeometric(1_000, 1_000, 200))
        rejected = int(generator.hypergeometric(500, 49_500, 400))
        result = recall_estimate(Sampled(accepted, 200, 2_000), Sampled(rejected, 400, 50_000), draws=1_000)
        held += result.low <= truth <= result.high
    assert 0.91 <= held / 300 <= 0.99


@pytest.mark.parametrize("numbers", [(3, 2, 10), (-1, 2, 10), (1, 20, 10)])
def test_what_is_no_sample_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="is not a sample"):
        Sampled(*numbers)


def test_empty_samples_and_impossible_methods_are_refused() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        recall_estimate(Sampled(0, 0, 10), Sampled(0, 2, 10))
    with pytest.raises(ValueError, match="9 of 5 paraphrases"):
        recall_estimate(Sampled(5, 6, 10), Sampled(0, 2, 10), by_method=9)


def test_shares_by_group():
    result = label_shares([("L12", "y"), ("F2", "n"), ("L12", "n"), ("L12", "y")], ("y", "n"))
    assert result == {
        "L12": {"y": LabelShare(2, 3), "n": LabelShare(1, 3)},
        "F2": {"y": LabelShare(0, 1), "n": LabelShare(1, 1)},
    }
    assert result["L12"]["y"].value == pytest.approx(2 / 3)
    assert (LabelShare(0, 0).value, LabelShare(0, 0).interval) == (None, None)


def test_means_of_columns():
    result = mean_counts(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 0.5], [1.0, 0.5]]))
    assert [mean.value for mean in result] == [1.0, 0.25]
    assert all(mean.low <= mean.value <= mean.high for mean in result)
    assert mean_counts(np.full((3, 1), 2.0)) == [MeanCount(2.0, 2.0, 2.0)]
    counts = np.arange(20.0).reshape(-1, 1)
    assert mean_counts(counts, seed=3) == mean_counts(counts, seed=3) != mean_counts(counts, seed=4)


def test_the_interval_is_that_of_drawing_items():
    # Half of 400 items have one instance: the standard error of the mean is 0.025.
    result = mean_counts(np.repeat([[0.0], [1.0]], 200, axis=0))[0]
    assert (result.low, result.high) == pytest.approx((0.451, 0.549), abs=0.01)


def test_one_item_has_no_interval_and_none_is_refused():
    assert mean_counts(np.array([[3.0]])) == [MeanCount(3.0, None, None)]
    with pytest.raises(ValueError, match="no item"):
        mean_counts(np.empty((0, 6)))


def test_shares_are_projected_as_in_the_paper():
    """Dolan, Quirk & Brockett (2004), section 3.1.1: 118 and 151 of 448 pairs, so 56 K and 72 K of 214 K."""
    judged = [("F2", "full")] * 118 + [("F2", "partial")] * 151 + [("F2", "none")] * 179
    shares = label_shares(judged, ("full", "partial"), {"F2": 214_000})["F2"]
    assert shares["full"].projected == (56_366, 48_095, 65_499)
    assert shares["partial"].projected == (72_129, 63_094, 81_758)
    assert label_shares(judged, ("full",))["F2"]["full"].projected is None
