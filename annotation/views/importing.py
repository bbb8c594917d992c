"""Importing judgements from a file: upload, options beside a preview, import."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.forms import JudgementsForm, JudgementsUploadForm
from annotation.models import Label
from annotation.services.judgement_import import check_judgements, import_judgements
from corpus.services.uploads import MEGABYTES_AT_MOST
from corpus.views.uploads import SizeLimit, bounded_upload, find_upload, keep_upload
from paragold.formats.judgement_files import JUDGEMENT_FORMATS, columns_of
from paragold.formats.judgement_formats import Reading
from paragold.problems import FileProblem
from projects.models import Project
from projects.parsing.process import limited
from projects.permissions import check_manage
from projects.views.project_view import project_view, submitted, user_of


@bounded_upload
@project_view(check_manage)
def judgements_import(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    sends = request.method == "POST"
    sent = request.POST if sends else request.GET
    if "upload" in sent:
        return _options(request, project, sent["upload"])
    form = JudgementsUploadForm(request.POST, request.FILES) if sends else JudgementsUploadForm()
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error(
            "file",
            f"This file is larger than {MEGABYTES_AT_MOST} MB. Split it, or use "
            "`manage.py import_judgements` on the server, which has no such limit.",
        )
    if form.is_valid():
        upload = keep_upload(**form.cleaned_data, project=project, user=request.user)
        return redirect(reverse("judgements-import", args=[project.slug]) + f"?upload={upload.token}")
    context = {"form": form, "formats": JUDGEMENT_FORMATS}
    return render(request, "annotation/judgements_import.html", context, status=422 if sends else 200)


def _options(request: HttpRequest, project: Project, token: str) -> HttpResponse:
    """The options beside a preview of the upload as they read it; a POST imports it."""
    try:
        upload = find_upload(token, project=project, user=request.user)
    except Http404:
        messages.warning(
            request,
            "That upload is no longer here: it was imported, or is a day old. Nothing was imported just now; "
            "upload the file again.",
        )
        return redirect("judgements-import", project.slug)
    source: dict[str, Any] = {"path": upload.path, "filename": upload.filename, "encoding": upload.encoding}
    sent = request.POST if request.method == "POST" else request.GET if "become" in request.GET else None
    stem = upload.filename.rpartition(".")[0] or upload.filename
    try:
        columns = limited(columns_of, upload.path, encoding=upload.encoding)
    except FileProblem:
        columns = ([], [])  # what is wrong is said when the file is read
    form = JudgementsForm(sent, project=project, columns=columns, initial={"name": stem[:80]})
    reading: Reading | None = Reading()
    if sent is not None:
        form.is_valid()
        reading = getattr(form, "reading", None)
    if request.method == "POST":
        report = submitted(
            form,
            lambda: import_judgements(
                project=project, by=user_of(request), name=form.cleaned_data["name"], annotator=form.whose,
                reading=form.reading, keep_contradictions=form.cleaned_data["keep_contradictions"], **source,
            ),
        )  # fmt: skip
        if report is not None and report.status != "refused":
            upload.remove()
            if report.status == "unchanged":
                messages.info(request, f"Nothing changed: all of {upload.filename} is there already.")
            else:
                messages.success(request, f"{upload.filename} is imported: {report.pairs:,} pairs.")
            if report.gold_set is not None:
                return redirect("gold-set", project.slug, report.gold_set.pk)
            return redirect("batch", project.slug, report.batch.pk if report.batch else 0)
    context: dict[str, Any] = {"upload": upload, "options": form}
    if reading is not None:
        report = check_judgements(reading=reading, **source)
        context |= {
            "report": report,
            "labels": [(_word(label), count) for label, count in report.labels.items()],
            "sample": [(_word(pair.label), pair) for pair in report.sample],
        }
    refused = request.method == "POST" or form.errors
    return render(request, "annotation/judgements_import.html", context, status=422 if refused else 200)


def _word(label: str | None) -> str:
    return str(Label(label).label) if label in Label.values else "Skipped"
