"""A histogram of whole numbers, laid out for an SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paragold.charts import round_step

WIDTH, HEIGHT = 800, 280
LEFT, RIGHT, TOP, BOTTOM = 64, 8, 36, 48
BARS_AT_MOST = 40
LABELS_AT_MOST = 14


@dataclass(frozen=True, slots=True)
class Bar:
    """The values from `low` to `high`, both included, and where the bar stands (in SVG units)."""

    low: int
    high: int
    count: int
    x: float
    y: float
    width: float
    height: float
    labelled: bool

    @property
    def label(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"

    @property
    def centre(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Tick:
    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Histogram:
    bars: list[Bar]
    ticks: list[Tick]
    total: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def histogram(counts: Mapping[int, int]) -> Histogram | None:
    """Lay out `counts` (value -> how often) from the least to the greatest value; None without any.

    Values share a bar where there would be more than BARS_AT_MOST.
    """
    if not counts:
        return None
    least, greatest = min(counts), max(counts)
    span = -(-(greatest - least + 1) // BARS_AT_MOST)
    lows = range(least, greatest + 1, span)
    sums = [sum(counts.get(value, 0) for value in range(low, low + span)) for low in lows]
    step = max(1, round(round_step(max(sums))))
    top = -(-max(sums) // step) * step
    scale = (HEIGHT - TOP - BOTTOM) / top
    pitch = (WIDTH - LEFT - RIGHT) / len(sums)
    every = -(-len(sums) // LABELS_AT_MOST)
    bars = [
        Bar(
            low=low,
            high=min(low + span - 1, greatest),
            count=count,
            x=round(LEFT + pitch * (index + 0.1), 1),
            y=round(HEIGHT - BOTTOM - count * scale, 1),
            width=round(pitch * 0.8, 1),
            height=round(count * scale, 1),
            labelled=index % every == 0,
        )
        for index, (low, count) in enumerate(zip(lows, sums, strict=True))
    ]
    ticks = [Tick(value, round(HEIGHT - BOTTOM - value * scale, 1)) for value in range(0, top + 1, step)]
    return Histogram(bars=bars, ticks=ticks, total=sum(sums))
