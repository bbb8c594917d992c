"""Importing a file of any kind: sent, checked, shown, stored; a project that begins with one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from corpus.import_forms import COLUMN, NO_COLUMN, ConfirmForm, ImportForm, import_form
from corpus.models import CorpusImport, ImportState
from corpus.services.importing import (
    CHECK,
    STORE,
    WAITING,
    ImportKind,
    begin_storing,
    check_again,
    discard_import,
    ended,
    head_of,
    import_kinds,
    kind_of,
    launch_check,
    sweep_imports,
)
from corpus.services.uploads import Upload, UploadGone, find_upload, give_to
from corpus.views.uploads import SizeLimit, bounded_upload, keep_upload
from jobs.models import Job
from jobs.services import running
from jobs.services.ledger import hand_over
from paragold.extraction.presets import RECOMMENDED
from projects.errors import PublicError
from projects.forms.projects import NewProjectForm
from projects.models import Project
from projects.permissions import check_create_projects, check_manage
from projects.services.projects import change_project, create_project
from projects.views.project_view import FORM, project_view, show_error, submitted, user_of
from projects.views.projects import preview_of

# Up to this size the browser waits a moment for the worker that checks or stores a file.
AT_ONCE_BYTES = 4 << 20
# What the pages say of uploads; a smaller file comes without a bar.
UPLOADS = {"at_once_bytes": 1 << 20}


@bounded_upload
@project_view(check_manage)
def new_import(request: HttpRequest, project: Project, limit: SizeLimit, kind: str) -> HttpResponse:
    chosen = import_kinds()[kind]
    data = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = import_form(chosen, *data, project=project, initial=request.GET.dict())
    _blame_size(form, limit)
    if source := submitted(form, lambda: _received(request, project, chosen, form)):
        return redirect("import", project.slug, source.pk)
    context = {"kind": chosen, "form": form, "project": project, **UPLOADS}
    return render(request, "corpus/import.html", context, status=422 if form.is_bound else 200)


def _received(request: HttpRequest, project: Project, kind: ImportKind, form: ImportForm) -> CorpusImport:
    sweep_imports()
    encoding, by = form.spec.encoding, user_of(request)
    uploads = {
        part: keep_upload(file, encoding=encoding, project=project, user=by)
        for part in kind.parts
        if (file := form.cleaned_data.get(part))
    }
    return _check(request, project, uploads, form)


def _check(
    request: HttpRequest, project: Project, uploads: dict[str, Upload], form: ImportForm
) -> CorpusImport:
    options = form.options(project)
    source = launch_check(project=project, by=user_of(request), uploads=uploads, options=options)
    wait_if_short(source.job)
    return source


def _blame_size(form: ImportForm, limit: SizeLimit) -> None:
    """Say at the form's file that it is too large, where it was."""
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error("file", form.kind.too_large)


@project_view(check_manage, FORM)
def import_page(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """How far an import is, what was found, and what to do next."""
    source = get_object_or_404(project.imports.select_related("job", "imported_by"), pk=pk)
    if source.job and source.job.kind not in (CHECK, STORE):
        raise Http404(gettext("Not an import of a file."))
    kind = kind_of(source)
    request.belongs_to = kind.stage[1]  # type: ignore[attr-defined]  # for the navigation
    confirmation = ConfirmForm(
        request.POST if "confirm" in request.POST else None, project=project, kind=kind
    )
    options = _options(request, project, source)
    try:
        if confirmation.is_bound and confirmation.is_valid():
            return _confirm(request, project, source, confirmation)
        if "discard" in request.POST:
            discard_import(source=source)
            messages.info(request, gettext("The upload is discarded; nothing was imported."))
            return redirect(kind.page, project.slug)
        if options is not None and options.is_bound and options.is_valid():
            wait_if_short(
                check_again(source=source, by=user_of(request), options=options.options(project)).job
            )
            return redirect("import", project.slug, pk)
    except PublicError as error:
        show_error(request, error)
        return redirect("import", project.slug, pk)
    earlier = project.imports.imported().filter(sha256=source.sha256).exclude(pk=pk).first()
    checked = source.state == ImportState.CHECKED
    extractions = project.extractions.current().select_related("job")
    extracts = source.state == ImportState.IMPORTED and kind.grows_corpus
    context = {
        "project": project,
        "kind": kind,
        "source": source,
        "job": source.job,
        "confirmation": confirmation if checked else None,
        "options": options,
        "extraction": extractions.first() if extracts else None,
        "same_file": earlier if checked else None,
        "total": source.counts.get(f"{kind.noun}s", 0),
        "counts": [(name.replace("_", " "), count) for name, count in source.counts.items() if count],
        "sample": kind.samples_of(source) if checked else None,
    }
    status = 422 if confirmation.is_bound or (options is not None and options.is_bound) else 200
    return render(request, "corpus/import.html", context, status=status)


def _options(request: HttpRequest, project: Project, source: CorpusImport) -> ImportForm | None:
    """How a file is read that was checked, to be read in another way."""
    if source.state not in WAITING:
        return None
    kind = kind_of(source)
    columns = {
        f"{COLUMN}{field}": column or NO_COLUMN for field, column in source.options.get("mapping", {}).items()
    }
    initial: dict[str, Any] = dict(kind.spec_of(source)) | columns
    for name in kind.several:
        initial[name] = initial[name].split(",")
    data = request.POST if "check" in request.POST else None
    head = head_of(source)
    return import_form(kind, data, project=project, initial=initial, head=head, files=False)


def _confirm(request: HttpRequest, project: Project, source: CorpusImport, form: ConfirmForm) -> HttpResponse:
    by, share = user_of(request), form.cleaned_data.get("held_out_share")
    if share is not None and share != project.held_out_share:
        change_project(project=project, by=by, held_out_share=share)
    preset = RECOMMENDED if form.cleaned_data.get("extract") else ""
    job = begin_storing(source=source, by=by, then_extract=preset)
    hand_over(job)
    wait_if_short(job)
    source.refresh_from_db()
    kind = kind_of(source)
    number = source.counts.get(f"{kind.noun}s", 0)
    total = f"{number:,} {kind.noun}{'s' * (number != 1)}"
    if source.state == ImportState.UNCHANGED:
        stage = kind.address(source) if kind.made(source) else (kind.stage[1], project.slug)
        ended(source)
        messages.info(
            request,
            gettext("Nothing changed: all %(total)s of %(filename)s are there already.")
            % {"total": total, "filename": source.filename},
        )
        return redirect(*stage)
    if source.state != ImportState.IMPORTED:
        return redirect("import", project.slug, source.pk)
    extraction = project.extractions.select_related("job").first() if preset else None
    wait_if_short(extraction.job if extraction else None)
    near = source.counts.get("near_duplicates", 0)
    words = gettext("%(filename)s is imported: %(total)s.") % {"filename": source.filename, "total": total}
    if near:
        words += gettext(" %(count)s near duplicates were left out.") % {"count": f"{near:,}"}
    messages.success(request, words)
    return redirect(*kind.address(source))


def wait_if_short(job: Job | None) -> None:
    """Wait a moment for a worker that checks or stores a small file, counted in KiB."""
    if job and job.total << 10 <= AT_ONCE_BYTES:
        running.wait_for(job, seconds=running.PAGE_SECONDS)


@bounded_upload
def new_project(request: HttpRequest, limit: SizeLimit, kind: str) -> HttpResponse:
    """A file that was sent stays here while the form is corrected or its guidelines are previewed."""
    check_create_projects(request.user)
    posted = request.method == "POST"
    data, files = (request.POST, request.FILES) if posted else (None, None)
    form = NewProjectForm(data)
    file = import_form(import_kinds()[kind], data, files, project=None, required=False)
    _blame_size(file, limit)
    preview = preview_of(request)
    upload: Upload | None = None
    try:
        upload = _sent(request, file)
    except UploadGone as error:
        file.add_error("file", str(error))
    if preview is None and file.is_valid():
        by = user_of(request)
        if project := submitted(form, lambda: create_project(by=by, **form.settings())):
            return _created(request, project, upload, file)
    context = {"form": form, "file": file, "kind": file.kind, "upload": upload, "preview": preview, **UPLOADS}
    status = 422 if posted and preview is None else 200
    return render(request, "projects/project_new.html", context, status=status)


def _created(request: HttpRequest, project: Project, upload: Upload | None, form: ImportForm) -> HttpResponse:
    if upload is None:
        messages.success(
            request,
            gettext("The project %(name)s is created. Now import its corpus.") % {"name": project.name},
        )
        return redirect("project", project.slug)
    try:
        source = _check(request, project, {"file": give_to(upload, project)}, form)
    except PublicError as error:
        show_error(request, error)
        return redirect("corpus-import", project.slug)
    return redirect("import", project.slug, source.pk)


def _sent(request: HttpRequest, form: ImportForm) -> Upload | None:
    """The file that came with this request or an earlier one. Raises UploadGone."""
    if form.is_valid() and (file := form.cleaned_data.get("file")):
        return keep_upload(file, encoding=form.spec.encoding, project=None, user=user_of(request))
    if token := request.POST.get("upload"):
        return find_upload(token, project=None, user=user_of(request))
    return None
