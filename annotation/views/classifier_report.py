"""What the page of a classifier tells, from the figures of its training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import TrainedClassifier
from corpus.views.charts import Curve, curve

SHARES = (("error", "Error"), ("f", "F"), ("precision", "Precision"), ("recall", "Recall"))
WEIGHTS_SHOWN = 15
# Of the steps measured these stand in the table of thresholds.
SHOWN_STEPS = tuple(round(0.1 * step, 1) for step in range(1, 10))


def report_context(classifier: TrainedClassifier) -> dict[str, Any]:
    """Tables and plots of a trained classifier's page."""
    figures = classifier.figures
    weights = [(name, weight) for name, weight in figures["weights"] if weight]
    return {
        "divisions": _divisions(figures),
        "plots": [
            plot for plot in (_precision_recall(figures), _calibration(figures), _curve(figures)) if plot
        ],
        "shares": [words for _, words in SHARES],
        "raising": [one for one in weights if one[1] > 0][:WEIGHTS_SHOWN],
        "lowering": [one for one in weights if one[1] < 0][:WEIGHTS_SHOWN],
        "errors_by_c": [(f"{c:g}", percent(error)) for c, error in figures["errors_by_c"]],
        "thresholds": [step for step in figures["thresholds"] if step["probability"] in SHOWN_STEPS],
    }


def percent(share: float) -> str:
    return f"{100 * share:.2f}"


def threshold_rows(classifier: TrainedClassifier, kept: Mapping[float, Any]) -> list[tuple[Any, Any]]:
    """Of each step that is shown what it gives on the labelled pairs, and what is `kept` from it on."""
    steps = {step["probability"]: step for step in classifier.figures["thresholds"]}
    return [(steps[step], kept[step]) for step in SHOWN_STEPS if step in steps]


def best_threshold(steps: Sequence[Mapping[str, Any]]) -> float:
    """The shown threshold with the greatest F, of equal ones the highest; 0.5 where nothing was measured."""
    shown = [step for step in steps if step["probability"] in SHOWN_STEPS]
    best = max(shown, key=lambda step: (step["f"], step["probability"]), default={"probability": 0.5})
    return float(best["probability"])


def _divisions(figures: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Measures of cross-validation by cluster, and at random as the paper's may have been."""
    found = [("clusters whole", figures["measures"])]
    if "measures" in (random := figures.get("random_folds", {})):
        found.append(("at random", random["measures"]))
    return found


def _plot(drawn: Curve | None, caption: str, head: Sequence[str], rows: Any) -> dict[str, Any] | None:
    return {"curve": drawn, "caption": caption, "head": head, "rows": list(rows)} if drawn else None


def _precision_recall(figures: Mapping[str, Any]) -> dict[str, Any] | None:
    steps = [step for step in figures["thresholds"] if step["kept_share"]]
    drawn = curve(
        [
            (step["recall"], step["precision"], f"from {step['probability']} on")
            for step in sorted(steps, key=lambda step: (step["recall"], -step["probability"]))
        ],
        name="precision-recall",
        title="Precision and recall by threshold",
        axes=("recall, %", "precision, %"),
        dots=False,
    )
    rows = (
        (step["probability"], percent(step["precision"]), percent(step["recall"]), percent(step["f"]))
        for step in steps
    )
    caption = "Each point is a threshold of the probability, on pairs that the model had not seen."
    return _plot(drawn, caption, ("Threshold", "Precision, %", "Recall, %", "F, %"), rows)


def _calibration(figures: Mapping[str, Any]) -> dict[str, Any] | None:
    bins = figures["calibration"]["bins"]
    drawn = curve(
        [(one["mean_probability"], one["share_positive"], f"{one['count']} pairs") for one in bins],
        name="calibration",
        title="Calibration: what was said and what was true",
        axes=("mean probability, %", "share of paraphrases, %"),
        diagonal=True,
    )
    rows = ((one["count"], percent(one["mean_probability"]), percent(one["share_positive"])) for one in bins)
    calibration = figures["calibration"]
    caption = (
        f"On the straight line probabilities would be exactly right. Brier score {calibration['brier']:.3f}, "
        f"expected error {percent(calibration['expected_error'])} percentage points."
    )
    return _plot(drawn, caption, ("Pairs", "Mean probability, %", "Paraphrases, %"), rows)


def _curve(figures: Mapping[str, Any]) -> dict[str, Any] | None:
    points = [point for point in figures.get("curve", []) if "measures" in point]
    worst = max((point["measures"]["error"] for point in points), default=0.0)
    drawn = curve(
        [(point["pairs"], point["measures"]["error"], f"{point['pairs']:,} pairs") for point in points],
        name="learning-curve",
        title="Learning curve",
        axes=("pairs trained on", "error, %"),
        x_range=(0, max((point["pairs"] for point in points), default=1)),
        y_range=(0, next((top for top in (0.2, 0.4, 0.6) if worst <= top), 1.0)),
        x_whole=True,
    )
    rows = (
        (f"{point['pairs']:,}", percent(point["measures"]["error"]), percent(point["measures"]["f"]))
        for point in points
    )
    caption = "Where the line has become level, more pairs of this kind would change little."
    return _plot(drawn, caption, ("Pairs", "Error, %", "F, %"), rows)
