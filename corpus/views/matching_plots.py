"""The figures of a study of matching as plots and as rows of tables."""

from __future__ import annotations

from typing import Any

from corpus.views.charts import percent
from paragold.charts import XYChart, xy_chart
from paragold.matching.study import method_label

# Places of the columns in a row of a curve: threshold, proposed, right, precision, recall, F.
PRECISION, RECALL, F = 3, 4, 5
HEAD = (
    *("Method", "Best F", "Precision", "Recall", "Best F over rows"),
    *("Best F, one partner", "Precision at 0.33, one partner"),
)


def quality_plots(figures: dict[str, Any]) -> list[XYChart]:
    """For each method F, precision and recall by threshold (figures 6 to 9)."""
    return [
        xy_chart(
            name=f"quality-{method}",
            title=f"F, precision and recall by threshold, {method_label(method)}",
            axes=("threshold", f"%, {method_label(method)}"),
            ranges=((0.0, 1.0), (0.0, 1.0)),
            numbers=(lambda value: f"{value:.1f}", percent),
            lines=[
                (label, style, [(row[0], row[column]) for row in found["curve"]])
                for label, style, column in (
                    ("F", "", F),
                    ("precision", "second", PRECISION),
                    ("recall", "third", RECALL),
                )
            ],
        )
        for method, found in figures["quality"].items()
    ]


def scatter_plots(figures: dict[str, Any]) -> list[XYChart]:
    """For each number of permutations the estimates beside the truth (figures 4 and 5)."""
    return [
        xy_chart(
            name=f"scatter-{method}",
            title=f"Estimate beside Jaccard, {method_label(method)}",
            axes=("Jaccard", f"estimate, {method_label(method)}"),
            ranges=((0.0, 1.0), (0.0, 1.0)),
            numbers=(lambda value: f"{value:.1f}", lambda value: f"{value:.1f}"),
            dots=[(x, y) for x, y in found["points"]],
            diagonal=True,
        )
        for method, found in figures["scatter"].items()
    ]


def times_plot(figures: dict[str, Any]) -> XYChart:
    """Seconds of the processor against the number of texts, a line a method (figure 10)."""
    rows = [row for found in figures["times"].values() for row in found]
    longest = max((seconds for _, seconds in rows), default=0.0) or 1.0
    return xy_chart(
        name="times",
        title="Seconds of the processor by number of texts",
        axes=("texts", "seconds"),
        ranges=((0, max((texts for texts, _ in rows), default=1)), (0.0, longest)),
        numbers=(lambda value: f"{value:,.0f}", lambda value: f"{value:.2g}"),
        lines=[
            (method_label(method), "" if method == "exact" else "second", [(n, s) for n, s in found])
            for method, found in figures["times"].items()
        ],
        labels_width=72,
        size=(640, 360),
    )


def plots_of(figures: dict[str, Any]) -> dict[str, XYChart]:
    """All plots of a finished study by name."""
    every = [*quality_plots(figures), *scatter_plots(figures), times_plot(figures)]
    return {one.name: one for one in every}


def best_rows(figures: dict[str, Any]) -> list[list[str]]:
    """A row a method, under HEAD: percent, the threshold of the best in brackets."""
    return [
        [
            method_label(method),
            _at(found["best"], "f"),
            f"{100 * found['best']['precision']:.1f}",
            f"{100 * found['best']['recall']:.1f}",
            _at(found["best_by_rows"], "row_f"),
            _at(found["best_one_partner"], "f"),
            f"{100 * found['paper_one_partner']['precision']:.1f}",
        ]
        for method, found in figures["quality"].items()
    ]


def _at(score: dict[str, float], name: str) -> str:
    return f"{100 * score[name]:.1f} ({score['threshold']:.2f})"


def spread_rows(figures: dict[str, Any]) -> list[list[str]]:
    """For each number of permutations: pairs drawn, bias, deviation and what theory expects of it."""
    return [
        [
            method_label(method),
            f"{len(found['points']):,}",
            *(
                "" if found[name] is None else f"{found[name]:.4f}"
                for name in ("bias", "deviation", "expected")
            ),
        ]
        for method, found in figures["scatter"].items()
    ]


def times_rows(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The head and a row a method: seconds for each number of texts."""
    listed = list(figures["times"].items())
    head = ["Method", *(f"{texts:,.0f} texts" for texts, _ in (listed[0][1] if listed else []))]
    return head, [[method_label(method), *(f"{s:.4f}" for _, s in found)] for method, found in listed]
