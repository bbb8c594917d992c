"""A line over two axes, laid out for an SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 32, 48
STEPS = 4


@dataclass(frozen=True, slots=True)
class Tick:
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`line` and `reference` are coordinates of polylines in SVG units; `name` serves ids and captions."""

    name: str
    title: str
    x_axis: str
    y_axis: str
    line: str
    reference: str
    dots: list[Dot]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM


def curve(
    points: Sequence[tuple[float, float, str]],
    *,
    name: str,
    title: str,
    x_axis: str,
    y_axis: str,
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
    base, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def across(value: float) -> float:
        return round(LEFT + (value - x_range[0]) / ((x_range[1] - x_range[0]) or 1) * (right - LEFT), 1)

    def up(value: float) -> float:
        return round(base - (value - y_range[0]) / ((y_range[1] - y_range[0]) or 1) * (base - TOP), 1)

    def ticks(low: float, high: float, place: Callable[[float], float], whole: bool) -> list[Tick]:
        values = [low + (high - low) * step / STEPS for step in range(STEPS + 1)]
        return [Tick(f"{value:,.0f}" if whole else f"{100 * value:.0f}", place(value)) for value in values]

    return Curve(
        name=name,
        title=title,
        x_axis=x_axis,
        y_axis=y_axis,
        line=" ".join(f"{across(x)},{up(y)}" for x, y, _ in points),
        reference=f"{LEFT},{base} {right},{TOP}" if diagonal else "",
        dots=[Dot(across(x), up(y), text) for x, y, text in points] if dots else [],
        x_ticks=ticks(*x_range, across, x_whole),
        y_ticks=ticks(*y_range, up, False),
    )
