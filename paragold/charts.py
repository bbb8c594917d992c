"""Charts as plain data in SVG units, which templates draw: lines, dots, bars, and values with intervals."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

WIDTH, HEIGHT, BARS_HEIGHT = 800, 300, 220
CURVE_SIZE = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 36, 48
"""The margins around the frame of the axes."""
STEPS = 5
TITLE_LETTER, TITLE_LINE, FILE_MARGIN = 9, 22, 16
"""SVG units: a letter of a file's title across, from line to line, and around a file."""
TICK_APART = 40
MAX_LABELS = 8
ROW_HEIGHT, LONGEST_ROW_NAME, ROW_LETTER, ROW_WORDS = 28, 44, 7, 176
"""Charts with a row for each value: the height of a row, and the room for its name and its value in words."""
INTERVAL_STEP = 0.25
"""Distance of the ticks of coefficients, which end at 1."""

Number = Callable[[float], str]
"""Writes a number of an axis."""


Mark = dict[str, Any]
"""What is drawn at one place, in SVG units, by the names that the template `figures/_marks.svg` reads."""
Point = tuple[float, float]


def dot(x: float, y: float, label: str = "", *, radius: float = 4, style: str = "") -> Mark:
    """A point with the words for it; `style` is "" or "best"."""
    return {"x": x, "y": y, "label": label, "radius": radius, "style": style}


def stroke(points: Sequence[Point], style: str = "") -> Mark:
    """A line through points; `style` is "", "second", "grid" or "best"."""
    return {"points": _coordinates(points), "style": style}


def tick(label: str, at: float) -> Mark:
    """A number of an axis."""
    return {"label": label, "at": at}


def words(x: float, y: float, text: str, full: str = "", *, anchor: str = "start") -> Mark:
    """Text in a chart, and all of it where `text` had to be shortened."""
    return {"x": x, "y": y, "text": text, "full": full, "anchor": anchor}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The words of a chart, its size, the edges of the frame of its axes, and its marks of any kind.

    `name` is an id, `title` what people read; the words of the axes have their units. `bands` are the
    coordinates of polygons. `row_marks`, with `ticks` of an axis in percent, are what a table draws row by
    row. Pages show the chart with a `caption`, and below it the table of its data, `head` and `rows`; the
    first `text_columns` of its columns hold words, the others numbers.
    """

    name: str = ""
    title: str = ""
    x_axis: str = ""
    y_axis: str = ""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM
    y_ticks: Sequence[Mark] = ()
    x_ticks: Sequence[Mark] = ()
    bands: Sequence[str] = ()
    strokes: Sequence[Mark] = ()
    dots: Sequence[Mark] = ()
    bars: Sequence[Mark] = ()
    words: Sequence[Mark] = ()
    row_marks: Sequence[Mark] = ()
    ticks: Sequence[Mark] = ()
    caption: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    text_columns: int = 0
    marks_template: str = "figures/_marks.svg"

    @property
    def title_lines(self) -> list[tuple[int, str]]:
        """The title above the chart of a file, broken to its width: the height of each line, its text."""
        lines = textwrap.wrap(self.title, max(20, self.width // TITLE_LETTER)) or [""]
        return [(TITLE_LINE * (n + 1), line) for n, line in enumerate(lines)]

    @property
    def title_height(self) -> int:
        return TITLE_LINE * len(self.title_lines) + 12

    @property
    def file_box(self) -> str:
        """The viewBox of a file, with a margin around chart and title."""
        return f"{-FILE_MARGIN} {-FILE_MARGIN} {self.file_width} {self.file_height}"

    @property
    def file_width(self) -> int:
        return self.width + 2 * FILE_MARGIN

    @property
    def file_height(self) -> int:
        return self.height + self.title_height + 2 * FILE_MARGIN


def round_step(span: float) -> float:
    """A round distance (1, 2 or 5 times a power of ten) of which STEPS or fewer cover `span` >= 0."""
    power = 10.0 ** math.floor(math.log10((span or 1) / STEPS))
    return next(factor * power for factor in (1, 2, 5, 10) if span <= STEPS * factor * power * (1 + 1e-9))


def round_range(ends: Sequence[float]) -> tuple[float, float, list[tuple[float, str]]]:
    """The range of an axis that reaches over all ends by round steps, and its numbers, each with its text."""
    step = round_step(max(ends) - min(ends) or abs(max(ends)) or 1.0)
    low, high = step * math.floor(min(ends) / step), step * math.ceil(max(ends) / step)
    high = high if high > low else low + step
    decimals = max(0, -math.floor(math.log10(step)))
    numbers = [low + step * n for n in range(round((high - low) / step) + 1)]
    return low, high, [(number, f"{number:.{decimals}f}") for number in numbers]


def _place(
    low: float, high: float, first: float, last: float, *, digits: int = 1
) -> Callable[[float], float]:
    """Where a value lies: `low` at the coordinate `first`, `high` at `last`."""
    scale = (last - first) / ((high - low) or 1)
    return lambda value: round(float(first + (value - low) * scale), digits)


def _band(ends: Sequence[tuple[float, float, float]]) -> str:
    """The outline of intervals (x, low, high): along the upper ends, and back along the lower ones."""
    return _coordinates([(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in reversed(ends)])


def _shortened(name: str, maximum: int) -> str:
    return name if len(name) <= maximum else f"{name[: maximum - 1]}…"


def _coordinates(points: Sequence[tuple[float, float]]) -> str:
    """The attribute `points` of a polyline or polygon."""
    return " ".join(f"{x},{y}" for x, y in points)


# Lines with bands, the range of both axes taken from the values.


Value = tuple[float, float, tuple[float, float] | None]
"""A value to be plotted, x and y, and the ends of its interval where there is one."""


def line_chart(
    lines: Sequence[tuple[str, Sequence[Value]]],
    *,
    x_ticks: Sequence[float],
    describe: Callable[[str, Value], str],
    place: Callable[[float], float] = float,
    **about: Any,
) -> Chart | None:
    """Lay out named lines; None where there is no value.

    Parameters
    ----------
    lines : sequence of (name, values)
    x_ticks : sequence of float
        The numbers to name below the axis, as far as there is room.
    describe : callable
        Gives the words for a value of the line of that name.
    place : callable
        Bends the horizontal axis: the logarithm, for one.
    about
        The words of the Chart: `name`, `title`, `x_axis`, `y_axis`.
    """
    values = [value for _, line in lines for value in line]
    if not values:
        return None
    ends = [end for _, height, interval in values for end in (height, *(interval or ()))]
    bottom, top, numbers = round_range(ends)
    first, last = (place(end(across for across, _, _ in values)) for end in (min, max))
    across = _place(first, last, LEFT + 16, WIDTH - RIGHT - 16)
    y = _place(bottom, top, HEIGHT - BOTTOM, TOP)

    def x(value: float) -> float:
        return across(place(value))

    strokes, dots, bands = [], [], []
    for number, (label, line) in enumerate(lines):
        style = "second" if number else ""
        points = [(x(value[0]), y(value[1])) for value in line]
        strokes.append(stroke(points, style))
        dots += [
            dot(*point, describe(label, value), radius=3) for point, value in zip(points, line, strict=True)
        ]
        intervals = [(x(across), y(ends[0]), y(ends[1])) for across, _, ends in line if ends]
        if len(intervals) > 1:
            bands.append(_band(intervals))
    return Chart(
        y_ticks=[tick(text, y(number)) for number, text in numbers],
        x_ticks=_with_room([tick(f"{number:g}", x(number)) for number in sorted(x_ticks)]),
        bands=bands,
        strokes=strokes,
        dots=dots,
        **about,
    )


def _with_room(ticks: Sequence[Mark]) -> list[Mark]:
    """The ticks that do not run into one another; the first and the last stay."""
    shown = list(ticks[:1])
    for mark in ticks[1:-1]:
        if min(mark["at"] - shown[-1]["at"], ticks[-1]["at"] - mark["at"]) >= TICK_APART:
            shown.append(mark)
    return [*shown, *(ticks[-1:] if len(ticks) > 1 else ())]


# Shares from point to point.


def curve(
    points: Sequence[tuple[float, float, str]],
    *,
    x_range: tuple[float, float] = (0.0, 1.0),
    y_range: tuple[float, float] = (0.0, 1.0),
    x_whole: bool = False,
    dots: bool = True,
    diagonal: bool = False,
    **about: Any,
) -> Chart | None:
    """Lay out (x, y, what a dot says) in their order; None without a point.

    Axes reach over the ranges given and show percent; `x_whole` shows whole numbers instead. `diagonal` adds
    the line from corner to corner, for what should be equal. about: as of `interval_chart`.
    """
    if not points:
        return None
    width, height = CURVE_SIZE
    right, base = width - RIGHT, height - BOTTOM
    x, y = _place(*x_range, LEFT, right), _place(*y_range, base, TOP)

    def ticks(low: float, high: float, place: Callable[[float], float], number: Number) -> list[Mark]:
        step = round_step(high - low)
        steps = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return [tick(number(step * n), place(step * n)) for n in steps]

    def percent(share: float) -> str:
        return f"{100 * share:.0f}"

    corners = [(x(end), y(other)) for end, other in zip(x_range, y_range, strict=True)]
    places = [(x(value), y(share)) for value, share, _ in points]
    return Chart(
        x_ticks=ticks(*x_range, x, "{:,.0f}".format if x_whole else percent),
        y_ticks=ticks(*y_range, y, percent),
        strokes=[*([stroke(corners, "grid")] if diagonal else []), stroke(places)],
        dots=[dot(*place, text) for place, (*_, text) in zip(places, points, strict=True)] if dots else (),
        width=width,
        height=height,
        right=right,
        base=base,
        **about,
    )


# Values with intervals in an order, such as coefficients over time.


def interval_chart(estimates: Sequence[tuple[str, Mapping[str, Any]]], **about: Any) -> Chart | None:
    """Lay out coefficients, which are 1 at most, in this order; None when none has a value.

    estimates: a label, and a row with the `value` and the ends of its interval, `low` and `high`, None where
    they are undefined. about: the words of the Chart: `name`, `title`, `x_axis`, `y_axis`.

    The axis reaches from 1 down to 0, or as far below as a value or an interval goes, at most to -1. Lines
    and bands are broken where there is no value; the band of a single value is a bar.
    """
    values = [row[name] for _, row in estimates for name in ("value", "low") if row[name] is not None]
    if not values:
        return None
    steps_down = min(4, max(0, -int(min(values) // INTERVAL_STEP)))
    bottom = -INTERVAL_STEP * steps_down
    every = -(-len(estimates) // MAX_LABELS)
    x = _place(-0.5, len(estimates) - 0.5, LEFT, WIDTH - RIGHT)
    down = _place(1, bottom, TOP, HEIGHT - BOTTOM)

    def y(value: float) -> float:
        return down(max(value, bottom))

    heights = [None if row["value"] is None else y(row["value"]) for _, row in estimates]
    intervals = [None if row["low"] is None else (y(row["low"]), y(row["high"])) for _, row in estimates]
    bands = []
    for run in _unbroken(intervals):
        sides = (-6, 6) if len(run) == 1 else (0,)
        bands.append(_band([(x(place) + side, *ends) for place, ends in run for side in sides]))
    numbers = [bottom + INTERVAL_STEP * number for number in range(steps_down + 5)]
    return Chart(
        y_ticks=[tick(f"{number:.2f}", y(number)) for number in numbers],
        x_ticks=[tick(label, x(place)) for place, (label, _) in enumerate(estimates) if place % every == 0],
        bands=bands,
        strokes=[stroke([(x(place), height) for place, height in run]) for run in _unbroken(heights)],
        dots=[
            dot(x(place), height, f"{estimates[place][0]}: {estimates[place][1]['value']:.3f}")
            for run in _unbroken(heights)
            for place, height in run
        ],
        **about,
    )


Item = TypeVar("Item")


def _unbroken(items: Sequence[Item | None]) -> list[list[tuple[int, Item]]]:
    """The stretches of items without None, each item with its place among all."""
    runs = groupby(enumerate(items), key=lambda item: item[1] is not None)
    return [[(place, item) for place, item in run if item is not None] for given, run in runs if given]


# Bars.


def bar_chart(counts: Sequence[tuple[str, int]], **about: Any) -> Chart | None:
    """Lay out labelled counts as bars in this order; None without any. about: as of `interval_chart`."""
    if not counts:
        return None
    highest = max(count for _, count in counts)
    step = max(1, round(round_step(highest)))
    top = step * max(1, -(-highest // step))
    base = BARS_HEIGHT - BOTTOM
    y = _place(0, top, base, TOP)
    pitch = (WIDTH - LEFT - RIGHT) / max(len(counts), 12)
    every = -(-len(counts) // MAX_LABELS)
    bars: list[Mark] = [
        {
            "label": label,
            "count": count,
            "x": round(LEFT + pitch * (place + 0.15), 1),
            "y": y(count),
            "width": round(pitch * 0.7, 1),
            "height": round(count * (base - TOP) / top, 1),
        }
        for place, (label, count) in enumerate(counts)
    ]
    return Chart(
        bars=bars,
        y_ticks=[tick(f"{n:,}", y(n)) for n in range(0, top + 1, step)],
        x_ticks=[tick(bar["label"], round(bar["x"] + bar["width"] / 2, 1)) for bar in bars[::every]],
        height=BARS_HEIGHT,
        base=base,
        **about,
    )


# Values with intervals on one axis, a row each: what a table draws beside its figures.


def ranked_chart(
    rows: Sequence[tuple[str, float, tuple[float, float] | None, bool]], *, digits: int = 2, **about: Any
) -> Chart | None:
    """Lay out (name, value, interval, whether it is the best) in this order; None without any.

    The axis reaches over the values and their intervals; `digits` are those of the words. A row has its
    `name`, its value and interval in `words`, where they lie (`at`, `ends`), in percent of the axis, and
    whether it is the `best`. about: the words of the Chart: `name`, `title`, `x_axis`.
    """
    if not rows:
        return None
    low, high, numbers = round_range([end for _, value, ends, _ in rows for end in (value, *(ends or ()))])
    longest = min(LONGEST_ROW_NAME, max(len(label) for label, *_ in rows))
    left, right, base = longest * ROW_LETTER + 16, WIDTH - ROW_WORDS, TOP + ROW_HEIGHT * len(rows)
    at, x = _place(low, high, 0, 100, digits=2), _place(0, 100, left, right)

    def text(value: float, ends: tuple[float, float] | None) -> str:
        interval = f" ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})" if ends else ""
        return f"{value:.{digits}f}{interval}"

    ticks = [tick(text, at(number)) for number, text in numbers]
    strokes = [stroke([(x(mark["at"]), TOP), (x(mark["at"]), base)], "grid") for mark in ticks]
    ranked, dots, names, figures = [], [], [], []
    for number, (label, value, ends, best) in enumerate(rows):
        y, style = TOP + ROW_HEIGHT * (number + 0.5), "best" if best else ""
        place, reached = at(value), (at(ends[0]), at(ends[1])) if ends else None
        said = text(value, ends)
        ranked.append({"name": label, "words": said, "at": place, "ends": reached, "best": best})
        if reached:
            strokes.append(stroke([(x(end), y) for end in reached], style))
        dots.append(dot(x(place), y, f"{label}: {said}", radius=5, style=style))
        names.append(words(0, y + 4, _shortened(label, LONGEST_ROW_NAME), label))
        figures.append(words(right + 12, y + 4, said))
    return Chart(
        row_marks=ranked,
        ticks=ticks,
        x_ticks=[tick(mark["label"], x(mark["at"])) for mark in ticks],
        strokes=strokes,
        dots=dots,
        words=[*names, *figures],
        left=left,
        right=right,
        base=base,
        height=base + BOTTOM,
        **about,
    )
