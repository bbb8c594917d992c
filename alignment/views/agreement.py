"""How far annotators agree on the links of a batch, and on which words they differ."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from alignment.services.experiment_tables import NAMES
from alignment.services.link_agreement import AnnotatorPair, PassAgreement, batch_agreement
from annotation.models import BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.views.batches import batch_of
from paragold.metrics.link_agreement import WORD_CLASSES, ClassCell, LinkAgreement
from projects.models import Project
from projects.views.project_view import project_view

CELL_WIDTH, CELL_HEIGHT = 108, 48
LEFT, TOP = 124, 48
DEEPEST = 0.5
"""The opacity of a cell in which all is disputed: the text on it stays readable, light and dark."""


@dataclass(frozen=True, slots=True)
class Square:
    """A cell of the heat map at its place; `heat` is its opacity, by the share of disputed links."""

    x: int
    y: int
    heat: str
    share: str
    count: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Word classes of the first sentence as rows, of the second as columns, in units of the drawing."""

    squares: list[Square]
    rows: list[tuple[int, str]]
    columns: list[tuple[int, str]]
    width: int
    height: int
    cell_width: int = CELL_WIDTH
    cell_height: int = CELL_HEIGHT


@require_safe
@project_view(check_see_answers)
def link_agreement(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.LINK)
    visible = set(visible_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))
    found = batch_agreement(batch, visible)
    shown = [one for one in found.passes if one.annotators]
    context = {
        "batch": batch,
        "passes": [(one, [_by_words(pair) for pair in one.annotators], _heat_map(one)) for one in shown],
        "revised": found.revised,
        "signature": found.signature,
        "hidden": batch.items.count() - len(visible),
        "words": NAMES.values(),
    }
    return render(request, "alignment/link_agreement.html", context)


def _by_words(pair: AnnotatorPair) -> tuple[AnnotatorPair, list[tuple[str, LinkAgreement]]]:
    """Two annotators with their agreement on all, on identical and on other words, each under its name."""
    return pair, [(label, pair.table[name]) for name, label in NAMES.items()]


def _heat_map(one: PassAgreement) -> HeatMap:
    return HeatMap(
        squares=[
            _square(cell, row, column)
            for row, cells in enumerate(one.classes)
            for column, cell in enumerate(cells)
        ],
        rows=[
            (TOP + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 5, name) for row, name in enumerate(WORD_CLASSES)
        ],
        columns=[
            (LEFT + column * CELL_WIDTH + CELL_WIDTH // 2, name) for column, name in enumerate(WORD_CLASSES)
        ],
        width=LEFT + CELL_WIDTH * len(WORD_CLASSES),
        height=TOP + CELL_HEIGHT * len(WORD_CLASSES),
    )


def _square(cell: ClassCell, row: int, column: int) -> Square:
    share = cell.share or 0.0
    return Square(
        x=LEFT + column * CELL_WIDTH,
        y=TOP + row * CELL_HEIGHT,
        heat=f"{DEEPEST * share:.3f}",
        share="" if cell.share is None else f"{100 * cell.share:.0f} %",
        count=f"{cell.disputed:,} of {cell.drawn:,}" if cell.drawn else "",
    )
