"""Importing articles from a file: upload, columns, check, import, report; a project that begins with one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from corpus.forms import ColumnsForm, ConfirmForm, EventsForm, NewProjectFileForm, UploadForm
from corpus.models import CorpusImport, ImportState
from corpus.services.import_storing import STORE, begin_storing
from corpus.services.importing import CHECK, discard_import, ended, launch_check, options_of, sweep_imports
from corpus.services.uploads import Upload, UploadGone, find_upload, give_to
from corpus.views.uploads import UPLOAD_LIMITS, SizeLimit, blame_size, keep_upload, large_upload
from jobs.models import Job
from jobs.services import running
from jobs.services.ledger import hand_over
from paragold.events.settings import EventSpec
from paragold.extraction.presets import RECOMMENDED
from paragold.formats.tables import TableHead, read_head
from paragold.problems import FileProblem
from paragold.sources.article_sources import JSONL, SourceOptions, read_keys
from paragold.sources.articles import COLUMNS, NEEDED, NEEDED_OF_A_STREAM
from paragold.text.segmenters import RULES
from projects.errors import PublicError
from projects.forms.projects import NewProjectForm
from projects.models import Project
from projects.parsing.process import limited
from projects.permissions import check_create_projects, check_manage
from projects.services.projects import change_project, create_project
from projects.views.project_view import FORM, project_view, show_error, submitted, user_of
from projects.views.projects import preview_of

# Up to this size the browser waits a moment for the worker that checks or stores a file.
AT_ONCE_BYTES = 4 << 20


@large_upload
@project_view(check_manage, refused=("corpus-import",))
def corpus_import(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    posted = request.method == "POST"
    token = (request.POST if posted else request.GET).get("upload")
    if token is None:
        return (
            _receive(request, project, limit)
            if posted
            else _page(request, project, {"form": UploadForm(), "events": EventsForm()})
        )
    upload = find_upload(token, project=project, user=user_of(request))
    if "discard" in request.POST:
        upload.remove()
        messages.info(request, "The upload is discarded; nothing was imported.")
        return redirect("corpus-import", project.slug)
    return _received(request, project, upload)


def _receive(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    form, events = UploadForm(request.POST, request.FILES), EventsForm(request.POST)
    blame_size(form, limit)
    if not (form.is_valid() and events.is_valid()):
        return _page(request, project, {"form": form, "events": events}, status=422)
    sweep_imports()
    file = form.cleaned_data["file"]
    upload = keep_upload(file, encoding=form.cleaned_data["encoding"], project=project, user=user_of(request))
    return begin_check(request, project, upload)


def begin_check(request: HttpRequest, project: Project, upload: Upload) -> HttpResponse:
    """Check a file that has come with the fields of `EventsForm`; its columns are chosen first, if needed."""
    events = EventsForm(request.POST)
    head = _head(upload)
    if head is not None and events.is_valid():
        needed = NEEDED_OF_A_STREAM if events.chosen(project.language) else (*NEEDED, "id")
        if upload.format == JSONL.id and head[1].keys() >= {*needed}:
            return _received(request, project, upload)
        return redirect(
            _columns_address(project, upload.token, events.chosen(project.language), events.chosen_segmenter)
        )
    return _received(request, project, upload)


def _received(request: HttpRequest, project: Project, upload: Upload) -> HttpResponse:
    """An upload is here: it is checked, or the page on which its columns are chosen is shown."""
    form = EventsForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        raise PublicError(
            "The threshold or the window of the clusters is out of range. Upload the file again."
        )
    events = form.chosen(project.language)
    options = SourceOptions(upload.format, upload.encoding, events=events, segmenter=form.chosen_segmenter)
    head = _head(upload)
    chosen = request.POST if "column-text" in request.POST else None
    asked = chosen or request.method == "GET" or upload.format != JSONL.id
    if head is not None and asked:
        columns = ColumnsForm(*head, chosen, stream=events is not None)
        if not columns.is_valid():
            status = 422 if columns.is_bound else 200
            context = {"upload": upload, "columns": columns, "head": head[0], "events": form}
            return _page(request, project, context, status=status)
        options = replace(options, mapping=columns.mapping)
    if request.method != "POST":
        return redirect("corpus-import", project.slug)
    source = launch_check(project=project, by=user_of(request), upload=upload, options=options)
    wait_if_short(source.job)
    return redirect("import", project.slug, source.pk)


def _columns_address(project: Project, token: str, events: EventSpec | None, segmenter: str) -> str:
    """Where the columns of a table are chosen."""
    query: dict[str, object] = {"upload": token}
    if segmenter != RULES.id:
        query["segmenter"] = segmenter
    if events:
        query |= {"find_clusters": "on", "threshold": events.threshold, "window_days": events.window_days}
    return reverse("corpus-import", args=[project.slug]) + f"?{urlencode(query)}"


def _head(upload: Upload) -> tuple[TableHead, dict[str, str]] | None:
    """The columns of a table, or the keys of JSON Lines, with the first rows, and field -> column as usual.

    None if they cannot be read: the check then says why.
    """
    try:
        if upload.format == JSONL.id:
            return limited(read_keys, upload.path, encoding=upload.encoding)
        if upload.format == "table":
            head = limited(read_head, upload.path, encoding=upload.encoding)
            return head, COLUMNS.mapping(head[0])
    except FileProblem:
        pass
    return None


@project_view(check_manage, FORM)
def import_page(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """How far an import is, what was found, and what to do next."""
    source = get_object_or_404(project.imports.select_related("job", "imported_by"), pk=pk)
    form = ConfirmForm(request.POST if "confirm" in request.POST else None, project=project)
    try:
        if form.is_bound and form.is_valid():
            return _confirm(request, project, source, form)
        if "discard" in request.POST:
            discard_import(source=source)
            messages.info(request, "The upload is discarded; nothing was imported.")
            return redirect("corpus-import", project.slug)
    except PublicError as error:
        show_error(request, error)
        return redirect("import", project.slug, pk)
    if source.job and source.job.kind not in (CHECK, STORE):
        raise Http404("Not an import of articles.")
    earlier = project.imports.imported().filter(sha256=source.sha256).exclude(pk=pk).first()
    checked = source.state == ImportState.CHECKED
    extractions = project.extractions.current().select_related("job")
    columns = ""
    if source.options.get("mapping") or source.options.get("format") == JSONL.id:
        chosen = options_of(source)
        columns = _columns_address(project, source.token, chosen.events, chosen.segmenter)
    context = {
        "source": source,
        "job": source.job,
        "form": form if form.is_bound else ConfirmForm(project=project) if checked else None,
        "extraction": extractions.first() if source.state == ImportState.IMPORTED else None,
        "same_file": earlier if source.state == ImportState.CHECKED else None,
        "counts": [(name.replace("_", " "), count) for name, count in source.counts.items()],
        "columns_address": columns,
    }
    status = 422 if form.is_bound else 200
    return render(request, "corpus/import_report.html", context | {"project": project}, status=status)


def _confirm(request: HttpRequest, project: Project, source: CorpusImport, form: ConfirmForm) -> HttpResponse:
    by, share = user_of(request), form.cleaned_data.get("held_out_share")
    if share is not None and share != project.held_out_share:
        change_project(project=project, by=by, held_out_share=share)
    preset = RECOMMENDED if form.cleaned_data["extract"] else ""
    job = begin_storing(source=source, by=by, then_extract=preset)
    hand_over(job)
    wait_if_short(job)
    source.refresh_from_db()
    if source.state == ImportState.UNCHANGED:
        there = source.counts["articles_already_there"]
        ended(source)
        messages.info(
            request, f"Nothing changed: all {there:,} articles of {source.filename} are there already."
        )
        return redirect("corpus", project.slug)
    if source.state == ImportState.IMPORTED:
        extraction = project.extractions.select_related("job").first() if preset else None
        wait_if_short(extraction.job if extraction else None)
        near = source.counts.get("near_duplicates", 0)
        left_out = f" {near:,} near duplicates were left out." if near else ""
        messages.success(request, f"{source.filename} is imported.{left_out}")
    return redirect("import", project.slug, source.pk)


def wait_if_short(job: Job | None) -> None:
    """Wait a moment for a worker that checks or stores a small file, counted in KiB."""
    if job and job.total << 10 <= AT_ONCE_BYTES:
        running.wait_for(job, seconds=running.PAGE_SECONDS)


def _page(
    request: HttpRequest, project: Project, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    context |= {**UPLOAD_LIMITS, "project": project}
    return render(request, "corpus/import.html", context, status=status)


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
