"""Long work: how far it is, stopping it, taking it up again."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django_htmx.http import HttpResponseClientRefresh

from jobs.kinds import job_kind
from jobs.listings import JOBS
from jobs.models import Job
from jobs.services.ledger import cancel_job, retry_job
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.lists import list_response, table_of
from projects.views.project_view import POST, SAFE, project_view, show_error

JOB_COLUMNS = {"Job": "title", "Kind": "", "State": "", "Done": "", "By": ""}
JOB_COLUMNS |= {"Requested": "id", "Ended": "ended"}


@project_view(check_read_corpus, SAFE)
def jobs(request: HttpRequest, project: Project) -> HttpResponseBase:
    """The jobs of the project, the latest first."""
    table = table_of(
        request,
        project,
        JOBS,
        row="jobs/_job_row.html",
        columns=JOB_COLUMNS,
        numbers=("Done", "Requested", "Ended"),
        default="-id",
    )
    return list_response(request, project, "jobs/jobs.html", table)


@project_view(check_read_corpus, SAFE)
def job_progress(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The progress that a page asks for again and again; once the job has ended, that page is reloaded."""
    job = get_object_or_404(project.jobs, pk=pk)
    if not job.active and getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    return render(request, "jobs/_job_progress.html", {"job": job})


@project_view(check_manage, POST)
def job_cancel(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    done = "is cancelled. What was done is kept; it can be resumed."
    return _changed(request, project, pk, cancel_job, done)


@project_view(check_manage, POST)
def job_retry(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    return _changed(request, project, pk, retry_job, "goes on from where it stopped.")


def _changed(
    request: HttpRequest, project: Project, pk: int, change: Callable[..., Job], done: str
) -> HttpResponse:
    job = get_object_or_404(project.jobs, pk=pk)
    try:
        change(job=job)
    except PublicError as error:
        show_error(request, error)
    else:
        messages.info(request, f"{job.title} {done}")
    return redirect(job_kind(job.kind).page_of(job))
