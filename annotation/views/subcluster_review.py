"""Sub-clusters in review: how far annotators agree, the disputed clusters, and the page that decides one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.api.review import review_payload
from annotation.models import Batch, BatchKind, Item
from annotation.permissions import adjudicable_items, check_see_answers, visible_items
from annotation.presenters import letter
from annotation.services.decisions import check_adjudicate, latest_decisions
from annotation.services.subclusters import (
    SplitFigures,
    SubclusterReview,
    SubmittedItem,
    agreement_of,
    as_json,
    overall,
    split_figures,
    subcluster_review,
    submitted_items,
)
from paragold.agreement.partitions import disputed_things
from projects.models import Project
from projects.views.project_view import project_view

from .batches import batch_of
from .review import deciding_context, disputes_context, log_review
from .subclusters import GROUP_KEYS


def split_rows(request: HttpRequest, project: Project) -> list[tuple[Batch, SplitFigures]]:
    """What the review stage tells of the batches for splitting."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.SPLIT)
    return [(batch, split_figures(request.user, project, batch)) for batch in batches]


@require_safe
@project_view(check_see_answers)
def agreement(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.SPLIT)
    visible = _visible(request, project, batch)
    rows = agreement_of(batch, visible)
    log_review(request, project, batch)
    keys = dict(batch.items.values_list("pk", "cluster__key"))
    context = {
        "batch": batch,
        "overall": overall(rows),
        "rows": [(row, [(one, keys[one.item]) for one in row.clusters]) for row in rows],
        "signature": as_json(rows)["signature"],
        "hidden": batch.items.count() - len(visible),
        "mine": _mine(request, project, batch),
    }
    return render(request, "annotation/split_agreement.html", context)


@require_safe
@project_view(check_see_answers)
def review(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.SPLIT)
    disputed = _disputed(batch, _visible(request, project, batch))
    decided = latest_decisions(disputed)
    items = Item.objects.select_related("cluster")
    context = disputes_context(request, project, batch, disputed=disputed, decided=decided, items=items)
    context["rows"] = [
        _row(item, disputed[item.pk], decided.get(item.pk), item.pk in context["mine"])
        for item in context["page"].rows
    ]
    return render(request, "annotation/split_review.html", context)


def _row(item: Item, entry: SubmittedItem, decision: Any, mine: bool) -> dict[str, Any]:
    differing = len(disputed_things(entry.partitions))
    return {"item": item, "size": entry.size, "differing": differing, "decision": decision, "mine": mine}


@require_safe
@never_cache
@ensure_csrf_cookie
@project_view(check_see_answers)
def decide(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One cluster: everybody's sub-clusters side by side, and the adjudicator's own beside them."""
    item = get_object_or_404(
        Item.objects.select_related("batch__project", "cluster"),
        pk=pk, batch__project=project, batch__kind=BatchKind.SPLIT,
    )  # fmt: skip
    check_adjudicate(request.user, item)
    found = subcluster_review(item)
    disputed = _disputed(item.batch, sorted(_mine(request, project, item.batch)))
    context = deciding_context(
        request,
        project,
        item,
        review=review_payload(found),
        undecided=disputed.keys() - latest_decisions(disputed).keys(),
        views=("split-review", "split-decide", "api-subcluster-review"),
    ) | {
        "thing": "cluster",
        "keys": "decide",
        "groups": GROUP_KEYS,
        "side_by_side": _side_by_side(found, [letter(name) for name in found.annotators]),
    }
    return render(request, "annotation/split_decide.html", context)


def _side_by_side(found: SubclusterReview, annotators: list[str]) -> list[dict[str, Any]]:
    """What each annotator made of the cluster, the headlines on which they differ marked."""
    disputed = set(found.disputed)
    shown = {
        one.number: {"text": one.article.title, "disputed": one.number in disputed} for one in found.headlines
    }
    people = zip(annotators, found.partitions, found.comments, found.flagged, strict=True)
    return [
        {
            "name": name,
            "groups": [[shown[number] for number in group] for group in groups],
            "none": [shown[n] for n in shown if not any(n in group for group in groups)],
            "comment": comment,
            "flagged": flagged,
        }
        for name, groups, comment, flagged in people
    ]


def _visible(request: HttpRequest, project: Project, batch: Batch) -> list[int]:
    items = visible_items(request.user, project).filter(batch=batch)
    return list(items.order_by("number").values_list("pk", flat=True))


def _mine(request: HttpRequest, project: Project, batch: Batch) -> set[int]:
    """The items that the reader may decide."""
    return set(adjudicable_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))


def _disputed(batch: Batch, items: list[int]) -> dict[int, SubmittedItem]:
    return {entry.item: entry for entry in submitted_items(batch, items) if entry.disputed}
