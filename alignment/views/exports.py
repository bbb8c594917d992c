"""Exports: what was written out, writing another, and fetching one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect

from alignment.forms import DatasetExportForm, GoldExportForm
from alignment.listings import EXPORTS
from alignment.models import Export
from alignment.services.dataset_exports import KIND as OF_DATASETS, export_dataset
from alignment.services.export_store import export_of
from alignment.services.gold_exports import KIND as OF_GOLD, export_file, request_gold_export
from jobs.models import ACTIVE, Job, JobState
from projects.downloads import zip_response
from projects.listings import row_id
from projects.models import Project
from projects.permissions import check_manage
from projects.views.lists import list_response, table_of
from projects.views.project_view import FORM, SAFE, form_page, initial_from, project_view, submitted, user_of

KINDS = (OF_DATASETS, OF_GOLD)


@project_view(check_manage, SAFE)
def exports(request: HttpRequest, project: Project) -> HttpResponseBase:
    table = table_of(
        request,
        project,
        EXPORTS,
        row="alignment/_export_row.html",
        columns={"Export": "name", "File": "", "Size": "size", "Written": "id", "sha256": "", "Delete": ""},
        numbers=("Size", "Written"),
        dressed=lambda rows: [(row, sorted(row.manifest.get("files", {}).items())) for row in rows],
        default="-id",
    )
    jobs = project.jobs.filter(kind__in=KINDS)
    under_way, latest = list(jobs.filter(state__in=ACTIVE).order_by("pk")), jobs.first()
    context = {
        "gold": _gold(project),
        "datasets": project.datasets.current().exists(),
        "job": next(iter(under_way), latest if latest and latest.state != JobState.DONE else None),
        "others": max(0, len(under_way) - 1),
    }
    return list_response(request, project, "alignment/exports.html", table, **context)


def _gold(project: Project) -> bool:
    return project.gold_sets.current().exists() or project.gold_alignment_sets.current().exists()


@project_view(check_manage, FORM)
def new_dataset_export(request: HttpRequest, project: Project) -> HttpResponse:
    dataset = request.GET.get("dataset", "")
    initial = {"dataset": dataset} if row_id(dataset) else None
    form = DatasetExportForm(request.POST or None, project=project, initial=initial)
    before = set(project.exports.values_list("pk", flat=True))
    if job := submitted(form, lambda: export_dataset(by=user_of(request), **form.arguments())):
        return _requested(request, job, before)
    datasets = project.datasets.current().exists()
    return form_page(request, "alignment/dataset_export_form.html", form, datasets=datasets)


def _requested(request: HttpRequest, job: Job, before: set[int]) -> HttpResponse:
    """To the page of exports, with a message where the export is there; `before` are those of earlier."""
    made = export_of(job)
    if made and made.pk in before:
        messages.info(request, f"{made.name} is there already: the same content gives the same bytes.")
    elif made:
        messages.success(request, f"{made.name} is written, {made.bytes:,} bytes.")
    return redirect("exports", job.project.slug)


@project_view(check_manage, FORM)
def new_export(request: HttpRequest, project: Project) -> HttpResponse:
    initial: dict[str, Any] = initial_from(request, "gold_set", "gold_links")
    if initial:  # only what the address names is chosen
        initial = {"gold_set": "", "gold_links": ""} | initial
    form = GoldExportForm(request.POST or None, project=project, initial=initial)
    before = set(project.exports.values_list("pk", flat=True))
    by = user_of(request)
    if job := submitted(form, lambda: request_gold_export(project=project, by=by, **form.arguments())):
        return _requested(request, job, before)
    return form_page(request, "alignment/export_form.html", form, gold=_gold(project))


@project_view(check_manage, SAFE, refused=("exports",))
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    export = get_object_or_404(Export.objects.select_related("project"), project=project, pk=pk)
    path = export_file(export=export)
    return zip_response(path, export.filename, project)
