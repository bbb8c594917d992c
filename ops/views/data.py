"""Deleting and restoring projects, their archives; deleting people, and the file of what is held of them."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jobs.models import JobState
from jobs.services.retention import kept_until
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.archive.tables import MAKE
from ops.deletion.people import contributions, delete_person, write_data
from ops.deletion.projects import delete_project, deleted_projects, restore_project
from ops.models import DAYS_KEPT, ProjectArchive
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import FORM, POST, SAFE, project_view, show_error, user_of


@project_view(check_manage, FORM)
def project_delete(request: HttpRequest, project: Project) -> HttpResponse:
    problem = ""
    if request.method == "POST":
        try:
            delete_project(project=project, by=user_of(request), confirmed=request.POST.get("confirm", ""))
        except PublicError as error:
            problem = str(error)
        else:
            messages.success(request, _("The project %(name)s is deleted.") % {"name": project.name})
            return redirect("deleted-projects" if settings.UNDO_DAYS else "projects")
    context = {"days": settings.UNDO_DAYS, "problem": problem}
    return render(request, "ops/project_delete.html", context, status=422 if problem else 200)


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """What one may restore."""
    projects = deleted_projects(request.user).select_related("deleted_by").order_by("-deleted_at")
    context = {"rows": [(project, kept_until(project)) for project in projects], "days": settings.UNDO_DAYS}
    return render(request, "ops/deleted_projects.html", context)


@require_POST
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    project = get_object_or_404(deleted_projects(request.user), pk=pk)
    try:
        restore_project(project=project, by=user_of(request))
    except PublicError as error:
        show_error(request, error)
        return redirect("deleted-projects")
    messages.success(
        request,
        _("The project %(name)s is restored. Resume stopped jobs under Jobs.") % {"name": project.name},
    )
    return redirect("projects")


@never_cache
@require_http_methods(FORM)
def person_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """What a person gave, by project, and the choice of what becomes of it."""
    user, problem = _person(request, pk), ""
    if request.method == "POST":
        given = {name: request.POST.get(name, "") for name in ("confirm", "answers")}
        try:
            pseudonym = delete_person(
                user=user, by=user_of(request), confirmed=given["confirm"], answers=given["answers"]
            )
        except PublicError as error:
            problem = str(error)
        else:
            kept = _(" What is kept is shown under %(name)s.") % {"name": pseudonym} if pseudonym else ""
            messages.success(request, _("The account is deleted.") + kept)
            return redirect("people")
    context = {"person": user, "rows": contributions(user), "problem": problem}
    return render(request, "ops/person_delete.html", context, status=422 if problem else 200)


def _person(request: HttpRequest, pk: int) -> User:
    # Only administrators learn whether there is such an account.
    return get_object_or_404(
        User.objects.all() if user_of(request).is_superuser else User.objects.none(), pk=pk
    )


@never_cache
@require_safe
def person_data(request: HttpRequest, pk: int | None = None) -> FileResponse:
    """A zip of what is held about a person, oneself by default."""
    user = user_of(request) if pk is None else _person(request, pk)
    with ExitStack() as failed:
        file = failed.enter_context(tempfile.TemporaryFile())
        write_data(user, file)
        file.seek(0)
        response = zip_response(file, f"{user.get_username()}-data.zip", None)
        failed.pop_all()  # from here on the response closes it
    return response


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
    messages.info(request, _("The archive is deleted."))
    return redirect("archives", project.slug)
