"""Exports: what was written out, writing another, and fetching one."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from alignment.models import Export
from alignment.resources import EXPORTS
from alignment.services.dataset_exports import KIND as OF_DATASETS
from alignment.services.gold_exports import KIND as OF_GOLD, export_file
from jobs.models import ACTIVE, JobState
from projects.downloads import zip_response
from projects.models import Project
from projects.permissions import check_manage
from projects.views.lists import list_response, table_of
from projects.views.project_view import SAFE, project_view

KINDS = (OF_DATASETS, OF_GOLD)


@project_view(check_manage, SAFE)
def exports(request: HttpRequest, project: Project) -> HttpResponseBase:
    table = table_of(request, project, EXPORTS, row="alignment/_export_row.html")
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


@project_view(check_manage, SAFE, refused=("exports",))
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    export = get_object_or_404(Export.objects.select_related("project"), project=project, pk=pk)
    path = export_file(export=export)
    return zip_response(path, export.filename, project)
