"""Agreement over time with its intervals, laid out for an SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from paragold.agreement.estimates import Estimate

WIDTH, HEIGHT = 800, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 36, 48
LABELS_AT_MOST = 10
STEP = 0.25


@dataclass(frozen=True, slots=True)
class Point:
    """One period; `y`, `low` and `high` are SVG units, None where there is no value or no interval."""

    label: str
    estimate: Estimate
    x: float
    y: float | None
    low: float | None
    high: float | None
    labelled: bool


@dataclass(frozen=True, slots=True)
class Tick:
    value: float
    y: float


@dataclass(frozen=True, slots=True)
class Plot:
    """`lines` and `bands` are the coordinates of polylines and polygons, broken where there is no value."""

    points: list[Point]
    lines: list[str]
    bands: list[str]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def plot(estimates: Sequence[tuple[str, Estimate]]) -> Plot | None:
    """Lay out coefficients in the order of time; None when none has a value.

    The axis reaches from 1 down to 0, or as far below as a value or an interval goes, at most to -1.
    """
    values = [value for _, found in estimates for value in (found.value, found.low) if value is not None]
    if not values:
        return None
    steps_down = min(4, max(0, -int(min(values) // STEP)))
    bottom = -STEP * steps_down
    scale = (HEIGHT - TOP - BOTTOM) / (1 - bottom)
    pitch = (WIDTH - LEFT - RIGHT) / len(estimates)
    every = -(-len(estimates) // LABELS_AT_MOST)

    def height(value: float | None) -> float | None:
        return None if value is None else round(TOP + (1 - max(value, bottom)) * scale, 1)

    points = [
        Point(
            label=label,
            estimate=found,
            x=round(LEFT + pitch * (index + 0.5), 1),
            y=height(found.value),
            low=height(found.low),
            high=height(found.high),
            labelled=index % every == 0,
        )
        for index, (label, found) in enumerate(estimates)
    ]
    lines = [
        " ".join(f"{point.x},{point.y}" for point in run)
        for drawn, run in _runs(points, lambda point: point.y is not None)
        if drawn
    ]
    bands = [
        " ".join(f"{x},{y}" for x, y in _outline(run))
        for drawn, run in _runs(points, lambda point: point.low is not None)
        if drawn
    ]
    ticks = [
        Tick(bottom + STEP * number, height(bottom + STEP * number) or 0.0)
        for number in range(steps_down + 5)
    ]
    return Plot(points=points, lines=lines, bands=bands, ticks=ticks)


def _runs(points: Sequence[Point], drawn: Callable[[Point], bool]) -> list[tuple[bool, list[Point]]]:
    return [(has, list(run)) for has, run in groupby(points, key=drawn)]


def _outline(run: Sequence[Point]) -> list[tuple[float, float | None]]:
    """The band's upper edge from left to right, and its lower edge back; a single period is a bar."""
    sides = (-6, 6) if len(run) == 1 else (0,)
    upper = [(point.x + side, point.high) for point in run for side in sides]
    lower = [(point.x + side, point.low) for point in run for side in sides]
    return upper + lower[::-1]
