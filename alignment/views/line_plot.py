"""Lines over numbers, laid out for an SVG: log-likelihood by iteration, error rate by gold pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 800, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 36, 48
STEPS = 5
NAMES_WIDTH, LONGEST_NAME, NAME_HEIGHT = 190, 26, 15
"""Room for the names of several lines, at their ends: SVG units, letters, and units from name to name."""
TICK_APART = 40


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
    name_y: float = 0
    """Where its name stands beside the plot, no name over another."""

    @property
    def shown_name(self) -> str:
        return self.name if len(self.name) <= LONGEST_NAME else f"{self.name[: LONGEST_NAME - 1]}…"

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

    @property
    def names(self) -> int | None:
        """Where the names of the lines begin; None where they do not stand beside the plot."""
        return self.right + 12 if self.right < WIDTH - RIGHT else None


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
    named: bool = False,
) -> LinePlot | None:
    """Lay out named lines; None where there is no value.

    `x_ticks` are the numbers to name below the axis, as far as there is room; `describe` gives the words
    for a point, `place` bends the axis (the logarithm, for one). `named`: the names of several lines stand
    beside the plot, at their ends.
    """
    values = [value for _, line in lines for value in line]
    if not values:
        return None
    ends = [end for value in values for end in (value.y, *(value.interval or ()))]
    step = round_step(max(ends) - min(ends) or abs(max(ends)) or 1.0)
    bottom, top = step * math.floor(min(ends) / step), step * math.ceil(max(ends) / step)
    top = top if top > bottom else bottom + step
    first, last = (place(end(value.x for value in values)) for end in (min, max))
    right = WIDTH - NAMES_WIDTH if named and len(lines) > 1 else WIDTH - RIGHT
    across = (right - LEFT - 32) / ((last - first) or 1)
    up = (HEIGHT - TOP - BOTTOM) / (top - bottom)

    def x(value: float) -> float:
        return round(LEFT + 16 + (place(value) - first) * across, 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (value - bottom) * up, 1)

    ends_at = _apart([y(line[-1].y) if line else 0.0 for _, line in lines])
    series = [
        Series(
            name,
            [Point(x(value.x), y(value.y), describe(name, value)) for value in line],
            _outline([(x(one.x), y(one.interval[0]), y(one.interval[1])) for one in line if one.interval]),
            name_y,
        )
        for (name, line), name_y in zip(lines, ends_at, strict=True)
    ]
    count = round((top - bottom) / step)
    decimals = max(0, -math.floor(math.log10(step)))
    y_ticks = [Tick(f"{bottom + step * n:.{decimals}f}", y(bottom + step * n)) for n in range(count + 1)]
    shown = _with_room([Tick(f"{tick:g}", x(tick)) for tick in sorted(x_ticks)])
    return LinePlot(series, shown, y_ticks, right=right)


def _with_room(ticks: Sequence[Tick]) -> list[Tick]:
    """The ticks that do not run into one another; the first and the last stay."""
    shown = list(ticks[:1])
    for tick in ticks[1:-1]:
        if min(tick.place - shown[-1].place, ticks[-1].place - tick.place) >= TICK_APART:
            shown.append(tick)
    return [*shown, *(ticks[-1:] if len(ticks) > 1 else ())]


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights as near to these as can be, from TOP down, NAME_HEIGHT from one another, in the same order."""
    placed = [0.0] * len(heights)
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    lowest = HEIGHT - BOTTOM
    for number, n in enumerate(order):
        above = placed[order[number - 1]] + NAME_HEIGHT if number else float(TOP)
        placed[n] = max(heights[n], above)
    for number, n in reversed(list(enumerate(order))):
        below = placed[order[number + 1]] - NAME_HEIGHT if number + 1 < len(order) else float(lowest)
        placed[n] = round(min(placed[n], below), 1)
    return placed


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
