"""The splitting stage: batches, a new one, one of them in detail, and the page on which people split."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from annotation.forms import annotators_of
from annotation.models import BatchKind, Item
from annotation.permissions import check_see_answers
from annotation.services.subclusters.drawing import draw_splitting_batch
from annotation.services.subclusters.figures import split_figures
from annotation.splitting_forms import SplittingBatchForm
from corpus.models import Article, HeldOut
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import anybody_in_it, project_view, user_of

from .agreement import decimals
from .answering import answering_context
from .batches import SAFE_AND_POST, batch_context, batch_of, drawn_batch, set_state, stage_context
from .obstacles import undecided_context

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
        "adjusted_rand": decimals(figures.agreement.adjusted_rand),
        "f1": decimals(figures.agreement.f1),
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
