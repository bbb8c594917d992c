"""Lines and points over two axes, laid out for an SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEFT, RIGHT, TOP, BOTTOM = 56, 24, 32, 48
STEPS = 5
# Between the middles of two labels that stand one above the other.
LABEL_HEIGHT = 14


@dataclass(frozen=True, slots=True)
class Tick:
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Line:
    """`points` are coordinates of a polyline in SVG units; `style` is "", "second" or "third"."""

    label: str
    style: str
    points: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Plot:
    """`dots` are their coordinates; `reference` those of a line from corner to corner, or ""."""

    name: str
    title: str
    x_axis: str
    y_axis: str
    lines: list[Line]
    dots: list[tuple[float, float]]
    reference: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int
    height: int
    left: int
    right: int
    top: int
    base: int


def plot(
    *,
    name: str,
    title: str,
    x_axis: str,
    y_axis: str,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    tell: tuple[Callable[[float], str], Callable[[float], str]],
    lines: Sequence[tuple[str, str, Sequence[tuple[float, float]]]] = (),
    dots: Sequence[tuple[float, float]] = (),
    diagonal: bool = False,
    labels: int = 0,
    size: tuple[int, int] = (400, 300),
) -> Plot:
    """Lay out lines (label, style, points) and dots; `tell` writes the numbers of both axes.

    labels: SVG units to the right of the lines' ends that their labels need; 0 for none.
    """
    width, height = size
    right, base = width - RIGHT - labels, height - BOTTOM

    def across(value: float) -> float:
        return round(LEFT + (value - x_range[0]) / ((x_range[1] - x_range[0]) or 1) * (right - LEFT), 1)

    def up(value: float) -> float:
        return round(base - (value - y_range[0]) / ((y_range[1] - y_range[0]) or 1) * (base - TOP), 1)

    def ticks(
        low: float, high: float, place: Callable[[float], float], text: Callable[[float], str]
    ) -> list[Tick]:
        step = round_step(high - low)
        numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return [Tick(text(step * number), place(step * number)) for number in numbers]

    ends = apart([up(points[-1][1]) for _, _, points in lines])
    return Plot(
        name=name,
        title=title,
        x_axis=x_axis,
        y_axis=y_axis,
        lines=[
            Line(
                label if labels else "",
                style,
                " ".join(f"{across(x)},{up(y)}" for x, y in points),
                across(points[-1][0]) + 8,
                end + 4,
            )
            for (label, style, points), end in zip(lines, ends, strict=True)
        ],
        dots=[(across(x), up(y)) for x, y in dots],
        reference=f"{across(x_range[0])},{up(y_range[0])} {across(x_range[1])},{up(y_range[1])}"
        if diagonal
        else "",
        x_ticks=ticks(*x_range, across, tell[0]),
        y_ticks=ticks(*y_range, up, tell[1]),
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=TOP,
        base=base,
    )


def apart(places: Sequence[float]) -> list[float]:
    """The places, moved so that no two are closer than a label's height, each near where it was."""
    order = sorted(range(len(places)), key=lambda one: places[one])
    moved = [places[one] for one in order]
    for _ in range(len(places) ** 2):
        close = [n for n, (low, high) in enumerate(pairwise(moved)) if high - low < LABEL_HEIGHT - 0.01]
        if not close:
            break
        for n in close:
            lack = (LABEL_HEIGHT - (moved[n + 1] - moved[n])) / 2
            moved[n] -= lack
            moved[n + 1] += lack
    found = list(places)
    for one, place in zip(order, moved, strict=True):
        found[one] = round(place, 1)
    return found


def round_step(span: float) -> float:
    """A round distance (1, 2 or 5 times a power of ten) of which STEPS or fewer cover `span` >= 0."""
    power = 10.0 ** math.floor(math.log10((span or 1) / STEPS))
    return next(n * power for n in (1, 2, 5, 10) if span <= STEPS * n * power * (1 + 1e-9))


def percent(value: float) -> str:
    return f"{100 * value:.0f}"
