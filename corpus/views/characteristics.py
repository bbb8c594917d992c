"""Characteristics of datasets side by side, and how they overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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

from .upset import upset

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
