"""Measures of decisions, with intervals, and the calibration of probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.classification.coded_pairs import Flags
from paragold.classification.matching import Numbers
from paragold.statistics import Interval, percentile_interval, resampled_frequencies, wilson_interval

CALIBRATION_BINS = 10


@dataclass(frozen=True, slots=True)
class Measures:
    """Counts and shares (0 to 1) of decisions against labels, paraphrase being the positive class.

    Shares without a denominator are 0. Intervals are at 95 %: Wilson (1927) for accuracy, error, precision
    and recall, a seeded bootstrap over pairs for F.
    """

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int
    accuracy: float
    error: float
    precision: float
    recall: float
    f: float
    intervals: dict[str, Interval]
    majority_error: float


def evaluate(labels: Flags, decisions: Flags, *, seed: int = 0) -> Measures:
    """Measure decisions (n,) against labels (n,). Raises ValueError without any pair."""
    if not len(labels):
        raise ValueError("There is no labelled pair to measure on.")
    tp, fp = int((labels & decisions).sum()), int((~labels & decisions).sum())
    fn, tn = int((labels & ~decisions).sum()), int((~labels & ~decisions).sum())
    total = len(labels)
    low, high = share_interval(tp + tn, total)
    positive = int(labels.sum())
    return Measures(
        tp,
        fp,
        fn,
        tn,
        accuracy=(tp + tn) / total,
        error=(fp + fn) / total,
        precision=_share(tp, tp + fp),
        recall=_share(tp, tp + fn),
        f=_share(2 * tp, 2 * tp + fp + fn),
        intervals={
            "accuracy": (low, high),
            "error": (1 - high, 1 - low),
            "precision": share_interval(tp, tp + fp),
            "recall": share_interval(tp, tp + fn),
            "f": _f_interval(np.array([tp, fp, fn, tn]), seed),
        },
        majority_error=min(positive, total - positive) / total,
    )


def share_interval(successes: int, trials: int) -> Interval:
    """The 95 % score interval of a share (Wilson 1927); 0 to 1 without a trial."""
    return wilson_interval(successes, trials) if trials else (0.0, 1.0)


def _f_interval(counts: NDArray[np.int64], seed: int) -> Interval:
    """Bootstrap interval of F; counts: (4,), true and false positives, false and true negatives."""
    (drawn,) = resampled_frequencies(counts, seed=seed)
    tp, fp, fn, _ = drawn.T.astype(np.float64)
    return percentile_interval(2 * tp / np.maximum(2 * tp + fp + fn, 1)) or (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Pairs whose probability is from `low` up to `high`: how many, what was said, what was true."""

    low: float
    high: float
    count: int
    mean_probability: float
    share_positive: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Brier score, expected calibration error (both 0 is best) and the bins that hold any pair."""

    brier: float
    expected_error: float
    bins: tuple[CalibrationBin, ...]


def calibration(labels: Flags, probabilities: Numbers) -> Calibration:
    """Compare probabilities (n,) with labels (n,) in ten bins of equal width."""
    places = np.minimum((probabilities * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1)
    bins = []
    for place in range(CALIBRATION_BINS):
        inside = places == place
        if count := int(inside.sum()):
            bins.append(
                CalibrationBin(
                    place / CALIBRATION_BINS,
                    (place + 1) / CALIBRATION_BINS,
                    count,
                    float(probabilities[inside].mean()),
                    float(labels[inside].mean()),
                )
            )
    gaps = [one.count * abs(one.mean_probability - one.share_positive) for one in bins]
    return Calibration(float(((probabilities - labels) ** 2).mean()), sum(gaps) / len(labels), tuple(bins))


@dataclass(frozen=True, slots=True)
class Threshold:
    """Decisions at a threshold: precision and recall on labelled pairs, pairs kept elsewhere."""

    probability: float
    precision: float
    recall: float
    f: float
    kept_share: float
    projected_yield: int | None


def thresholds(
    labels: Flags, probabilities: Numbers, *, steps: Sequence[float], dataset: Numbers | None = None
) -> list[Threshold]:
    """The measures of each threshold. `dataset`: (m,) probabilities of the pairs of a projected yield."""
    rows = []
    for step in steps:
        accepted = probabilities >= step
        tp, positive = int((accepted & labels).sum()), int(labels.sum())
        rows.append(
            Threshold(
                step,
                precision=_share(tp, int(accepted.sum())),
                recall=_share(tp, positive),
                f=_share(2 * tp, int(accepted.sum()) + positive),
                kept_share=float(accepted.mean()),
                projected_yield=None if dataset is None else int((dataset >= step).sum()),
            )
        )
    return rows


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
