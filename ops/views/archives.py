"""Archives of a project: asking for one, its progress, downloading and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from jobs.models import JobState
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.archive.tables import MAKE
from ops.models import DAYS_KEPT, ProjectArchive
from projects.downloads import zip_response
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import FORM, POST, SAFE, project_view, user_of


@project_view(check_manage, FORM, refused=("archives",))
def archives(request: HttpRequest, project: Project) -> HttpResponse:
    if request.method == "POST":
        request_archive(project=project, by=user_of(request))
        return redirect("archives", project.slug)
    sweep_archives()
    latest = project.jobs.filter(kind=MAKE).first()
    context = {
        "rows": project.archives.select_related("project"),
        "days": DAYS_KEPT,
        "job": latest if latest and latest.state != JobState.DONE else None,
    }
    return render(request, "ops/archives.html", context)


@project_view(check_manage, SAFE, refused=("archives",))
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    archive = get_object_or_404(ProjectArchive.objects.select_related("project"), project=project, pk=pk)
    path = archive_file(archive)
    return zip_response(path, archive.filename, project)


@project_view(check_manage, POST)
def delete(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    archive = get_object_or_404(ProjectArchive.objects.select_related("project"), project=project, pk=pk)
    delete_archive(archive=archive, by=user_of(request))
    messages.info(request, "The archive is deleted.")
    return redirect("archives", project.slug)
