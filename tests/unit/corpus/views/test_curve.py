"""Where a curve's points, ticks and reference line lie."""

from corpus.views.curve import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, curve


def test_corners_and_ticks() -> None:
    drawn = curve(
        [(0.0, 0.0, "low"), (1.0, 1.0, "high")], name="n", title="t", x_axis="x", y_axis="y", diagonal=True
    )
    low, high = f"{LEFT:.1f},{HEIGHT - BOTTOM:.1f}", f"{WIDTH - RIGHT:.1f},{TOP:.1f}"
    assert drawn.line == f"{low} {high}"
    assert drawn.reference == f"{LEFT},{HEIGHT - BOTTOM} {WIDTH - RIGHT},{TOP}"
    assert [tick.text for tick in drawn.y_ticks] == ["0", "25", "50", "75", "100"]
    assert [dot.text for dot in drawn.dots] == ["low", "high"]


def test_whole_numbers_on_the_axis_and_no_dots() -> None:
    drawn = curve(
        [(8000, 0.1, "")],
        name="n",
        title="t",
        x_axis="x",
        y_axis="y",
        x_range=(0, 8000),
        x_whole=True,
        dots=False,
    )
    assert [tick.text for tick in drawn.x_ticks] == ["0", "2,000", "4,000", "6,000", "8,000"]
    assert drawn.dots == []


def test_an_empty_range_and_no_points_divide_by_nothing() -> None:
    assert curve([], name="n", title="t", x_axis="x", y_axis="y") is None
    drawn = curve([(0, 0.5, "")], name="n", title="t", x_axis="x", y_axis="y", x_range=(0, 0))
    assert drawn.line.startswith(f"{LEFT:.1f},")
