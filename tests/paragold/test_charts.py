import pytest

from paragold.charts import bar_chart, curve, interval_chart, line_chart, ranked_chart
from paragold.metrics.label_agreement import estimate


def test_points_lie_where_their_numbers_are():
    plot = line_chart(
        [("a", [(1, -10, None), (2, -5, None), (3, 0, None)]), ("b", [(1, -7.5, None)])],
        x_ticks=[1, 3],
        describe=lambda name, value: f"{name} {value[1]:g}",
    )
    assert [tick["label"] for tick in plot.y_ticks] == ["-10", "-8", "-6", "-4", "-2", "0"]
    first, second, third, of_b = plot.dots
    assert second["x"] == pytest.approx((first["x"] + third["x"]) / 2, abs=0.1)
    assert second["y"] == pytest.approx((first["y"] + third["y"]) / 2, abs=0.1)
    assert first["y"] == plot.y_ticks[0]["at"] == plot.base
    assert [tick["at"] for tick in plot.x_ticks] == [first["x"], third["x"]]
    assert of_b["label"] == "b -7.5"
    assert plot.strokes[0]["points"].split()[0] == f"{first['x']},{first['y']}"


def test_ends_of_the_axes_are_ends_of_the_frame():
    result = curve(
        [(0, 0, "no"), (5, 0.5, "half"), (10, 1, "all")], x_range=(0, 10), x_whole=True, diagonal=True
    )
    diagonal, line = result.strokes
    places = [tuple(map(float, point.split(","))) for point in line["points"].split()]
    assert places == [(dot["x"], dot["y"]) for dot in result.dots]
    assert [places[0], places[-1]] == [(result.left, result.base), (result.right, result.top)]
    assert places[1] == ((result.left + result.right) / 2, (result.top + result.base) / 2)
    ends = [tuple(map(float, point.split(","))) for point in diagonal["points"].split()]
    assert ends == [places[0], places[-1]] and diagonal["style"] == "grid"
    assert [tick["label"] for tick in result.y_ticks] == ["0", "20", "40", "60", "80", "100"]
    assert [tick["label"] for tick in result.x_ticks] == ["0", "2", "4", "6", "8", "10"]


@pytest.mark.parametrize(
    "chart",
    [
        line_chart([("a", [(1, 1, (0, 2)), (2, 2, (1, 3))])], x_ticks=[1], describe=lambda *_: ""),
        curve([(0, 0, "none"), (0.5, 0.5, "half")]),
        interval_chart([("1", estimate(0.5, 5, low=0.2, high=0.8)), ("2", estimate(None, 5))]),
        bar_chart([("Monday", 10)]),
        ranked_chart([("a", 1.0, (0.5, 2.0), True)]),
    ],
)
def test_every_chart_has_marks_inside_its_size(chart):
    assert chart.dots or chart.bars
    places = [(dot["x"], dot["y"]) for dot in chart.dots] + [(bar["x"], bar["y"]) for bar in chart.bars]
    assert all(0 <= x <= chart.width and 0 <= y <= chart.height for x, y in places)
    assert chart.file_height > chart.height
    long = bar_chart([("a", 1)], title="word " * 60)
    assert len(long.title_lines) > 1 and long.title_height > long.title_lines[-1][0]
