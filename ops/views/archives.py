"""Archives of a project: asking for one, its progress, downloading and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jobs.models import JobState
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.archive.tables import MAKE
from ops.models import DAYS_KEPT, ProjectArchive
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.services.audit import record_download
from projects.views.project_view import project_view, tell, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def archives(request: HttpRequest, project: Project) -> HttpResponse:
    if request.method == "POST":
        try:
            request_archive(project=project, by=user_of(request))
        except PublicError as error:
            tell(request, error)
        return redirect("archives", project.slug)
    sweep_archives()
    latest = project.jobs.filter(kind=MAKE).first()
    context = {
        "rows": project.archives.select_related("project"),
        "days": DAYS_KEPT,
        "job": latest if latest and latest.state != JobState.DONE else None,
    }
    return render(request, "ops/archives.html", context)


@require_safe
@project_view(check_manage)
def download(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    archive = get_object_or_404(ProjectArchive.objects.select_related("project"), project=project, pk=pk)
    try:
        path = archive_file(archive)
    except PublicError as error:
        tell(request, error)
        return redirect("archives", project.slug)
    record_download(project, archive.filename)
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=archive.filename, content_type="application/zip"
    )


@require_POST
@project_view(check_manage)
def delete(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    archive = get_object_or_404(ProjectArchive.objects.select_related("project"), project=project, pk=pk)
    delete_archive(archive=archive, by=user_of(request))
    messages.info(request, "The archive is deleted.")
    return redirect("archives", project.slug)
