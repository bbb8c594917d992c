"""Recall from two samples: worked by hand, its interval against the truth of simulated corpora."""

from __future__ import annotations

import numpy as np
import pytest

from paragold.agreement.recall import Sampled, recall_estimate, signature


def test_worked_by_hand() -> None:
    # 50 of 100 of 1,000 found pairs: 500 paraphrases; 1 of 100 of 20,000 others: 200 more.
    found = recall_estimate(Sampled(50, 100, 1_000), Sampled(1, 100, 20_000))
    assert (found.found, found.all) == (500, 700)
    assert found.value == pytest.approx(5 / 7)
    assert found.low < 5 / 7 < found.high
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
        found = recall_estimate(Sampled(accepted, 200, 2_000), Sampled(rejected, 400, 50_000), draws=1_000)
        held += found.low <= truth <= found.high
    assert 0.91 <= held / 300 <= 0.99


@pytest.mark.parametrize("numbers", [(3, 2, 10), (-1, 2, 10), (1, 20, 10)])
def test_what_is_no_sample_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="is no sample"):
        Sampled(*numbers)


def test_empty_samples_and_impossible_methods_are_refused() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        recall_estimate(Sampled(0, 0, 10), Sampled(0, 2, 10))
    with pytest.raises(ValueError, match="9 of 5 paraphrases"):
        recall_estimate(Sampled(5, 6, 10), Sampled(0, 2, 10), by_method=9)
