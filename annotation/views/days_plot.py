"""Answers a day as bars, laid out for an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 800, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 32, 40
LABELS_AT_MOST = 8
DAYS_AT_MOST = 60
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """One day, in SVG units."""

    day: str
    answers: int
    x: float
    y: float
    width: float
    height: float
    labelled: bool

    @property
    def centre(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Tick:
    value: int
    y: float


@dataclass(frozen=True, slots=True)
class DaysPlot:
    bars: list[Bar]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def days_plot(days: Sequence[tuple[date, int]]) -> DaysPlot | None:
    """The bars of the calendar days from the first to the last, of the 60 latest; None before the first.

    Days without an answer keep their place, so that a pause is seen.
    """
    if not days:
        return None
    counts = {day.toordinal(): answers for day, answers in days}
    last = max(counts)
    first = max(min(counts), last - DAYS_AT_MOST + 1)
    shown = range(first, last + 1)
    step = _step(max(counts.get(day, 0) for day in shown))
    top = step * max(1, -(-max(counts.get(day, 0) for day in shown) // step))
    scale = (HEIGHT - TOP - BOTTOM) / top
    pitch = (WIDTH - LEFT - RIGHT) / max(len(shown), 12)
    every = -(-len(shown) // LABELS_AT_MOST)
    bars = [
        Bar(
            day=date.fromordinal(day).isoformat(),
            answers=counts.get(day, 0),
            x=round(LEFT + pitch * (place + 0.15), 1),
            y=round(HEIGHT - BOTTOM - counts.get(day, 0) * scale, 1),
            width=round(pitch * 0.7, 1),
            height=round(counts.get(day, 0) * scale, 1),
            labelled=place % every == 0,
        )
        for place, day in enumerate(shown)
    ]
    ticks = [Tick(value, round(HEIGHT - BOTTOM - value * scale, 1)) for value in range(0, top + 1, step)]
    return DaysPlot(bars, ticks)


def _step(highest: int) -> int:
    """The distance of ticks: 1, 2 or 5 times a power of ten, five ticks at most."""
    power = 1
    while True:
        for step in STEPS:
            if highest <= 5 * step * power:
                return step * power
        power *= 10
