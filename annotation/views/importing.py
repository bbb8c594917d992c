"""Taking in judgements from a file: upload, options beside a preview, import."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.forms import JudgementsForm, JudgementsUploadForm
from annotation.models import Label
from annotation.services.judgement_import import check_judgements, import_judgements
from corpus.services.uploads import MEGABYTES_AT_MOST, Upload
from corpus.views.uploads import SizeLimit, bounded_upload, find_upload, keep_upload
from paragold.formats.judgements.judged_pairs import Reading
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import blame, project_view, user_of


@bounded_upload
@project_view(check_manage)
def judgements_import(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    if "upload" in request.POST:
        return _import(request, project, request.POST["upload"])
    if request.method == "POST":
        return _receive(request, project, limit)
    if token := request.GET.get("upload"):
        return _preview(request, project, token)
    return _page(request, project, {"form": JudgementsUploadForm()})


def _receive(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    form = JudgementsUploadForm(request.POST, request.FILES)
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error(
            "file",
            f"This file is larger than {MEGABYTES_AT_MOST} MB. Split it, or use "
            "`manage.py import_judgements` on the server, which has no such limit.",
        )
    if form.is_valid():
        given = form.cleaned_data
        upload = keep_upload(given["file"], encoding=given["encoding"], project=project, user=request.user)
        return redirect(reverse("judgements-import", args=[project.slug]) + f"?upload={upload.token}")
    return _page(request, project, {"form": form}, status=422)


def _preview(request: HttpRequest, project: Project, token: str) -> HttpResponse:
    upload = _found(request, project, token)
    if upload is None:
        return redirect("judgements-import", project.slug)
    if "become" not in request.GET:
        stem = upload.filename.rpartition(".")[0] or upload.filename
        form = JudgementsForm(project=project, initial={"name": stem[:80]})
        return _shown(request, project, upload, form, Reading())
    form = JudgementsForm(request.GET, project=project)
    valid = form.is_valid()
    return _shown(
        request, project, upload, form, getattr(form, "reading", None), status=200 if valid else 422
    )


def _import(request: HttpRequest, project: Project, token: str) -> HttpResponse:
    upload = _found(request, project, token)
    if upload is None:
        return redirect("judgements-import", project.slug)
    form = JudgementsForm(request.POST, project=project)
    if not form.is_valid():
        return _shown(request, project, upload, form, getattr(form, "reading", None), status=422)
    try:
        report = import_judgements(
            project=project,
            by=user_of(request),
            path=upload.path,
            filename=upload.filename,
            name=form.cleaned_data["name"],
            annotator=form.whose,
            reading=form.reading,
            encoding=upload.encoding,
        )
    except PublicError as error:
        blame(form, error)
        return _shown(request, project, upload, form, form.reading, status=422)
    if report.status == "refused":
        return _shown(request, project, upload, form, form.reading, status=422)
    upload.remove()
    if report.status == "unchanged":
        messages.info(request, f"Nothing changed: all of {upload.filename} is there already.")
    else:
        messages.success(request, f"{upload.filename} is imported: {report.pairs:,} pairs.")
    if report.gold_set is not None:
        return redirect("gold-set", project.slug, report.gold_set.pk)
    return redirect("batch", project.slug, report.batch.pk if report.batch else 0)


def _shown(
    request: HttpRequest,
    project: Project,
    upload: Upload,
    form: JudgementsForm,
    reading: Reading | None,
    *,
    status: int = 200,
) -> HttpResponse:
    """The options beside what the file comes to when it is read that way."""
    context: dict[str, Any] = {"upload": upload, "options": form}
    if reading is not None:
        report = check_judgements(
            path=upload.path, filename=upload.filename, reading=reading, encoding=upload.encoding
        )
        context |= {
            "report": report,
            "labels": [(_word(label), count) for label, count in report.labels.items()],
            "sample": [(_word(pair.label), pair) for pair in report.sample],
        }
    return _page(request, project, context, status=status)


def _word(label: str | None) -> str:
    return str(Label(label).label) if label in Label.values else "Skipped"


def _found(request: HttpRequest, project: Project, token: str) -> Upload | None:
    try:
        return find_upload(token, project=project, user=request.user)
    except Http404:
        messages.warning(
            request,
            "That upload is no longer here: it was imported, or is a day old. Nothing was imported just now; "
            "upload the file again.",
        )
        return None


def _page(
    request: HttpRequest, project: Project, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    return render(request, "annotation/judgements_import.html", context, status=status)
