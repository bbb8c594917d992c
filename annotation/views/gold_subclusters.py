"""Gold sub-clusters: freezing a set, reading one, its file."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.api.gold_subclusters import jsonl_response
from annotation.forms import blame
from annotation.models import Batch, BatchKind, GoldSubclusters, GoldSubclusterSet, SubclusterRule
from annotation.permissions import check_see_gold
from annotation.services.subclusters.gold import freeze_gold_subclusters, subclusters_forecast
from annotation.splitting_forms import GoldSubclustersForm
from jobs.views.archived import shown
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view, user_of

from .agreement import decimals
from .batches import SAFE_AND_POST
from .forecasts import shown_forecast
from .gold import say_frozen
from .letters import letter
from .progress import annotator_progress

CLUSTERS_A_PAGE = 20


def gold_rows(request: HttpRequest, project: Project) -> list[dict[str, Any]]:
    """What the gold page tells of a project's gold sub-clusters."""
    return [
        {
            "gold_set": found,
            "rule": SubclusterRule(found.rule).label.partition(":")[0],
            "adjusted_rand": decimals(found.agreement["adjusted_rand"]),
            "f1": decimals(found.agreement["f1"]),
        }
        for found in shown(request, project.gold_subcluster_sets.all())
    ]


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_gold_subclusters(request: HttpRequest, project: Project) -> HttpResponse:
    batches = list(Batch.objects.current().filter(project=project, kind=BatchKind.SPLIT))
    people = annotator_progress(batches)
    labels = {}
    for batch in batches:
        done, total = sum(one.done for one in people[batch.pk]), sum(one.total for one in people[batch.pk])
        labels[batch.pk] = f"{batch.name}: {done:,} of {total:,} answers are in"
    initial = {"batch": request.GET.get("batch") or (batches[0].pk if batches else None)}
    form = GoldSubclustersForm(request.POST or None, project=project, labels=labels, initial=initial)
    if request.method == "POST" and "check" not in request.POST and form.is_valid():
        try:
            gold_set = freeze_gold_subclusters(project=project, by=user_of(request), **form.cleaned_data)
        except PublicError as error:
            blame(form, error)
        else:
            clusters = gold_set.counts["clusters"]
            say_frozen(request, gold_set, f"{clusters:,} cluster{'s' * (clusters != 1)}")
            return redirect("gold-subclusters", project.slug, gold_set.pk)
    compute = partial(subclusters_forecast, project=project)
    forecast = shown_forecast(form, ("batch", "rule"), compute, thing="cluster")
    context = {"form": form, "batches": batches, "forecast": forecast}
    return render(
        request, "annotation/gold_subclusters_form.html", context, status=422 if form.errors else 200
    )


@require_safe
@project_view(check_see_gold)
def gold_subclusters(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = _gold_set(project, pk)
    clusters = found.clusters.select_related("item__cluster").prefetch_related("item__headlines__article")
    page = keyset_page(clusters, request.GET, {"id": "pk"}, size=CLUSTERS_A_PAGE)
    context = {
        "gold_set": found,
        "rule": SubclusterRule(found.rule).label,
        "adjusted_rand": decimals(found.agreement["adjusted_rand"]),
        "f1": decimals(found.agreement["f1"]),
        "rows": [_shown(gold) for gold in page.rows],
        "page": page,
    }
    return render(request, "annotation/gold_subclusters.html", context)


def _shown(gold: GoldSubclusters) -> dict[str, Any]:
    """The headlines of a cluster by group, those in none of them last; and what each annotator made of it."""
    headlines = {one.article.key: one for one in gold.item.headlines.all()}
    grouped = {key for group in gold.subclusters for key in group}
    versions = [
        {
            "letter": letter(version["annotator"]),
            "groups": [[headlines[key].number for key in group] for group in version["subclusters"]],
            "comment": version["comment"],
            "flagged": version["flagged"],
        }
        for version in gold.versions
    ]
    return {
        "gold": gold,
        "size": len(headlines),
        "groups": [[headlines[key] for key in group] for group in gold.subclusters],
        "none": [one for key, one in headlines.items() if key not in grouped],
        "versions": sorted(versions, key=lambda version: (len(version["letter"]), version["letter"])),
    }


@require_safe
@project_view(check_see_gold)
def gold_subclusters_file(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    return jsonl_response(_gold_set(project, pk))


def _gold_set(project: Project, pk: int) -> GoldSubclusterSet:
    return get_object_or_404(
        GoldSubclusterSet.objects.select_related("batch", "project"), project=project, pk=pk
    )
