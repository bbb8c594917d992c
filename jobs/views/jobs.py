"""Long work: how far it is, stopping it, taking it up again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django_htmx.http import HttpResponseClientRefresh

from jobs.kinds import job_kind
from jobs.resources import JOBS
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.project_view import POST, SAFE, project_view, show_error, user_of


@project_view(check_read_corpus, SAFE)
def job_progress(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The progress that a page asks for again and again; once the job has ended, that page is reloaded."""
    job = get_object_or_404(project.jobs, pk=pk)
    if not job.active and getattr(request, "htmx", False):
        return HttpResponseClientRefresh()
    return render(request, "jobs/_job_progress.html", {"job": job})


@project_view(check_manage, POST)
def job_action(request: HttpRequest, project: Project, pk: int, action: str) -> HttpResponse:
    """Cancel or resume a job."""
    job, chosen = get_object_or_404(project.jobs, pk=pk), JOBS.action(action)
    if chosen is None:
        raise Http404(gettext("There is no such action."))
    outcome = chosen.act([job], user_of(request))
    for _, reason in outcome.refused:
        show_error(request, PublicError(reason))
    for changed in outcome.done:
        messages.info(
            request, gettext("%(title)s is %(done)s.") % {"title": changed.title, "done": chosen.done}
        )
    return redirect(job_kind(job.kind).page_of(job))
