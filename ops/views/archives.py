"""Archives that come in as projects, for administrators: upload, check, people, import. Archives of a
project: asking for one, its progress, downloading and deleting it.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from corpus.services.uploads import Upload, find_upload
from corpus.views.uploads import UPLOAD_LIMITS, SizeLimit, blame_size, bounded_upload, keep_upload
from jobs.models import Job, JobState
from jobs.services import running
from jobs.services.ledger import retry_job
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.archive.import_jobs import (
    begin_storing,
    discard_import,
    earlier_import,
    launch_check,
    preview,
    sweep_imports,
)
from ops.archive.tables import MAKE
from ops.models import DAYS_KEPT, ArchiveImport, ArchiveState, ProjectArchive
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_administer, check_manage
from projects.views.project_view import FORM, POST, SAFE, project_view, show_error, submitted, user_of

# Up to this size the browser waits a moment for the worker that checks or stores an archive.
AT_ONCE_BYTES = 1 << 20
AT_ONCE_ROWS = 5_000
SHOWN_TABLES = {
    "corpus.Cluster": "clusters",
    "corpus.Article": "articles",
    "corpus.Sentence": "sentences",
    "corpus.CandidatePair": "candidate pairs",
    "corpus.Dataset": "datasets",
    "annotation.Batch": "batches",
    "annotation.Answer": "answers",
    "annotation.Judgement": "judgements",
    "alignment.Alignment": "linked pairs",
    "annotation.GoldSet": "gold sets",
    "alignment.GoldAlignmentSet": "sets of gold links",
    "annotation.TrainedClassifier": "classifiers",
    "alignment.TrainedAligner": "trained aligners",
    "alignment.Experiment": "experiments",
    "alignment.Export": "exports",
}
"""The tables of an archive that people are shown before it comes in."""


class ArchiveUploadForm(forms.Form):
    file = forms.FileField(
        label="Archive",
        max_length=255,
        allow_empty_file=True,  # the check says what an empty file lacks
        widget=forms.FileInput(attrs={"accept": ".zip"}),
    )


class ArchiveImportForm(forms.Form):
    """The project's short name, and an account for each user of the archive."""

    slug = forms.SlugField(label="Short name", max_length=60, help_text="Part of the project's addresses.")

    def __init__(self, *arguments: Any, slug: str, users: list[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["slug"].initial = slug
        self.users = users
        for number, user in enumerate(users):
            self.fields[f"account-{number}"] = forms.CharField(
                label=f"Account here for {user}", max_length=150, initial=user
            )

    def account_fields(self) -> list[forms.BoundField]:
        """The fields of the accounts, in the order of the users."""
        return [self[f"account-{number}"] for number in range(len(self.users))]

    @property
    def accounts(self) -> dict[str, str]:
        """Accounts that are not those of the same name, by the archive's user."""
        given = {user: self.cleaned_data[f"account-{number}"] for number, user in enumerate(self.users)}
        return {user: account for user, account in given.items() if account != user}


@bounded_upload
def archive_imports(request: HttpRequest, limit: SizeLimit) -> HttpResponse:
    check_administer(request.user)
    if request.method != "POST":
        sweep_imports()
        return _page(request, ArchiveUploadForm())
    try:
        upload = _received(request, limit)
        if isinstance(upload, ArchiveUploadForm):
            return _page(request, upload, status=422)
        source = launch_check(upload=upload, by=user_of(request))
    except PublicError as error:
        show_error(request, error)
        return redirect("archive-imports")
    if upload.size <= AT_ONCE_BYTES and source.job:
        running.wait_for(source.job, seconds=running.PAGE_SECONDS)
    return redirect("archive-import", source.pk)


def _received(request: HttpRequest, limit: SizeLimit) -> Upload | ArchiveUploadForm:
    """The file that was sent, in this request or before in pieces; the form where there is none."""
    if token := request.POST.get("upload"):
        return find_upload(token, project=None, user=user_of(request))
    form = ArchiveUploadForm(request.POST, request.FILES)
    blame_size(form, limit, "import_project")
    if not form.is_valid():
        return form
    file = form.cleaned_data["file"]
    return keep_upload(file, encoding="utf-8", project=None, user=user_of(request))


def _page(request: HttpRequest, form: ArchiveUploadForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "rows": ArchiveImport.objects.select_related("project", "imported_by")[:20],
        **UPLOAD_LIMITS,
    }
    return render(request, "ops/archive_imports.html", context, status=status)


def _source(request: HttpRequest, pk: int) -> ArchiveImport:
    """Raises Http404 for everybody but administrators, whether there is one or not."""
    if not user_of(request).is_superuser:
        raise Http404("Only administrators import archives.")
    return get_object_or_404(ArchiveImport.objects.select_related("project", "imported_by", "job"), pk=pk)


@require_http_methods(FORM)
def archive_import(request: HttpRequest, pk: int) -> HttpResponse:
    """How far an import is, what the archive holds, and what is to become of its people."""
    source = _source(request, pk)
    try:
        if "discard" in request.POST:
            discard_import(source=source)
            messages.info(request, "The upload is discarded; nothing was imported.")
            return redirect("archive-imports")
        if "again" in request.POST and source.job:
            retry_job(job=source.job)
            return redirect("archive-import", pk)
    except PublicError as error:
        show_error(request, error)
        return redirect("archive-import", pk)
    context: dict[str, Any] = {"source": source, "job": source.job, "progress_url": _progress_url(source)}
    if source.state != ArchiveState.CHECKED:
        return render(request, "ops/archive_import.html", context)
    contents = preview(source)
    sent = request.POST if "confirm" in request.POST else None
    form = ArchiveImportForm(sent, slug=_free_slug(contents["slug"]), users=source.users)
    job = submitted(
        form,
        lambda: begin_storing(
            source=source, by=user_of(request), slug=form.cleaned_data["slug"], accounts=form.accounts
        ),
    )
    if job is not None:
        if job.total <= AT_ONCE_ROWS:
            running.wait_for(job, seconds=running.PAGE_SECONDS)
        return redirect("archive-import", pk)
    earlier = earlier_import(source)
    rows = contents["rows"]
    shown = [(words, rows[table]) for table, words in SHOWN_TABLES.items() if rows.get(table)]
    context |= {
        "contents": contents,
        "form": form,
        "same_file": earlier.project if earlier else None,
        "people": list(zip(contents["users"], form.account_fields(), strict=True)),
        "rows": [*shown, ("rows in all", sum(rows.values()))],
    }
    return render(request, "ops/archive_import.html", context, status=422 if form.errors else 200)


@require_safe
def archive_import_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """The progress that the page asks for again and again; once the job has ended, it is reloaded."""
    source = _source(request, pk)
    if not (source.job and source.job.active) and getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    if source.job is None:
        return HttpResponse()
    context = {"job": source.job, "progress_url": _progress_url(source)}
    return render(request, "jobs/_job_progress.html", context)


def _progress_url(source: ArchiveImport) -> str:
    return reverse("archive-import-progress", args=[source.pk])


def _free_slug(slug: str) -> str:
    """The archive's short name, or with the first number that is free."""
    taken = set(Project.everything.filter(slug__startswith=slug).values_list("slug", flat=True))
    names = [slug, *(f"{slug[:56]}-{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def page_of_job(job: Job) -> str:
    source = ArchiveImport.objects.filter(job=job).first()
    return reverse("archive-imports") if source is None else reverse("archive-import", args=[source.pk])


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
