"""Aligners and what they score: the table of alignment error rates, as table 1 of DQB04."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from alignment.forms import ScoreForm
from alignment.models import Evaluation
from alignment.services.experiment_tables import NAMES
from alignment.services.scoring import score_aligner
from alignment.services.trained_aligners.applying import apply_aligner
from alignment.services.trained_aligners.stored import PREFIX, chosen
from annotation.permissions import check_see_gold
from annotation.presenters import percent
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, submitted, user_of

from .trained_aligners import listing


@require_safe
@project_view(check_see_gold)
def aligners(request: HttpRequest, project: Project) -> HttpResponse:
    initial = {"gold_set": request.GET["gold_set"]} if request.GET.get("gold_set") else {}
    return _page(request, project, ScoreForm(project=project, initial=initial))


@require_POST
@project_view(check_manage)
def score(request: HttpRequest, project: Project) -> HttpResponse:
    form = ScoreForm(request.POST, project=project)
    if form.is_valid() and form.cleaned_data["aligner"].startswith(PREFIX):
        return _apply(request, project, form)
    if evaluation := submitted(form, lambda: score_aligner(**form.cleaned_data)):
        messages.success(request, f"{evaluation}: AER {percent(evaluation.scores['all']['aer'])}.")
        return redirect("aligners", project.slug)
    return _page(request, project, form)


def _apply(request: HttpRequest, project: Project, form: ScoreForm) -> HttpResponse:
    """Have a trained aligner scored: by a job, since opening it takes long."""
    fields = form.cleaned_data
    if fields["strengths"] != "as_drawn":
        form.add_error("strengths", "A trained aligner is scored against the links as they are drawn.")
        return _page(request, project, form)
    trained = chosen(project, fields["aligner"])
    run = apply_aligner(project=project, by=user_of(request), trained=trained, gold_set=fields["gold_set"])
    return redirect("aligner-run", project.slug, run.pk)


def _page(request: HttpRequest, project: Project, form: ScoreForm) -> HttpResponse:
    evaluations = Evaluation.objects.filter(gold_set__project=project).select_related("gold_set")
    context = {
        "rows": [
            (evaluation, [evaluation.scores[name] for name in NAMES])
            for evaluation in evaluations.order_by("-gold_set", "aligner", "-pk")
        ],
        "words": NAMES.values(),
        "gold_links": project.gold_alignment_sets.current().exists(),
        "form": form,
        "trained": listing(request, project),
    }
    return render(request, "alignment/aligners.html", context, status=422 if form.errors else 200)
