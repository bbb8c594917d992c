"""Long work: how far it is, stopping it, taking it up again."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from corpus.errors import PublicError
from corpus.models import Job, Project
from corpus.permissions import check_manage, check_read_corpus
from corpus.services.dispatch import hand_over
from corpus.services.jobs import cancel_job, retry_job

from .project_view import project_view, tell

PAGES: dict[str, Callable[[Job], str]] = {}
"""The address of the page of a job, by kind; the apps above name theirs."""


@require_safe
@project_view(check_read_corpus)
def job_progress(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The progress that a page asks for again and again; once the job has ended, that page is drawn anew."""
    job = get_object_or_404(project.jobs, pk=pk)
    if not job.active and getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    return render(request, "corpus/_job_progress.html", {"job": job})


@require_POST
@project_view(check_manage)
def job_cancel(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    job = get_object_or_404(project.jobs, pk=pk)
    try:
        cancel_job(job=job)
    except PublicError as error:
        tell(request, error)
    else:
        messages.info(request, f"{job.title} is cancelled. What was done is kept; it can be taken up again.")
    return _back(project, job)


@require_POST
@project_view(check_manage)
def job_retry(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    job = get_object_or_404(project.jobs, pk=pk)
    try:
        hand_over(retry_job(job=job))
    except PublicError as error:
        tell(request, error)
    else:
        messages.info(request, f"{job.title} goes on from where it stopped.")
    return _back(project, job)


def _back(project: Project, job: Job) -> HttpResponse:
    if job.kind in PAGES:
        return redirect(PAGES[job.kind](job))
    extraction = project.extractions.filter(job=job).first()
    if extraction is None:
        return redirect("candidates", project.slug)
    return redirect("extraction", project.slug, extraction.pk)
