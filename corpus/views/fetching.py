"""Fetching pages: a list of addresses, how far it is, what became of each, and on to the import."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from corpus.forms.importing import AddressListForm
from corpus.models import AddressState, Fetch
from corpus.services.fetch_pages import LANES
from corpus.services.fetching import (
    LIST_KIND,
    check_fetched,
    discard_fetch,
    fetch_or_problems,
    launch_reading,
    user_agent,
)
from jobs.models import Job
from jobs.services import running
from paragold.problems import FileProblem
from paragold.sources.address_lists import ADDRESSES
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.services.installation import administrators, installation_settings, is_forbidden
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, tell, user_of

from .importing import wait_if_short

# Ids have at most 19 digits.
ID_DIGITS = 19
SORTS = {"number": "number", "cluster": "cluster", "size": "size", "seconds": "seconds"}


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_fetch(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose a list, which a worker reads (`?list=`: its job). With problems, nothing of it is fetched."""
    form = AddressListForm(request.POST or None, request.FILES or None)
    problems: list[FileProblem] = []
    job: Job | None = None
    try:
        if request.method == "POST" and form.is_valid():
            file = form.cleaned_data["file"]
            job = launch_reading(
                project=project,
                by=user_of(request),
                pieces=file.chunks(),
                size=file.size,
                filename=file.name,
                encoding=form.cleaned_data["encoding"],
            )
            if not running.wait_for(job, seconds=running.PAGE_SECONDS):
                return redirect(page_of_address_list(job))
        elif (asked := request.GET.get("list", "")).isdecimal() and len(asked) < ID_DIGITS:
            job = get_object_or_404(project.jobs, pk=int(asked), kind=LIST_KIND)
        if job is not None and not job.active:
            outcome = fetch_or_problems(job)
            if isinstance(outcome, Fetch):
                return redirect("fetch", project.slug, outcome.pk)
            problems = outcome
    except PublicError as error:
        if form.is_bound:
            form.add_error(None, str(error))
        else:
            tell(request, error)
    decided = installation_settings()
    context = {
        "project": project,
        "form": form,
        "problems": problems,
        "reading": job if job and job.active else None,
        "allowed": decided.fetching and not is_forbidden(),
        "forbidden": is_forbidden(),
        "administrators": administrators(),
        "user_agent": user_agent(decided.fetch_contact),
        "most": ADDRESSES,
        "hosts": LANES,
        "delay": decided.fetch_delay_seconds,
        "fetches": project.fetches.select_related("job", "requested_by"),
    }
    return render(request, "corpus/fetch_new.html", context, status=422 if request.method == "POST" else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def fetch_page(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """How far a fetch is, and a report for each address."""
    fetch = get_object_or_404(project.fetches.select_related("job", "requested_by", "corpus_import"), pk=pk)
    if request.method == "POST":
        return _do(request, project, fetch)
    counts = dict(fetch.addresses.order_by().values_list("state").annotate(n=Count("pk")))
    state = request.GET.get("state", "")
    rows = fetch.addresses.defer("page")
    if state in AddressState.values:
        rows = rows.filter(state=state)
    context = {
        "project": project,
        "fetch": fetch,
        "job": fetch.job,
        "source": fetch.corpus_import,
        "kept": counts.get(AddressState.KEPT, 0),
        "waiting": counts.get(AddressState.WAITING, 0),
        "states": [(value, label, counts[value]) for value, label in AddressState.choices if value in counts],
        "total": sum(counts.values()),
        "state": state if state in AddressState.values else "",
        "page": keyset_page(rows, request.GET, SORTS),
    }
    return render(request, "corpus/fetch.html", context)


def _do(request: HttpRequest, project: Project, fetch: Fetch) -> HttpResponse:
    try:
        if "discard" in request.POST:
            discard_fetch(fetch=fetch)
            messages.info(request, "The list and its pages are discarded; what was imported of them stays.")
            return redirect("fetch-new", project.slug)
        if "check" in request.POST:
            source = check_fetched(fetch=fetch, by=user_of(request))
            wait_if_short(source.job)
            return redirect("import", project.slug, source.pk)
    except PublicError as error:
        tell(request, error)
    return redirect("fetch", project.slug, fetch.pk)


def page_of_address_list(job: Job) -> str:
    return reverse("fetch-new", args=[job.project.slug]) + f"?list={job.pk}"
