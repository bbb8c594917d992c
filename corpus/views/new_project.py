"""A new project, with its first file on the same page where there is one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from corpus.forms import EventsForm, NewProjectFileForm
from corpus.services.uploads import Upload, UploadGone, find_upload, give_to
from projects.errors import PublicError
from projects.forms.projects import NewProjectForm
from projects.models import Project
from projects.permissions import check_create_projects
from projects.services.projects import create_project
from projects.views.project_view import show_error, submitted, user_of
from projects.views.projects import preview_of

from .importing import begin_check
from .uploads import UPLOAD_LIMITS, SizeLimit, blame_size, keep_upload, large_upload


@large_upload
def new_project(request: HttpRequest, limit: SizeLimit) -> HttpResponse:
    """A file that was sent stays here while the form is corrected or its guidelines are previewed."""
    check_create_projects(request.user)
    posted = request.method == "POST"
    data, files = (request.POST, request.FILES) if posted else (None, None)
    form, file, events = NewProjectForm(data), NewProjectFileForm(data, files), EventsForm(data)
    blame_size(file, limit)
    preview = preview_of(request)
    upload: Upload | None = None
    try:
        upload = _sent(request, file)
    except UploadGone as error:
        file.add_error("file", str(error))
    if preview is None and file.is_valid() and events.is_valid():
        by = user_of(request)
        if project := submitted(form, lambda: create_project(by=by, **form.settings())):
            return _created(request, project, upload)
    context = {"form": form, "file": file, "events": events, "upload": upload, "preview": preview}
    status = 422 if posted and preview is None else 200
    return render(request, "projects/project_new.html", context | UPLOAD_LIMITS, status=status)


def _created(request: HttpRequest, project: Project, upload: Upload | None) -> HttpResponse:
    if upload is None:
        messages.success(request, f"The project {project.name} is created. Now import its corpus.")
        return redirect("project", project.slug)
    try:
        return begin_check(request, project, give_to(upload, project))
    except PublicError as error:
        show_error(request, error)
        return redirect("corpus-import", project.slug)


def _sent(request: HttpRequest, form: NewProjectFileForm) -> Upload | None:
    """The file that came with this request or an earlier one. Raises UploadGone."""
    if form.is_valid() and (file := form.cleaned_data["file"]):
        encoding = form.cleaned_data["encoding"] or "utf-8"
        return keep_upload(file, encoding=encoding, project=None, user=user_of(request))
    if token := request.POST.get("upload"):
        return find_upload(token, project=None, user=user_of(request))
    return None
