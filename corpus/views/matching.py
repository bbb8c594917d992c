"""Launching a matching of sentences, with an estimate of what it would find."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.errors import PublicError
from corpus.forms.launch_cost import check_confirmed
from corpus.forms.matching import CLUSTERS, METHODS, SCOPES, MatchingForm
from corpus.matching.settings import MatchSettings
from corpus.matching.word_sets import STOP_WORDS
from corpus.models import Job, Project
from corpus.permissions import check_manage
from corpus.services.launch_cost import LaunchCost
from corpus.services.matching import KIND, ROW_CAP, matching_cost, settings_of
from corpus.services.matching_estimate import Estimate, estimate, launch_within_cap

from .extractions import SETTINGS
from .project_view import project_view, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_matching(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose how sentences are matched; estimate what would be found (`step` is "estimate"), or launch."""
    form = MatchingForm(request.POST if request.method == "POST" else None)
    expected: Estimate | None = None
    estimating = request.POST.get("step") == "estimate"
    costs = _costs(project, form)
    if form.is_bound and form.is_valid() and not estimating:
        ((_, cost),) = costs
        check_confirmed(form, f"This matching ({cost.processes})", cost.seconds, "confirmed_time")
    if form.is_bound and form.is_valid():
        try:
            if estimating:
                expected = estimate(project=project, **form.asked())
            else:
                extraction = launch_within_cap(
                    project=project,
                    by=user_of(request),
                    name=form.cleaned_data["name"],
                    confirmed=form.cleaned_data["confirmed"],
                    **form.asked(),
                )
                messages.success(request, f"The matching {extraction.name} is launched.")
                return redirect("extraction", project.slug, extraction.pk)
        except PublicError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
    clusters = project.clusters.of_corpus().count()
    context = {
        "form": form,
        "expected": expected,
        "clusters": clusters,
        "row_cap": ROW_CAP,
        "costs": costs,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "corpus/matching_new.html", context, status=status)


def _costs(project: Project, form: MatchingForm) -> list[tuple[str, LaunchCost]]:
    """What is asked for costs; before that, the form's defaults with each scope."""
    if form.is_bound and form.is_valid():
        return [("With the choices above", matching_cost(project=project, **form.asked()))]
    settings = MatchSettings(method="minhash", permutations=128)
    return [
        (
            f"By MinHash with 128 permutations, {label}",
            matching_cost(project=project, settings=settings, scope=scope),
        )
        for scope, label in SCOPES
    ]


def settings_rows(job: Job) -> list[tuple[str, str]]:
    """What a matching was asked for, in words."""
    settings = settings_of(job)
    rows = [
        ("Compare", dict(SCOPES)[job.parameters["scope"]]),
        ("Clusters", dict(CLUSTERS)[job.parameters["clusters"]]),
        ("Method", dict(METHODS)[settings.method]),
        ("Threshold", f"{settings.threshold:g}"),
        ("One partner at most", "yes" if settings.greedy else "no"),
    ]
    if settings.method == "minhash":
        rows.append(("Permutations", f"{settings.permutations:,}"))
    if settings.method != "exact":
        rows.append(("Seed", str(settings.seed)))
    words = " ".join(sorted(settings.stop_words)) or "none"
    own = "" if settings.stop_words == STOP_WORDS else " (own list)"
    return [*rows, (f"Stop words{own}", words)]


SETTINGS[KIND] = settings_rows
