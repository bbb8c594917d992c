"""What a curve shows."""

from corpus.views.curve import curve


def test_percent_on_the_axes_and_a_text_at_each_dot() -> None:
    drawn = curve(
        [(0.0, 0.0, "low"), (1.0, 1.0, "high")], name="n", title="t", axes=("x", "y"), diagonal=True
    )
    chart = drawn.chart
    assert chart.lines[0].points == chart.reference
    assert [tick.label for tick in chart.y_ticks] == ["0", "20", "40", "60", "80", "100"]
    assert drawn.dots == [(chart.left, chart.base, "low"), (chart.right, chart.top, "high")]


def test_whole_numbers_on_the_axis_and_no_dots() -> None:
    drawn = curve(
        [(8000, 0.1, "")], name="n", title="t", axes=("x", "y"), x_range=(0, 8000), x_whole=True, dots=False
    )
    assert [tick.label for tick in drawn.chart.x_ticks] == ["0", "2,000", "4,000", "6,000", "8,000"]
    assert drawn.dots == []


def test_an_empty_range_and_no_points_divide_by_nothing() -> None:
    assert curve([], name="n", title="t", axes=("x", "y")) is None
    drawn = curve([(0, 0.5, "")], name="n", title="t", axes=("x", "y"), x_range=(0, 0))
    assert drawn.dots[0][0] == drawn.chart.left
