import numpy as np
import pytest

from paragold.agreement.mean_counts import MeanCount, mean_counts


def test_means_of_columns():
    found = mean_counts(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 0.5], [1.0, 0.5]]))
    assert [mean.value for mean in found] == [1.0, 0.25]
    assert all(mean.low <= mean.value <= mean.high for mean in found)


def test_the_interval_is_that_of_drawing_items():
    # Half of 400 items have one instance: the standard error of the mean is 0.025.
    found = mean_counts(np.repeat([[0.0], [1.0]], 200, axis=0))[0]
    assert (found.low, found.high) == pytest.approx((0.451, 0.549), abs=0.01)


def test_what_never_varies_has_no_width():
    assert mean_counts(np.full((3, 1), 2.0)) == [MeanCount(2.0, 2.0, 2.0)]


def test_the_seed_decides():
    counts = np.arange(20.0).reshape(-1, 1)
    assert mean_counts(counts, seed=3) == mean_counts(counts, seed=3)
    assert mean_counts(counts, seed=3) != mean_counts(counts, seed=4)


def test_one_item_has_no_interval_and_none_is_refused():
    assert mean_counts(np.array([[3.0]])) == [MeanCount(3.0, None, None)]
    with pytest.raises(ValueError, match="no item"):
        mean_counts(np.empty((0, 6)))
