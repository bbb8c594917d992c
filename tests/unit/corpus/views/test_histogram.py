from __future__ import annotations

import pytest

from corpus.views.histogram import BARS_AT_MOST, BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, histogram


def test_nothing_has_no_histogram():
    assert histogram({}) is None


def test_every_value_has_a_bar_even_where_nothing_is():
    plot = histogram({3: 2, 5: 4})
    assert plot is not None
    assert [(bar.label, bar.count) for bar in plot.bars] == [("3", 2), ("4", 0), ("5", 4)]
    low, gap, high = plot.bars
    assert gap.height == 0 and high.height == pytest.approx(2 * low.height, abs=0.2)
    assert plot.total == 6


@pytest.mark.parametrize("counts", [{0: 1}, {7: 1_234_567}, dict.fromkeys(range(500), 3), {1: 1, 10_000: 9}])
def test_it_stays_within_its_frame_and_loses_nothing(counts):
    plot = histogram(counts)
    assert plot is not None
    assert 1 <= len(plot.bars) <= BARS_AT_MOST
    assert sum(bar.count for bar in plot.bars) == sum(counts.values()) == plot.total
    assert plot.bars[0].low == min(counts) and plot.bars[-1].high == max(counts)
    for bar in plot.bars:
        assert bar.x >= LEFT and bar.x + bar.width <= WIDTH - RIGHT + 0.1
        assert bar.y >= TOP - 0.1 and bar.y + bar.height == pytest.approx(HEIGHT - BOTTOM, abs=0.2)
    assert plot.ticks[0].value == 0 and plot.ticks[-1].value >= max(bar.count for bar in plot.bars)
    assert 2 <= len(plot.ticks) <= 6
