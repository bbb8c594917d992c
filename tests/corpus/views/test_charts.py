import pytest

from corpus.views.charts import MAX_BARS, histogram
from paragold.charts import TOP


@pytest.mark.parametrize("counts", [{0: 1}, {7: 1_234_567}, dict.fromkeys(range(500), 3), {1: 1, 10_000: 9}])
def test_it_stays_within_its_frame_and_loses_nothing(counts):
    plot = histogram(counts)
    assert plot is not None
    assert 1 <= len(plot.bars) <= MAX_BARS
    assert sum(bar["count"] for _, _, bar in plot.bars) == sum(counts.values()) == plot.total
    assert plot.bars[0][0] == min(counts) and plot.bars[-1][1] == max(counts)
    chart = plot.chart
    for bar in chart.bars:
        assert bar["x"] >= chart.left and bar["x"] + bar["width"] <= chart.right + 0.1
        assert bar["y"] >= TOP - 0.1 and bar["y"] + bar["height"] == pytest.approx(chart.base, abs=0.2)
    assert chart.y_ticks[0]["label"] == "0" and 2 <= len(chart.y_ticks) <= 6
