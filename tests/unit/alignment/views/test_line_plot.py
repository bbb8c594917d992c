import math
from itertools import pairwise

import pytest

from alignment.views.line_plot import NAME_HEIGHT, Value, line_plot, round_step


@pytest.mark.parametrize(
    ("span", "step"), [(5, 1), (5.1, 2), (0.5, 0.1), (100, 20), (26, 10), (1e-3, 2e-4), (0.3, 0.1)]
)
def test_steps_are_round_and_few(span, step):
    assert round_step(span) == pytest.approx(step)


def test_points_lie_where_their_numbers_are():
    plot = line_plot(
        [("a", [Value(1, -10), Value(2, -5), Value(3, 0)]), ("b", [Value(1, -7.5)])],
        x_ticks=[1, 3],
        describe=lambda name, value: f"{name} {value.y:g}",
    )
    assert [tick.label for tick in plot.y_ticks] == ["-10", "-8", "-6", "-4", "-2", "0"]
    first, second, third = plot.series[0].points
    assert second.x == pytest.approx((first.x + third.x) / 2, abs=0.1)
    assert second.y == pytest.approx((first.y + third.y) / 2, abs=0.1)
    assert first.y == plot.y_ticks[0].place == plot.base
    assert [tick.place for tick in plot.x_ticks] == [first.x, third.x]
    assert plot.series[1].points[0].label == "b -7.5"
    assert plot.series[0].line.split()[0] == f"{first.x},{first.y}"


def test_intervals_make_a_band_and_the_axis_can_be_bent():
    values = [Value(0, 5, (4, 6)), Value(10, 3, (2.5, 3.5)), Value(90, 2, (1, 3))]
    plot = line_plot([("a", values)], x_ticks=[0, 10, 90], describe=lambda *_: "", place=math.log1p)
    xs = [point.x for point in plot.series[0].points]
    assert xs[1] - xs[0] > xs[2] - xs[1]
    corners = [tuple(map(float, corner.split(","))) for corner in plot.series[0].band.split()]
    assert [x for x, _ in corners] == xs + xs[::-1]
    assert corners[0][1] < plot.series[0].points[0].y < corners[-1][1]


def test_nothing_or_one_value():
    assert line_plot([("a", [])], x_ticks=[], describe=lambda *_: "") is None
    plot = line_plot([("a", [Value(4, 0.0)])], x_ticks=[4], describe=lambda *_: "")
    assert len(plot.y_ticks) >= 2
    assert plot.series[0].band == ""


def test_names_and_ticks_do_not_run_into_one_another():
    lines = [(name, [Value(500, 20 + n / 10), Value(4000 + 9 * n, 12)]) for n, name in enumerate("abcdef")]
    ticks = [500, *(4000 + 9 * n for n in range(6))]
    plot = line_plot(lines, x_ticks=ticks, describe=lambda *_: "", place=math.log, named=True)
    heights = sorted(series.name_y for series in plot.series)
    assert all(lower - upper >= NAME_HEIGHT - 0.1 for upper, lower in pairwise(heights))
    assert heights[0] > 0 and heights[-1] <= plot.base
    assert plot.names > plot.right >= max(point.x for series in plot.series for point in series.points)
    assert [tick.label for tick in plot.x_ticks] == ["500", "4045"]


def test_a_single_line_needs_no_room_for_its_name():
    plot = line_plot(
        [("a" * 90, [Value(1, 1), Value(2, 2)])], x_ticks=[1, 2], describe=lambda *_: "", named=True
    )
    assert plot.names is None
    assert len(plot.series[0].shown_name) < 30
