"""Charts as plain data in SVG units, which templates draw: lines, dots, bars, and values with intervals."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

WIDTH, HEIGHT, BARS_HEIGHT = 800, 300, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 36, 48
"""The margins around the frame of the axes."""
STEPS = 5
NAMES_WIDTH, LONGEST_NAME, NAME_HEIGHT = 190, 24, 15
"""Room for the names of several lines, at their ends: SVG units, letters, and units from name to name."""
TITLE_LETTER, TITLE_LINE, FILE_MARGIN = 9, 22, 16
"""SVG units: a letter of a file's title across, from line to line, and around a file."""
TICK_APART = 40
MAX_LABELS = 8
ROW_HEIGHT, LONGEST_ROW_NAME, ROW_LETTER, ROW_WORDS = 28, 44, 7, 176
"""Of charts with a row for each value: its height, and the room for its name and its value in words."""
INTERVAL_STEP = 0.25
"""Distance of the ticks of coefficients, which end at 1."""

Number = Callable[[float], str]
"""Writes a number of an axis."""


@dataclass(frozen=True, slots=True)
class Tick:
    label: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The words of a chart, its size, and the edges of the frame of its axes.

    `name` is an id, `title` what people read; the words of the axes have their units.
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


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with the words for it; `style` is "", "faint" or "best"."""

    x: float
    y: float
    label: str = ""
    radius: float = 4
    style: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """The coordinates of a polyline; `style` is "", "second", "third", "to-name", "grid" or "best"."""

    points: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Text in a chart, and all of it where `text` had to be shortened."""

    x: float
    y: float
    text: str
    full: str = ""
    anchor: str = "start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What one template draws of every kind of chart, in this order."""

    y_ticks: Sequence[Tick] = ()
    x_ticks: Sequence[Tick] = ()
    bands: Sequence[str] = ()
    strokes: Sequence[Stroke] = ()
    dots: Sequence[Dot] = ()
    bars: Sequence[Bar] = ()
    words: Sequence[Words] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """A cell of a figure's data that leads to what it counts."""

    text: object
    url: str

    def __str__(self) -> str:
        return str(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart as pages and SVG files show it: with a caption, and the table of its data below.

    `head` and `rows` are that table; the first `text_columns` of its columns hold words, the others numbers.
    """

    chart: Frame
    caption: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    text_columns: int = 0
    marks_template: str = "figures/_marks.svg"

    @property
    def title_lines(self) -> list[tuple[int, str]]:
        """The title above the chart of a file, broken to its width: the height of each line, its text."""
        lines = textwrap.wrap(self.chart.title, max(20, self.chart.width // TITLE_LETTER)) or [""]
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
        return self.chart.width + 2 * FILE_MARGIN

    @property
    def file_height(self) -> int:
        return self.chart.height + self.title_height + 2 * FILE_MARGIN


def round_step(span: float) -> float:
    """A round distance (1, 2 or 5 times a power of ten) of which STEPS or fewer cover `span` >= 0."""
    power = 10.0 ** math.floor(math.log10((span or 1) / STEPS))
    return next(factor * power for factor in (1, 2, 5, 10) if span <= STEPS * factor * power * (1 + 1e-9))


def spread(heights: Sequence[float], *, top: float, base: float, distance: float) -> list[float]:
    """Heights as near to these as can be, from `top` to `base`, `distance` apart, in the same order."""
    placed = [0.0] * len(heights)
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    for number, n in enumerate(order):
        above = placed[order[number - 1]] + distance if number else top
        placed[n] = max(heights[n], above)
    for number, n in reversed(list(enumerate(order))):
        below = placed[order[number + 1]] - distance if number + 1 < len(order) else base
        placed[n] = round(min(placed[n], below), 1)
    return placed


def _coordinates(points: Sequence[tuple[float, float]]) -> str:
    """The attribute `points` of a polyline or polygon."""
    return " ".join(f"{x},{y}" for x, y in points)


# Lines with bands, the range of both axes taken from the values.


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be plotted, and the ends of its interval where there is one."""

    x: float
    y: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A value at its place, with the words for it."""

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
    """The place of its name beside the frame, no name over another."""

    @property
    def shown_name(self) -> str:
        return self.name if len(self.name) <= LONGEST_NAME else f"{self.name[: LONGEST_NAME - 1]}…"

    @property
    def line(self) -> str:
        return _coordinates([(point.x, point.y) for point in self.points])


@dataclass(frozen=True, slots=True)
class LineChart(Frame):
    series: list[Series]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    marked: str = ""
    """The label of the points that are larger."""

    @property
    def marks(self) -> Marks:
        named, others = self.names, "" if self.names else "second"
        ends = [(one, one.points[-1]) for one in self.series if one.points and named]
        to_names = [[(end.x, end.y), (self.right, one.name_y), (named or 0, one.name_y)] for one, end in ends]
        return Marks(
            y_ticks=self.y_ticks,
            x_ticks=self.x_ticks,
            bands=[one.band for one in self.series if one.band],
            strokes=[
                *(Stroke(one.line, others if number else "") for number, one in enumerate(self.series)),
                *(Stroke(_coordinates(line), "to-name") for line in to_names),
            ],
            dots=[
                Dot(point.x, point.y, point.label, 7 if self.marked and point.label == self.marked else 3)
                for one in self.series
                for point in one.points
            ],
            words=[Words((named or 0) + 4, one.name_y + 4, one.shown_name, one.name) for one, _ in ends],
        )

    @property
    def names(self) -> int | None:
        """Where the names of the lines begin; None where they are not beside the frame."""
        return self.right + 12 if self.right < WIDTH - RIGHT else None


def line_chart(
    lines: Sequence[tuple[str, Sequence[Value]]],
    *,
    x_ticks: Sequence[float],
    describe: Callable[[str, Value], str],
    place: Callable[[float], float] = float,
    named: bool = False,
    name: str = "",
    title: str = "",
    axes: tuple[str, str] = ("", ""),
    marked: str = "",
) -> LineChart | None:
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
    named : bool
        Whether the names of several lines are beside the frame, at their ends.
    name, title, axes : str
        An id, what people read, and the words of the axes, the horizontal one first.
    marked : str
        The words of the points that are larger.
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
        return round(float(HEIGHT - BOTTOM - (value - bottom) * up), 1)

    names = spread(
        [y(line[-1].y) if line else 0.0 for _, line in lines],
        top=TOP,
        base=HEIGHT - BOTTOM,
        distance=NAME_HEIGHT,
    )
    series = [
        Series(
            label,
            [Point(x(value.x), y(value.y), describe(label, value)) for value in line],
            _band([(x(one.x), y(one.interval[0]), y(one.interval[1])) for one in line if one.interval]),
            name_y,
        )
        for (label, line), name_y in zip(lines, names, strict=True)
    ]
    count = round((top - bottom) / step)
    decimals = max(0, -math.floor(math.log10(step)))
    y_ticks = [Tick(f"{bottom + step * n:.{decimals}f}", y(bottom + step * n)) for n in range(count + 1)]
    shown = _with_room([Tick(f"{tick:g}", x(tick)) for tick in sorted(x_ticks)])
    return LineChart(
        series=series,
        x_ticks=shown,
        y_ticks=y_ticks,
        marked=marked,
        right=right,
        name=name,
        title=title,
        x_axis=axes[0],
        y_axis=axes[1],
    )


def _with_room(ticks: Sequence[Tick]) -> list[Tick]:
    """The ticks that do not run into one another; the first and the last stay."""
    shown = list(ticks[:1])
    for tick in ticks[1:-1]:
        if min(tick.at - shown[-1].at, ticks[-1].at - tick.at) >= TICK_APART:
            shown.append(tick)
    return [*shown, *(ticks[-1:] if len(ticks) > 1 else ())]


def _band(ends: Sequence[tuple[float, float, float]]) -> str:
    """The outline of intervals (x, low, high): along the upper ends, and back along the lower ones."""
    if len(ends) < 2:
        return ""
    return _coordinates([(x, high) for x, low, high in ends] + [(x, low) for x, low, high in reversed(ends)])


# Lines and dots between given ends of both axes.


@dataclass(frozen=True, slots=True)
class Line:
    """`points` are coordinates of a polyline; `style` is "", "second" or "third"."""

    label: str
    style: str
    points: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class XYChart(Frame):
    """`dots` are their coordinates, with `dot_words` where they have any; `reference` is a line or ""."""

    lines: list[Line]
    dots: list[tuple[float, float]]
    dot_words: list[str]
    reference: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]

    @property
    def marks(self) -> Marks:
        if self.dot_words:
            dots = [Dot(x, y, text) for (x, y), text in zip(self.dots, self.dot_words, strict=True)]
        else:
            dots = [Dot(x, y, radius=2.5, style="faint") for x, y in self.dots]
        return Marks(
            y_ticks=self.y_ticks,
            x_ticks=self.x_ticks,
            strokes=[
                *([Stroke(self.reference, "grid")] if self.reference else []),
                *(Stroke(line.points, line.style) for line in self.lines),
            ],
            dots=dots,
            words=[Words(line.label_x, line.label_y, line.label) for line in self.lines if line.label],
        )


def xy_chart(
    *,
    name: str,
    title: str,
    axes: tuple[str, str],
    ranges: tuple[tuple[float, float], tuple[float, float]],
    numbers: tuple[Number, Number],
    lines: Sequence[tuple[str, str, Sequence[tuple[float, float]]]] = (),
    dots: Sequence[tuple[float, float]] = (),
    dot_words: Sequence[str] = (),
    diagonal: bool = False,
    labels_width: int = 0,
    size: tuple[int, int] = (400, 300),
) -> XYChart:
    """Lay out lines and dots over two axes, the horizontal one first.

    Parameters
    ----------
    name, title : str
        An id, and what people read.
    axes, ranges, numbers : pairs
        Of each axis its words with the unit, its ends, and what writes its numbers.
    lines : sequence of (label, style, points)
    dots : sequence of points
    dot_words : sequence of str
        What each dot says, where they do.
    diagonal : bool
        Whether there is a line from corner to corner.
    labels_width : int
        SVG units to the right of the lines' ends that their labels need; 0 for none.
    size : (int, int)
        Width and height.
    """
    width, height = size
    right, base = width - RIGHT - labels_width, height - BOTTOM
    x_range, y_range = ranges

    def across(value: float) -> float:
        return round(LEFT + (value - x_range[0]) / ((x_range[1] - x_range[0]) or 1) * (right - LEFT), 1)

    def up(value: float) -> float:
        return round(base - (value - y_range[0]) / ((y_range[1] - y_range[0]) or 1) * (base - TOP), 1)

    def ticks(low: float, high: float, place: Callable[[float], float], number: Number) -> list[Tick]:
        step = round_step(high - low)
        steps = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        return [Tick(number(step * n), place(step * n)) for n in steps]

    ends = spread([up(points[-1][1]) for _, _, points in lines], top=0, base=base, distance=NAME_HEIGHT)
    return XYChart(
        name=name,
        title=title,
        x_axis=axes[0],
        y_axis=axes[1],
        lines=[
            Line(
                label if labels_width else "",
                style,
                _coordinates([(across(x), up(y)) for x, y in points]),
                across(points[-1][0]) + 8,
                end + 4,
            )
            for (label, style, points), end in zip(lines, ends, strict=True)
        ],
        dots=[(across(x), up(y)) for x, y in dots],
        dot_words=list(dot_words),
        reference=_coordinates([(across(x_range[n]), up(y_range[n])) for n in (0, 1)]) if diagonal else "",
        x_ticks=ticks(*x_range, across, numbers[0]),
        y_ticks=ticks(*y_range, up, numbers[1]),
        width=width,
        height=height,
        right=right,
        base=base,
    )


# Values with intervals in an order, such as coefficients over time.


class Estimated(Protocol):
    """A value and the ends of its interval, None where they are undefined."""

    @property
    def value(self) -> float | None: ...

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class IntervalPoint:
    """One estimate; `y`, `low` and `high` are SVG units, None where there is no value or no interval."""

    label: str
    estimate: Estimated
    x: float
    y: float | None
    low: float | None
    high: float | None
    labelled: bool


@dataclass(frozen=True, slots=True)
class IntervalChart(Frame):
    """`lines` and `bands` are the coordinates of polylines and polygons, broken where there is no value."""

    points: list[IntervalPoint]
    lines: list[str]
    bands: list[str]
    ticks: list[Tick]

    @property
    def marks(self) -> Marks:
        return Marks(
            y_ticks=self.ticks,
            x_ticks=[Tick(one.label, one.x) for one in self.points if one.labelled],
            bands=self.bands,
            strokes=[Stroke(line) for line in self.lines],
            dots=[
                Dot(one.x, one.y, f"{one.label}: {one.estimate.value:.3f}")
                for one in self.points
                if one.y is not None
            ],
        )


def interval_chart(
    estimates: Sequence[tuple[str, Estimated]],
    *,
    name: str = "",
    title: str = "",
    axes: tuple[str, str] = ("", ""),
) -> IntervalChart | None:
    """Lay out coefficients, which are 1 at most, in this order; None when none has a value.

    The axis reaches from 1 down to 0, or as far below as a value or an interval goes, at most to -1.
    """
    values = [value for _, one in estimates for value in (one.value, one.low) if value is not None]
    if not values:
        return None
    steps_down = min(4, max(0, -int(min(values) // INTERVAL_STEP)))
    bottom = -INTERVAL_STEP * steps_down
    scale = (HEIGHT - TOP - BOTTOM) / (1 - bottom)
    pitch = (WIDTH - LEFT - RIGHT) / len(estimates)
    every = -(-len(estimates) // MAX_LABELS)

    def y(value: float) -> float:
        return round(TOP + (1 - max(value, bottom)) * scale, 1)

    points = [
        IntervalPoint(
            label=label,
            estimate=one,
            x=round(LEFT + pitch * (index + 0.5), 1),
            y=None if one.value is None else y(one.value),
            low=None if one.low is None else y(one.low),
            high=None if one.high is None else y(one.high),
            labelled=index % every == 0,
        )
        for index, (label, one) in enumerate(estimates)
    ]
    lines = [[(one.x, one.y) for one in run if one.y is not None] for run in _runs(points, "y")]
    marks = [bottom + INTERVAL_STEP * number for number in range(steps_down + 5)]
    return IntervalChart(
        points=points,
        lines=[_coordinates(line) for line in lines],
        bands=[_coordinates(_outline(run)) for run in _runs(points, "low")],
        ticks=[Tick(f"{mark:.2f}", y(mark)) for mark in marks],
        name=name,
        title=title,
        x_axis=axes[0],
        y_axis=axes[1],
    )


def _runs(points: Sequence[IntervalPoint], name: str) -> list[list[IntervalPoint]]:
    """The stretches of points that have the attribute of that name."""
    grouped = groupby(points, key=lambda point: getattr(point, name) is not None)
    return [list(run) for has, run in grouped if has]


def _outline(run: Sequence[IntervalPoint]) -> list[tuple[float, float]]:
    """The band's upper edge from left to right, and its lower edge back; a single point is a bar."""
    sides = (-6, 6) if len(run) == 1 else (0,)
    upper = [(one.x + side, one.high) for one in run for side in sides if one.high is not None]
    lower = [(one.x + side, one.low) for one in run for side in sides if one.low is not None]
    return upper + lower[::-1]


# Bars.


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    count: int
    x: float
    y: float
    width: float
    height: float
    labelled: bool

    @property
    def centre(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class BarChart(Frame):
    bars: list[Bar]
    ticks: list[Tick]

    @property
    def marks(self) -> Marks:
        return Marks(
            y_ticks=self.ticks,
            x_ticks=[Tick(bar.label, bar.centre) for bar in self.bars if bar.labelled],
            bars=self.bars,
        )


def bar_chart(
    counts: Sequence[tuple[str, int]],
    *,
    name: str = "",
    title: str = "",
    axes: tuple[str, str] = ("", ""),
) -> BarChart | None:
    """Lay out labelled counts as bars in this order; None without any."""
    if not counts:
        return None
    highest = max(count for _, count in counts)
    step = max(1, round(round_step(highest)))
    top = step * max(1, -(-highest // step))
    base = BARS_HEIGHT - BOTTOM
    scale = (base - TOP) / top
    pitch = (WIDTH - LEFT - RIGHT) / max(len(counts), 12)
    every = -(-len(counts) // MAX_LABELS)
    bars = [
        Bar(
            label=label,
            count=count,
            x=round(LEFT + pitch * (place + 0.15), 1),
            y=round(base - count * scale, 1),
            width=round(pitch * 0.7, 1),
            height=round(count * scale, 1),
            labelled=place % every == 0,
        )
        for place, (label, count) in enumerate(counts)
    ]
    marks = range(0, top + 1, step)
    ticks = [Tick(f"{mark:,}", round(base - mark * scale, 1)) for mark in marks]
    return BarChart(
        bars=bars,
        ticks=ticks,
        height=BARS_HEIGHT,
        base=base,
        name=name,
        title=title,
        x_axis=axes[0],
        y_axis=axes[1],
    )


# Values with intervals on one axis, a row each: what a table draws beside its figures.


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row: its name, its value and interval in words, and where they lie, in percent of the axis."""

    name: str
    words: str
    at: float
    ends: tuple[float, float] | None
    best: bool

    @property
    def style(self) -> str:
        return "best" if self.best else ""


@dataclass(frozen=True, slots=True)
class RankedChart(Frame):
    """`ticks` are in percent of the axis, as the rows are; `marks` lays the same out as a chart."""

    rows: list[RankedRow]
    ticks: list[Tick]

    def _x(self, share: float) -> float:
        return round(self.left + share / 100 * (self.right - self.left), 1)

    @property
    def marks(self) -> Marks:
        places = [(TOP + ROW_HEIGHT * (n + 0.5), row) for n, row in enumerate(self.rows)]
        ticks = [Tick(one.label, self._x(one.at)) for one in self.ticks]
        return Marks(
            x_ticks=ticks,
            strokes=[
                *(Stroke(_coordinates([(one.at, self.top), (one.at, self.base)]), "grid") for one in ticks),
                *(
                    Stroke(_coordinates([(self._x(end), y) for end in row.ends]), row.style)
                    for y, row in places
                    if row.ends
                ),
            ],
            dots=[Dot(self._x(row.at), y, f"{row.name}: {row.words}", 5, row.style) for y, row in places],
            words=[
                *(Words(0, y + 4, _shortened(row.name), row.name) for y, row in places),
                *(Words(self.right + 12, y + 4, row.words) for y, row in places),
            ],
        )


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_ROW_NAME else f"{name[: LONGEST_ROW_NAME - 1]}…"


def ranked_chart(
    rows: Sequence[tuple[str, float, tuple[float, float] | None, bool]],
    *,
    name: str = "",
    title: str = "",
    axis: str = "",
    digits: int = 2,
) -> RankedChart | None:
    """Lay out (name, value, interval, whether it is the best) in this order; None without any.

    The axis reaches over the values and their intervals; `digits` are those of the words.
    """
    if not rows:
        return None
    reach = [end for _, value, ends, _ in rows for end in (value, *(ends or ()))]
    step = round_step(max(reach) - min(reach) or abs(max(reach)) or 1.0)
    low, high = step * math.floor(min(reach) / step), step * math.ceil(max(reach) / step)
    high = high if high > low else low + step

    def at(value: float) -> float:
        return round(float(100 * (value - low) / (high - low)), 2)

    def words(value: float, ends: tuple[float, float] | None) -> str:
        interval = f" ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})" if ends else ""
        return f"{value:.{digits}f}{interval}"

    decimals = max(0, -math.floor(math.log10(step)))
    marks = [low + step * n for n in range(round((high - low) / step) + 1)]
    base = TOP + ROW_HEIGHT * len(rows)
    longest = min(LONGEST_ROW_NAME, max(len(label) for label, *_ in rows))
    return RankedChart(
        rows=[
            RankedRow(label, words(value, ends), at(value), ends and (at(ends[0]), at(ends[1])), best)
            for label, value, ends, best in rows
        ],
        ticks=[Tick(f"{mark:.{decimals}f}", at(mark)) for mark in marks],
        name=name,
        title=title,
        x_axis=axis,
        left=longest * ROW_LETTER + 16,
        right=WIDTH - ROW_WORDS,
        base=base,
        height=base + BOTTOM,
    )
