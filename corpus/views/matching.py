"""Launching a matching of sentences, with an estimate of what it would find, or of headlines."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.forms.extractions import HeadlineMatchingForm, MatchingForm
from corpus.services.headline_matching import headline_cost, launch_headline_matching
from corpus.services.matching import (
    ROW_CAP,
    SCOPES,
    Estimate,
    estimate,
    launch_matching,
    matching_cost,
)
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.forms import check_confirmed
from jobs.services.launch_cost import LaunchCost
from paragold.text.languages import stemmer_name
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, submitted, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_matching(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose how sentences are matched; estimate what would be found (`step` is "estimate"), or launch."""
    form = MatchingForm(request.POST if request.method == "POST" else None)
    by = user_of(request)
    expected: Estimate | None = None
    estimating = request.POST.get("step") == "estimate"
    costs = _costs(project, form)
    if form.is_bound and form.is_valid() and not estimating:
        ((_, cost),) = costs
        check_confirmed(form, f"This matching ({cost.processes})", cost.seconds, "confirmed_time")
    if estimating:
        expected = submitted(form, lambda: estimate(project=project, spec=form.spec))
    elif made := submitted(form, lambda: launch_matching(project=project, by=by, **form.asked())):
        messages.success(request, f"The matching {made.name} is launched.")
        return redirect("extraction", project.slug, made.pk)
    context = {
        "form": form,
        "expected": expected,
        "clusters": project.clusters.of_corpus().count(),
        "row_cap": ROW_CAP,
        "costs": costs,
    }
    return render(request, "corpus/matching_new.html", context, status=422 if form.errors else 200)


def _costs(project: Project, form: MatchingForm) -> list[tuple[str, LaunchCost]]:
    """What the form's choices cost; before they are sent, the defaults with each scope."""
    if form.is_bound and form.is_valid():
        return [("With the choices above", matching_cost(project=project, spec=form.spec))]
    costs = []
    for scope, label in SCOPES.items():
        spec = ProjectMatchingSpec.from_json({"scope": scope})
        costs.append((f"With the defaults, {label}", matching_cost(project=project, spec=spec)))
    return costs


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_headline_matching(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose how headlines are matched, and launch that."""
    form = HeadlineMatchingForm(request.POST if request.method == "POST" else None)
    spec = form.spec if form.is_bound and form.is_valid() else ProjectHeadlineSpec()
    cost = headline_cost(project=project, spec=spec)
    if form.is_bound and form.is_valid():
        check_confirmed(form, f"This matching ({cost.processes})", cost.seconds)
    by = user_of(request)
    if made := submitted(form, lambda: launch_headline_matching(project=project, by=by, **form.asked())):
        messages.success(request, f"The matching {made.name} is launched.")
        return redirect("extraction", project.slug, made.pk)
    context = {
        "form": form,
        "clusters": project.clusters.of_corpus().count(),
        "stemmer": stemmer_name(project.language),
        "costs": [("With the choices above", cost)],
    }
    return render(request, "corpus/headline_matching_new.html", context, status=422 if form.errors else 200)
