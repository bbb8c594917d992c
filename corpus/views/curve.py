"""A line of shares in percent, with what each of its points says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paragold.charts import XYChart, xy_chart


@dataclass(frozen=True, slots=True)
class Curve:
    """`dots` are coordinates with their texts."""

    chart: XYChart
    dots: list[tuple[float, float, str]]


def curve(
    points: Sequence[tuple[float, float, str]],
    *,
    name: str,
    title: str,
    axes: tuple[str, str],
    x_range: tuple[float, float] = (0.0, 1.0),
    y_range: tuple[float, float] = (0.0, 1.0),
    x_whole: bool = False,
    dots: bool = True,
    diagonal: bool = False,
) -> Curve | None:
    """Lay out (x, y, what a dot says) in their order; None without a point.

    Axes reach over the ranges given and show percent; `x_whole` shows whole numbers instead. `diagonal` adds
    the line from corner to corner, for what should be equal.
    """
    if not points:
        return None
    places = [(x, y) for x, y, _ in points]
    chart = xy_chart(
        name=name,
        title=title,
        axes=axes,
        ranges=(x_range, y_range),
        numbers=("{:,.0f}".format if x_whole else percent, percent),
        lines=[("", "", places)],
        dots=places if dots else (),
        diagonal=diagonal,
        size=(640, 320),
    )
    return Curve(chart, [(x, y, text) for (x, y), (_, _, text) in zip(chart.dots, points, strict=False)])


def percent(share: float) -> str:
    return f"{100 * share:.0f}"
