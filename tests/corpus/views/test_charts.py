"""What curves, histograms and UpSet plots show."""

from __future__ import annotations

import pytest

from corpus.views.charts import MAX_BARS, MAX_PARTS, curve, histogram, upset
from paragold.charts import TOP


def test_percent_on_the_axes_and_a_text_at_each_dot() -> None:
    drawn = curve(
        [(0.0, 0.0, "low"), (1.0, 1.0, "high")], name="n", title="t", axes=("x", "y"), diagonal=True
    )
    chart = drawn
    assert chart.strokes[0]["points"] == chart.strokes[1]["points"]
    assert [tick["label"] for tick in chart.y_ticks] == ["0", "20", "40", "60", "80", "100"]
    dots = [(dot["x"], dot["y"], dot["label"]) for dot in chart.dots]
    assert dots == [(chart.left, chart.base, "low"), (chart.right, chart.top, "high")]


def test_whole_numbers_on_the_axis_and_no_dots() -> None:
    drawn = curve(
        [(8000, 0.1, "")], name="n", title="t", axes=("x", "y"), x_range=(0, 8000), x_whole=True, dots=False
    )
    assert [tick["label"] for tick in drawn.x_ticks] == ["0", "2,000", "4,000", "6,000", "8,000"]
    assert drawn.dots == []


def test_an_empty_range_and_no_points_divide_by_nothing() -> None:
    assert curve([], name="n", title="t", axes=("x", "y")) is None
    drawn = curve([(0, 0.5, "")], name="n", title="t", axes=("x", "y"), x_range=(0, 0))
    assert drawn.dots[0]["x"] == drawn.left


def test_every_value_has_a_bar_even_where_nothing_is():
    assert histogram({}) is None
    plot = histogram({3: 2, 5: 4})
    assert plot is not None
    assert [(bar["label"], bar["count"]) for _, _, bar in plot.bars] == [("3", 2), ("4", 0), ("5", 4)]
    low, gap, high = plot.chart.bars
    assert gap["height"] == 0 and high["height"] == pytest.approx(2 * low["height"], abs=0.2)
    assert plot.total == 6


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


def test_bars_stand_over_the_dots_of_their_sets():
    plot = upset(
        [("L12", 30), ("F2", 25), ("F3", 5)],
        [(frozenset({0}), 20), (frozenset({0, 2}), 10), (frozenset({1}), 5)],
    )
    assert [part.count for part in plot.parts] == [20, 10, 5] and plot.left_out == 0
    assert plot.parts[0].height == 2 * plot.parts[1].height == 4 * plot.parts[2].height
    assert all(part.y + part.height == plot.base for part in plot.parts)
    assert [inside for _, inside in plot.parts[1].dots] == [True, False, True]
    assert plot.parts[1].names == "L12 and F3"
    assert (plot.parts[1].low, plot.parts[1].high) == (plot.rows[0].y, plot.rows[2].y)


def test_what_does_not_fit_is_counted():
    sets = [(f"a set with a long name, number {n}", 9) for n in range(5)]
    parts = [(frozenset({n % 5, n // 5 % 5}), 99 - n) for n in range(25)]
    plot = upset(sets, parts)
    assert len(plot.parts) == MAX_PARTS and plot.left_out == 25 - MAX_PARTS
    assert plot.rows[0].shown == "a set with a long nam…" and plot.rows[0].name == sets[0][0]
    assert max(part.x for part in plot.parts) < plot.width and plot.rows[-1].y < plot.height
    assert upset(sets, []) is None
