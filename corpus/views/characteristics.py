"""Characteristics of datasets side by side, and an UpSet plot of how they overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.models import Dataset
from corpus.services.characteristics import Overlap, characteristics, overlaps
from paragold.extraction.characteristics import Characteristics, as_csv, as_latex, rows_of
from paragold.formats.tables import CSV_START
from projects.models import Project
from projects.permissions import check_read_corpus
from projects.views.project_view import project_view

COLUMNS_AT_MOST = 8
DOWNLOADS: dict[str, tuple[Callable[[Sequence[Characteristics]], str], str, str]] = {
    "csv": (lambda columns: CSV_START + as_csv(columns), "text/csv", "characteristics.csv"),
    "latex": (as_latex, "application/x-tex", "characteristics.tex"),
}


@require_safe
@project_view(check_read_corpus)
def characteristics_page(request: HttpRequest, project: Project) -> HttpResponse:
    """The datasets of `?dataset=`, repeated, or the latest; with `?format=` their table alone."""
    known = list(project.datasets.current().prefetch_related("extractions"))
    asked = {int(pk) for pk in request.GET.getlist("dataset") if pk.isascii() and pk.isdigit()}
    chosen = [dataset for dataset in known if dataset.pk in asked] or known
    shown = chosen[:COLUMNS_AT_MOST][::-1]
    columns = [characteristics(dataset) for dataset in shown]
    if request.GET.get("format") in DOWNLOADS:
        write, content_type, name = DOWNLOADS[request.GET["format"]]
        return HttpResponse(
            write(columns),
            content_type=f"{content_type}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{project.slug}-{name}"'},
        )
    parts = overlaps(project, shown) if len(shown) > 1 else []
    context = {
        "known": [(dataset, dataset in shown) for dataset in known],
        "shown": shown,
        "left_out": len(chosen) - len(shown),
        "most": COLUMNS_AT_MOST,
        "rows": rows_of(columns),
        "parts": parts,
        "upset": upset([(dataset.name, dataset.size) for dataset in shown], _indices(shown, parts)),
    }
    return render(request, "corpus/characteristics.html", context)


def _indices(shown: list[Dataset], parts: Sequence[Overlap]) -> list[tuple[frozenset[int], int]]:
    numbers = {dataset.pk: index for index, dataset in enumerate(shown)}
    return [(frozenset(numbers[dataset.pk] for dataset in part.members), part.pairs) for part in parts]


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
