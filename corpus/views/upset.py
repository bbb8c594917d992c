"""An UpSet plot: the parts of overlapping sets as bars, and below each the sets that it lies in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT_OF_BARS, ROW, COLUMN = 800, 200, 28, 40
LEFT, TOP = 264, 48
NAME_CHARACTERS = 22
# What the width holds; the table beneath has all of them.
PARTS_AT_MOST = (WIDTH - LEFT) // COLUMN


@dataclass(frozen=True, slots=True)
class Part:
    """A bar over the dots of the sets that it lies in; `low` and `high` end the line between the dots."""

    x: float
    y: float
    height: float
    count: int
    names: str
    dots: list[tuple[float, bool]]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SetRow:
    name: str
    shown: str
    size: int
    y: float


@dataclass(frozen=True, slots=True)
class UpSet:
    parts: list[Part]
    rows: list[SetRow]
    left_out: int
    height: int
    width: int = WIDTH
    left: int = LEFT
    base: int = TOP + HEIGHT_OF_BARS
    bar_width: int = COLUMN - 16


def upset(sets: Sequence[tuple[str, int]], parts: Sequence[tuple[frozenset[int], int]]) -> UpSet | None:
    """Lay out `sets` (name, size) and `parts` (the indices of the sets it lies in, size), greatest first.

    None when there is nothing to draw.
    """
    if not parts:
        return None
    base = TOP + HEIGHT_OF_BARS
    heights = [base + 24 + ROW * number for number in range(len(sets))]
    greatest = max(size for _, size in parts)
    drawn = []
    for number, (members, size) in enumerate(parts[:PARTS_AT_MOST]):
        height = round(HEIGHT_OF_BARS * size / greatest, 1)
        inside = [heights[index] for index in sorted(members)]
        drawn.append(
            Part(
                x=LEFT + COLUMN * (number + 0.5),
                y=round(base - height, 1),
                height=height,
                count=size,
                names=" and ".join(sets[index][0] for index in sorted(members)),
                dots=[(y, index in members) for index, y in enumerate(heights)],
                low=inside[0],
                high=inside[-1],
            )
        )
    rows = [SetRow(name, _shortened(name), size, y) for (name, size), y in zip(sets, heights, strict=True)]
    return UpSet(
        parts=drawn,
        rows=rows,
        left_out=len(parts) - len(drawn),
        height=base + 24 + ROW * len(sets),
    )


def _shortened(name: str) -> str:
    return name if len(name) <= NAME_CHARACTERS else f"{name[: NAME_CHARACTERS - 1]}…"
