"""A histogram of whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paragold.charts import Bar, BarChart, bar_chart

BARS_AT_MOST = 40


@dataclass(frozen=True, slots=True)
class Histogram:
    """`bars` are the least and the greatest value of each bar of the chart, both included, and the bar."""

    chart: BarChart
    bars: list[tuple[int, int, Bar]]
    total: int


def histogram(counts: Mapping[int, int]) -> Histogram | None:
    """Lay out `counts` (value -> how often) from the least to the greatest value; None without any.

    Values share a bar where there would be more than BARS_AT_MOST.
    """
    if not counts:
        return None
    least, greatest = min(counts), max(counts)
    span = -(-(greatest - least + 1) // BARS_AT_MOST)
    bins = [(low, min(low + span - 1, greatest)) for low in range(least, greatest + 1, span)]
    labels = [str(low) if low == high else f"{low}–{high}" for low, high in bins]
    sums = [sum(counts.get(value, 0) for value in range(low, high + 1)) for low, high in bins]
    chart = bar_chart(list(zip(labels, sums, strict=True)))
    if chart is None:
        return None
    bars = [(low, high, bar) for (low, high), bar in zip(bins, chart.bars, strict=True)]
    return Histogram(chart, bars, sum(counts.values()))
