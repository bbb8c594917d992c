"""The splitting stage: batches, the page on which people split, and the scores against gold sub-clusters."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from annotation.forms import SplittingBatchForm, SubclusterScoresForm, annotators_of
from annotation.models import BatchKind, GoldSubclusterSet, Item
from annotation.permissions import check_see_answers, check_see_gold
from annotation.presenters import undecided_context
from annotation.services.drawing import draw_splitting_batch
from annotation.services.subcluster_scores import scores_of
from annotation.services.subclusters import split_figures
from annotation.specs import SubclusterScoresSpec
from corpus.models import Article, HeldOut
from paragold.matching.sub_clusters import METHOD_NAMES, TableRow, part_name, precision_text
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import anybody_in_it, project_view, submitted, user_of

from .answering import answering_context
from .batches import (
    SAFE_AND_POST,
    batch_context,
    batch_of,
    drawn_batch,
    set_state,
    stage_context,
)

GROUP_KEYS = [str(number) for number in range(1, 10)]
"""The groups that have a key of their own."""


@require_safe
@project_view(anybody_in_it)
def split(request: HttpRequest, project: Project) -> HttpResponse:
    context = stage_context(request, project, BatchKind.SPLIT)
    context["headlines"] = has_headlines(project)
    return render(request, "annotation/split_stage.html", context)


def has_headlines(project: Project) -> bool:
    return Article.objects.filter(cluster__project=project).exclude(title="").exists()


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_batch(request: HttpRequest, project: Project) -> HttpResponse:
    form = SplittingBatchForm(request.POST or None, project=project)
    batch = drawn_batch(
        request, form, lambda: draw_splitting_batch(project=project, by=user_of(request), **form.cleaned_data)
    )
    if batch is not None:
        return redirect("split-detail", project.slug, batch.pk)
    context = {"form": form, "headlines": has_headlines(project), "annotators": annotators_of(project)}
    return render(request, "annotation/split_form.html", context, status=422 if form.errors else 200)


@require_http_methods(SAFE_AND_POST)
@project_view(check_see_answers)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = batch_of(project, pk, BatchKind.SPLIT)
    if request.method == "POST":
        return set_state(request, project, found, "split-detail")
    figures = split_figures(request.user, project, found)
    context = batch_context(request, project, found) | {
        "figures": figures,
        **undecided_context(request, project, found, Item.objects.filter(pk__in=figures.undecided_items)),
        "gold_sets": found.gold_subcluster_sets.all(),
        "clusters": dict(HeldOut.choices).get(found.sampling.get("clusters"), ""),
    }
    return render(request, "annotation/split_batch.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
@project_view(anybody_in_it)
def split_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    context: dict[str, Any] = answering_context(request, project, pk, BatchKind.SPLIT)
    context |= {"thing": "cluster", "groups": GROUP_KEYS}
    return render(request, "annotation/split.html", context)


# Precision and recall as the paper printed them, by method and whether on clusters only.
PAPER = {
    ("kmeans", True): ("0.91", "0.43"),
    ("kmeans", False): ("0.66", "0.44"),
    ("pairwise", True): ("0.93", "0.39"),
    ("pairwise", False): ("0.76", "0.41"),
}


@require_safe
@project_view(check_see_gold)
def subcluster_scores(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Both methods by the thresholds in the address, or the paper's; tuned, if a share is given."""
    gold_set = get_object_or_404(GoldSubclusterSet.objects.select_related("project"), project=project, pk=pk)
    form = SubclusterScoresForm(request.GET or SubclusterScoresSpec().as_json())
    scores = submitted(
        form, lambda: scores_of(gold_set, form.spec, share=form.cleaned_data["share"], seed=form.spec.seed)
    )
    context: dict[str, Any] = {"gold_set": gold_set, "form": form, "scores": scores}
    if scores:
        context |= {
            "rows": [_row(row) for row in scores.table],
            "development": [(METHOD_NAMES[row.method], f"{row.counts.f:.3f}") for row in scores.development],
            "thresholds": scores.settings,
        }
    return render(request, "annotation/subcluster_scores.html", context, status=422 if form.errors else 200)


def _row(row: TableRow) -> dict[str, Any]:
    counts = row.counts
    precision, recall = PAPER[row.method, row.clusters_only]
    return {
        "method": METHOD_NAMES[row.method],
        "headlines": part_name(row),
        "precision": precision_text(counts),
        "recall": f"{counts.recall:.2f}",
        "f": f"{counts.f:.2f}",
        "counts": counts,
        "paper": f"{precision} / {recall}",
    }
