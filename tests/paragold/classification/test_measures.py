"""Measures, intervals and calibration against worked examples."""

import numpy as np
import pytest

from paragold.classification.measures import calibration, evaluate, share_interval, thresholds

LABELS = np.array([True] * 6 + [False] * 4)
DECISIONS = np.array([True, True, True, False, False, False, True, False, False, False])


def test_shares_of_a_small_table() -> None:
    result = evaluate(LABELS, DECISIONS)
    assert (result.true_positive, result.false_positive) == (3, 1)
    assert (result.false_negative, result.true_negative) == (3, 3)
    assert result.accuracy == 0.6
    assert result.error == 0.4
    assert result.precision == 0.75
    assert result.recall == 0.5
    assert result.f == pytest.approx(0.6)
    assert result.majority_error == 0.4
    for name, (low, high) in result.intervals.items():
        assert low <= getattr(result, name) <= high
    assert evaluate(LABELS, DECISIONS) == result


def test_wilson_interval_as_published() -> None:
    # Newcombe (1998), table I, method 3: 81 of 263, and 0 of 20.
    assert share_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert share_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert share_interval(0, 0) == (0.0, 1.0)


def test_nothing_accepted_and_nothing_given() -> None:
    result = evaluate(LABELS, np.zeros(10, dtype=bool))
    assert (result.precision, result.recall, result.f) == (0, 0, 0)
    with pytest.raises(ValueError, match="no labelled pair"):
        evaluate(np.zeros(0, dtype=bool), np.zeros(0, dtype=bool))


def test_calibration_bins() -> None:
    result = calibration(np.array([True, False, True, True]), np.array([0.95, 0.05, 1.0, 0.05]))
    assert [(one.low, one.count, one.share_positive) for one in result.bins] == [(0.0, 2, 0.5), (0.9, 2, 1.0)]
    assert result.expected_error == pytest.approx((2 * 0.45 + 2 * 0.025) / 4)
    assert result.brier == pytest.approx((0.05**2 + 0.05**2 + 0 + 0.95**2) / 4)


def test_thresholds_project_the_yield() -> None:
    labels = np.array([True, True, False, False])
    result = thresholds(
        labels, np.array([0.9, 0.6, 0.6, 0.1]), steps=(0.5, 0.8, 1.0), dataset=np.array([0.5, 0.79, 0.8])
    )
    assert [(one.precision, one.recall, one.kept_share) for one in result] == [
        (2 / 3, 1.0, 0.75),
        (1.0, 0.5, 0.25),
        (0.0, 0.0, 0.0),
    ]
    assert [one.projected_yield for one in result] == [3, 1, 0]
