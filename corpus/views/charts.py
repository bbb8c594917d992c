"""Charts of the corpus's pages: a histogram of whole numbers, an UpSet plot of sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from paragold.charts import Chart, Mark, bar_chart
from projects.listings import grouped
from projects.models import Project
from projects.views.figures import linked

MAX_BARS = 40
# Of the UpSet plot, in pixels.
WIDTH, HEIGHT_OF_BARS, ROW, COLUMN = 800, 200, 28, 40
LEFT, TOP = 264, 48
NAME_CHARACTERS = 22
# What the width holds; the table beneath has all of them.
MAX_PARTS = (WIDTH - LEFT) // COLUMN


@dataclass(frozen=True, slots=True)
class Histogram:
    """`bars` are the minimum and maximum value of each bar of the chart, both included, and the bar."""

    chart: Chart
    bars: list[tuple[int, int, Mark]]
    total: int


def distances_figure(
    counts: Mapping[int, int], *, indel: bool, url: Callable[[int, int], str] | None = None
) -> Chart | None:
    """Pairs by edit distance; `url` gives where the pairs from one distance to another are listed."""
    drawn = histogram(counts)
    if drawn is None:
        return None
    measure = gettext("insertions and deletions of words") if indel else gettext("word Levenshtein distance")
    return replace(
        drawn.chart,
        caption=ngettext(
            "Edit distance of the sentences of a pair: %(measure)s, lower-cased, punctuation included. "
            "%(count)s pair.",
            "Edit distance of the sentences of a pair: %(measure)s, lower-cased, punctuation included. "
            "%(count)s pairs.",
            drawn.total,
        )
        % {"measure": measure, "count": grouped(drawn.total)},
        head=(gettext("Edit distance, words"), gettext("Pairs")),
        rows=[
            (bar["label"], linked(f"{bar['count']:,}", url(low, high) if url else ""))
            for low, high, bar in drawn.bars
        ],
    )


def pairs_between(project: Project, of: str) -> Callable[[int, int], str]:
    """Gives where the pairs of `of` (dataset=7) from one distance to another are listed."""
    listed = reverse("pairs", args=[project.slug])
    return lambda low, high: f"{listed}?{of}&min_distance={low}&max_distance={high}"


def histogram(counts: Mapping[int, int]) -> Histogram | None:
    """Lay out `counts` (value -> how often) from the minimum to the maximum; None without any.

    Values share a bar where there would be more than MAX_BARS.
    """
    if not counts:
        return None
    lowest, highest = min(counts), max(counts)
    span = -(-(highest - lowest + 1) // MAX_BARS)
    bins = [(low, min(low + span - 1, highest)) for low in range(lowest, highest + 1, span)]
    labels = [str(low) if low == high else f"{low}–{high}" for low, high in bins]
    sums = [sum(counts.get(value, 0) for value in range(low, high + 1)) for low, high in bins]
    chart = bar_chart(
        list(zip(labels, sums, strict=True)),
        name="distances",
        title=gettext("Pairs by edit distance"),
        x_axis=gettext("edit distance, words"),
        y_axis=gettext("pairs"),
    )
    if chart is None:
        return None
    bars = [(low, high, bar) for (low, high), bar in zip(bins, chart.bars, strict=True)]
    return Histogram(chart, bars, sum(counts.values()))


@dataclass(frozen=True, slots=True)
class UpSet(Chart):
    """parts: bars over the dots of the sets that they lie in; `low` and `high` end the line between the dots.
    sets: their names and sizes."""

    parts: list[Mark]
    sets: list[Mark]
    left_out: int
    bar_width: int = COLUMN - 16


def upset(sets: Sequence[tuple[str, int]], parts: Sequence[tuple[frozenset[int], int]]) -> UpSet | None:
    """Lay out `sets` (name, size) and `parts` (the indices of the sets it lies in, size), largest first.

    None when there is nothing to draw.
    """
    if not parts:
        return None
    base = TOP + HEIGHT_OF_BARS
    heights = [base + 24 + ROW * number for number in range(len(sets))]
    largest = max(size for _, size in parts)
    drawn = []
    for number, (members, size) in enumerate(parts[:MAX_PARTS]):
        height = round(HEIGHT_OF_BARS * size / largest, 1)
        inside = [heights[index] for index in sorted(members)]
        drawn.append(
            {
                "x": LEFT + COLUMN * (number + 0.5),
                "y": round(base - height, 1),
                "height": height,
                "count": size,
                "names": " and ".join(sets[index][0] for index in sorted(members)),
                "dots": [(y, index in members) for index, y in enumerate(heights)],
                "low": inside[0],
                "high": inside[-1],
            }
        )
    rows = [
        {"name": name, "shown": _shortened(name), "size": size, "y": y}
        for (name, size), y in zip(sets, heights, strict=True)
    ]
    return UpSet(
        parts=drawn,
        sets=rows,
        left_out=len(parts) - len(drawn),
        name="overlap",
        title=gettext("How the datasets overlap"),
        width=WIDTH,
        height=base + 24 + ROW * len(sets),
        left=LEFT,
        base=base,
        marks_template="corpus/_upset.svg",
    )


def _shortened(name: str) -> str:
    return name if len(name) <= NAME_CHARACTERS else f"{name[: NAME_CHARACTERS - 1]}…"
