from __future__ import annotations

import pytest

from corpus.views.histogram import BARS_AT_MOST, histogram
from paragold.charts import TOP


def test_nothing_has_no_histogram():
    assert histogram({}) is None


def test_every_value_has_a_bar_even_where_nothing_is():
    plot = histogram({3: 2, 5: 4})
    assert plot is not None
    assert [(bar.label, bar.count) for _, _, bar in plot.bars] == [("3", 2), ("4", 0), ("5", 4)]
    low, gap, high = plot.chart.bars
    assert gap.height == 0 and high.height == pytest.approx(2 * low.height, abs=0.2)
    assert plot.total == 6


@pytest.mark.parametrize("counts", [{0: 1}, {7: 1_234_567}, dict.fromkeys(range(500), 3), {1: 1, 10_000: 9}])
def test_it_stays_within_its_frame_and_loses_nothing(counts):
    plot = histogram(counts)
    assert plot is not None
    assert 1 <= len(plot.bars) <= BARS_AT_MOST
    assert sum(bar.count for _, _, bar in plot.bars) == sum(counts.values()) == plot.total
    assert plot.bars[0][0] == min(counts) and plot.bars[-1][1] == max(counts)
    chart = plot.chart
    for bar in chart.bars:
        assert bar.x >= chart.left and bar.x + bar.width <= chart.right + 0.1
        assert bar.y >= TOP - 0.1 and bar.y + bar.height == pytest.approx(chart.base, abs=0.2)
    assert chart.ticks[0].label == "0" and 2 <= len(chart.ticks) <= 6
