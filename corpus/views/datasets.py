"""Datasets: several frozen out of one extraction, the page of one, and several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from corpus.forms import PresetsForm
from corpus.models import Dataset, Extraction
from corpus.resources import DATASETS
from corpus.services.characteristics import Overlap, characteristics, distances_of, overlap_is_known, overlaps
from corpus.services.datasets import freeze_presets, offered_selections
from corpus.services.method_settings import parameter_text
from jobs.models import JobState
from paragold.extraction.criteria import Selection
from paragold.extraction.selection import as_csv, as_latex, characteristics_cells, characteristics_table
from paragold.formats.tables import CSV_START
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.reports import Asked, Report, report
from projects.views.figures import page_with_figures
from projects.views.lists import list_response, table_of
from projects.views.project_view import POST, SAFE, project_view

from .charts import distances_figure, pairs_between, upset

MAX_COLUMNS = 8


@project_view(check_read_corpus, SAFE)
def datasets(request: HttpRequest, project: Project) -> HttpResponseBase:
    return list_response(
        request,
        project,
        "corpus/datasets.html",
        table_of(request, project, DATASETS),
        finished=_finished(project).exists(),
        clusters=project.clusters.of_corpus().exists(),
    )


def _finished(project: Project) -> QuerySet[Extraction]:
    return project.extractions.current().filter(job__state=JobState.DONE)


@project_view(check_manage, POST, refused=("extraction", "pk"))
def datasets_of_presets(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Freeze several presets out of one extraction and set them side by side."""
    extraction = get_object_or_404(_finished(project).select_related("job", "project"), pk=pk)
    form = presets_form(extraction, request.POST)
    if not form.is_valid():
        raise PublicError(" ".join(str(error) for errors in form.errors.values() for error in errors))
    frozen = freeze_presets(
        extraction=extraction, presets=form.cleaned_data["presets"], held_out=form.clusters()
    )
    messages.success(
        request, _("Frozen: %(names)s.") % {"names": ", ".join(dataset.name for dataset in frozen)}
    )
    query = urlencode({"dataset": [dataset.pk for dataset in frozen]}, doseq=True)
    return redirect(f"{reverse('characteristics', args=[project.slug])}?{query}")


def presets_form(extraction: Extraction, data: QueryDict | None = None) -> PresetsForm:
    """The form for several datasets out of an extraction."""
    any_held_out = extraction.project.clusters.filter(held_out=True).exists()
    return PresetsForm(data, offered=offered_selections(extraction), any_held_out=any_held_out)


@project_view(check_read_corpus, SAFE)
def dataset(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    dataset: Dataset = get_object_or_404(project.datasets, pk=pk)
    distances = distances_figure(
        distances_of(dataset), indel=False, url=pairs_between(project, f"dataset={dataset.pk}")
    )
    context = {
        "dataset": dataset,
        "criteria": [
            (param.label, parameter_text(param, dataset.criteria[param.name]))
            for param in Selection.parameters()
            if param.name in dataset.criteria
        ],
        "extractions": dataset.extractions.select_related("job"),
        "numbers": characteristics(dataset),
        "distances": distances,
    }
    return page_with_figures(request, "corpus/dataset.html", context, [distances])


class CharacteristicsForm(forms.Form):
    """Which datasets, and whether to wait for how they overlap."""

    dataset = forms.ModelMultipleChoiceField(Dataset.objects.none(), required=False)
    overlap = forms.CharField(required=False)

    def __init__(self, data: Any, project: Project) -> None:
        super().__init__(data)
        self.known = project.datasets.current().prefetch_related("extractions")
        self.fields["dataset"].queryset = self.known  # type: ignore[attr-defined]  # of that field


@report("corpus/characteristics.html", check_read_corpus, choices=CharacteristicsForm)
def characteristics_page(asked: Asked) -> Report:
    """Datasets side by side (Brockett and Dolan 2005, table 2), and the parts of their union.

    The datasets of `?dataset=`, repeated, or the latest.
    """
    project, known = asked.project, list(asked.form.known)
    ids = {dataset.pk for dataset in asked.chosen.get("dataset", ())}
    chosen = [dataset for dataset in known if dataset.pk in ids] or known
    shown = chosen[:MAX_COLUMNS][::-1]
    columns = [characteristics(dataset) for dataset in shown]
    by_name = {column["name"]: column for column in columns}
    # Counting takes seconds in a large project: the page comes first, and asks for the overlap by itself.
    waits = asked.by_program or "overlap" in asked.request.GET or len(shown) < 2
    later = not waits and not overlap_is_known(project, shown)
    parts = [] if later else overlaps(project, shown)

    def page() -> dict[str, Any]:
        sizes = [(dataset.name, dataset.size) for dataset in shown]
        cells = list(characteristics_cells(by_name).values())
        return {
            "known": [(dataset, dataset in shown) for dataset in known],
            "shown": shown,
            "left_out": len(chosen) - len(shown),
            "max_columns": MAX_COLUMNS,
            "rows": [(*row, [column[row] for column in cells]) for row in (cells[0] if cells else ())],
            "parts": parts,
            "later": later,
            "overlap": upset(sizes, _indices(shown, parts)) if len(shown) > 1 else None,
        }

    answer = {
        "datasets": [
            {"dataset": dataset.pk, **column}
            | {"asked": [selection.as_json() for selection in column["asked"]], "seconds": None}
            for dataset, column in zip(shown, columns, strict=True)
        ],
        "overlaps": [
            {"datasets": [dataset.pk for dataset in part.members], "pairs": part.pairs} for part in parts
        ],
    }
    return Report(
        answer=answer,
        page=page,
        figures=lambda context: [context["overlap"]],
        name="characteristics",
        files={
            "csv": lambda: CSV_START + as_csv(characteristics_table(by_name)),
            "tex": lambda: as_latex(characteristics_table(by_name)),
        },
    )


def _indices(shown: list[Dataset], parts: Sequence[Overlap]) -> list[tuple[frozenset[int], int]]:
    numbers = {dataset.pk: index for index, dataset in enumerate(shown)}
    return [(frozenset(numbers[dataset.pk] for dataset in part.members), part.pairs) for part in parts]
