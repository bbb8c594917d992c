"""Lines over numbers, laid out for an SVG: log-likelihood by iteration, error rate by gold pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 800, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 36, 48
STEPS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """A value at its place, in SVG units, with the words for it."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Series:
    """A line; `band` are the coordinates of its interval's outline, "" where it has none."""

    name: str
    points: list[Point]
    band: str

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)


@dataclass(frozen=True, slots=True)
class Tick:
    label: str
    place: float


@dataclass(frozen=True, slots=True)
class LinePlot:
    series: list[Series]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be plotted, and the ends of its interval where there is one."""

    x: float
    y: float
    interval: tuple[float, float] | None = None


def line_plot(
    lines: Sequence[tuple[str, Sequence[Value]]],
    *,
    x_ticks: Sequence[float],
    describe: Callable[[str, Value], str],
    place: Callable[[float], float] = float,
) -> LinePlot | None:
    """Lay out named lines; None where there is no value.

    `x_ticks` are the numbers named below the axis, `describe` gives the words for a point, `place` bends the
    axis (the logarithm, for one).
    """
    values = [value for _, line in lines for value in line]
    if not values:
        return None
    ends = [end for value in values for end in (value.y, *(value.interval or ()))]
    step = round_step(max(ends) - min(ends) or abs(max(ends)) or 1.0)
    bottom, top = step * math.floor(min(ends) / step), step * math.ceil(max(ends) / step)
    top = top if top > bottom else bottom + step
    first, last = (place(end(value.x for value in values)) for end in (min, max))
    across = (WIDTH - LEFT - RIGHT - 32) / ((last - first) or 1)
    up = (HEIGHT - TOP - BOTTOM) / (top - bottom)

    def x(value: float) -> float:
        return round(LEFT + 16 + (place(value) - first) * across, 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (value - bottom) * up, 1)

    series = [
        Series(
            name,
            [Point(x(value.x), y(value.y), describe(name, value)) for value in line],
            _outline([(x(one.x), y(one.interval[0]), y(one.interval[1])) for one in line if one.interval]),
        )
        for name, line in lines
    ]
    count = round((top - bottom) / step)
    decimals = max(0, -math.floor(math.log10(step)))
    y_ticks = [Tick(f"{bottom + step * n:.{decimals}f}", y(bottom + step * n)) for n in range(count + 1)]
    return LinePlot(series, [Tick(f"{tick:g}", x(tick)) for tick in x_ticks], y_ticks)


def round_step(span: float) -> float:
    """A round distance (1, 2 or 5 times a power of ten) of which STEPS or fewer cover `span` > 0."""
    power = 10.0 ** math.floor(math.log10(span / STEPS))
    return next(factor * power for factor in (1, 2, 5, 10) if span <= STEPS * factor * power * (1 + 1e-9))


def _outline(ends: Sequence[tuple[float, float, float]]) -> str:
    if len(ends) < 2:
        return ""
    there = [f"{x},{high}" for x, low, high in ends]
    back = [f"{x},{low}" for x, low, high in reversed(ends)]
    return " ".join(there + back)
