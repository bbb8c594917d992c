"""Sub-clusters: batches to split, the page on which people split, agreement, review, scores against gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from annotation.api.review import review_payload
from annotation.forms import SubclusterLinksForm, SubclusterScoresForm
from annotation.models import Batch, BatchKind, GoldSubclusterSet, Item
from annotation.permissions import adjudicable_items, check_see_answers, check_see_gold, visible_items
from annotation.presenters import undecided_context
from annotation.services.review import record_answers_seen
from annotation.services.subcluster_scores import links_of, scores_of
from annotation.services.subclusters import (
    SplitFigures,
    SubmittedItem,
    agreement_of,
    split_figures,
    subcluster_review,
    submitted_items,
)
from annotation.specs import SubclusterLinksSpec, SubclusterScoresSpec
from corpus.models import Article, HeldOut
from paragold.matching.specs import PK1_THRESHOLD
from paragold.matching.sub_clusters import (
    ALL_HEADLINES,
    CLUSTERS_ONLY,
    METHOD_NAMES,
    Scores,
    number_of_groups,
    precision_text,
)
from paragold.metrics.partitions import SIGNATURE
from projects.models import Project
from projects.views.keyset import listed_page
from projects.views.project_view import FORM, SAFE, any_member, project_view, submitted, user_of

from .answering import answering_context
from .batches import batch_context, batch_of, set_state, stage_context
from .review import deciding_context, item_to_decide

LINKS_A_PAGE = 50
GROUP_KEYS = [str(number) for number in range(1, 10)]
"""The groups that have a key of their own."""


@project_view(any_member, SAFE)
def split(request: HttpRequest, project: Project) -> HttpResponse:
    context = stage_context(request, project, BatchKind.SPLIT)
    context["headlines"] = has_headlines(project)
    return render(request, "annotation/split_stage.html", context)


def has_headlines(project: Project) -> bool:
    return Article.objects.filter(cluster__project=project).exclude(title="").exists()


@project_view(check_see_answers, FORM)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.SPLIT)
    if request.method == "POST":
        return set_state(request, project, batch, "split-detail")
    figures = split_figures(request.user, project, batch)
    context = batch_context(request, project, batch) | {
        "figures": figures,
        **undecided_context(request, project, batch, Item.objects.filter(pk__in=figures.undecided_items)),
        "gold_sets": batch.gold_subcluster_sets.all(),
        "clusters": dict(HeldOut.choices).get(batch.sampling.get("clusters"), ""),
    }
    return render(request, "annotation/split_batch.html", context)


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def split_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    context: dict[str, Any] = answering_context(request, project, pk, BatchKind.SPLIT)
    context |= {"thing": "cluster", "groups": GROUP_KEYS}
    return render(request, "annotation/split.html", context)


# Precision and recall as the paper printed them.
PAPER = {
    ("kmeans", CLUSTERS_ONLY): ("0.91", "0.43"),
    ("kmeans", ALL_HEADLINES): ("0.66", "0.44"),
    ("pairwise", CLUSTERS_ONLY): ("0.93", "0.39"),
    ("pairwise", ALL_HEADLINES): ("0.76", "0.41"),
}


@project_view(check_see_gold, SAFE)
def subcluster_scores(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Both methods by the thresholds in the address; tuned, if a share is given or no threshold of PK1."""
    gold_set = get_object_or_404(GoldSubclusterSet.objects.select_related("project"), project=project, pk=pk)
    form = SubclusterScoresForm(request.GET or SubclusterScoresSpec().as_json())
    paper = SubclusterScoresSpec(pk1=PK1_THRESHOLD).as_json()
    scores = submitted(form, lambda: scores_of(gold_set, form.spec, share=form.cleaned_data["share"]))
    context: dict[str, Any] = {
        "gold_set": gold_set,
        "form": form,
        "scores": scores,
        "paper": urlencode(paper),
    }
    if scores:
        context |= {
            "rows": [
                _row(row, _links_query(scores, row, form.cleaned_data["share"]))
                for row in scores["table"].to_dict("records")
            ],
            "development": [
                (METHOD_NAMES[row["method"]], f"{row['f']:.3f}")
                for row in scores["development"].to_dict("records")
            ],
            "thresholds": scores["settings"],
            "number_of_groups": number_of_groups(scores["settings"]),
        }
    return render(request, "annotation/subcluster_scores.html", context, status=422 if form.errors else 200)


def _links_query(scores: Scores, row: Mapping[Any, Any], share: float | None) -> str:
    """The query of the page that lists the links of a row."""
    values = scores["settings"].as_json() | {
        "method": row["method"],
        "headlines": "clusters" if row["headlines"] == CLUSTERS_ONLY else "all",
        "order": "cluster",
        "share": share,
    }
    if scores["each"]:
        # The groups of each cluster are tuned on the others, there as here.
        values["pk1"] = None
    return urlencode({name: value for name, value in values.items() if value is not None})


def _row(row: Mapping[Any, Any], links: str) -> dict[str, Any]:
    precision, recall = PAPER[row["method"], row["headlines"]]
    return {
        "method": METHOD_NAMES[row["method"]],
        "headlines": row["headlines"],
        "precision": precision_text(row),
        "recall": f"{row['recall']:.2f}",
        "f": f"{row['f']:.2f}",
        "outcomes": [
            ("right", row["right"]),
            ("wrong", row["retrieved"] - row["right"]),
            ("missed", row["relevant"] - row["right"]),
        ],
        "links": links,
        "paper": f"{precision} / {recall}",
    }


@project_view(check_see_gold, SAFE)
def subcluster_links(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """A method's links by the thresholds in the address, or the paper's: right, wrong and missed ones."""
    gold_set = get_object_or_404(GoldSubclusterSet.objects.select_related("project"), project=project, pk=pk)
    values = SubclusterLinksSpec().as_json() | request.GET.dict()
    form = SubclusterLinksForm(values)
    listed = submitted(form, lambda: links_of(gold_set, form.spec, share=form.cleaned_data["share"]))
    scores_url = reverse("subcluster-scores", args=[project.slug, gold_set.pk])
    context: dict[str, Any] = {"gold_set": gold_set, "form": form, "scores_url": scores_url}
    if listed:
        links, counts = listed
        context |= {
            "page": listed_page(links, request.GET, size=LINKS_A_PAGE),
            "method": METHOD_NAMES[form.spec.method],
            "counts": [("all", sum(counts.values())), *counts.items()],
        }
    return render(request, "annotation/subcluster_links.html", context, status=422 if form.errors else 200)


def split_rows(request: HttpRequest, project: Project) -> list[tuple[Batch, SplitFigures]]:
    """The batches for splitting with their figures, for the review stage."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.SPLIT)
    return [(batch, split_figures(request.user, project, batch)) for batch in batches]


@project_view(check_see_answers, SAFE)
def agreement(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.SPLIT)
    visible = _visible(request, project, batch)
    rows, overall = agreement_of(batch, visible)
    record_answers_seen(batch=batch, by=user_of(request), page="agreement")
    keys = dict(batch.items.values_list("pk", "cluster__key"))
    context = {
        "batch": batch,
        "overall": overall,
        "rows": [(row, [(cluster, keys[cluster["item"]]) for cluster in row["clusters"]]) for row in rows],
        "signature": SIGNATURE,
        "hidden": batch.items.count() - len(visible),
        "mine": _mine(request, project, batch),
    }
    return render(request, "annotation/split_agreement.html", context)


@never_cache
@ensure_csrf_cookie
@project_view(check_see_answers, SAFE)
def decide(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One cluster: the headlines on which annotators differ, and the groups that the adjudicator makes."""
    item = item_to_decide(request, project, pk, BatchKind.SPLIT, "cluster")
    disputed = _disputed(item.batch, sorted(_mine(request, project, item.batch)))
    context = deciding_context(
        request,
        project,
        item,
        review=review_payload(subcluster_review(item)),
        disputed=disputed,
        views=("split-review", "split-decide", "api-subcluster-review"),
    ) | {
        "thing": "cluster",
        "keys": "decide",
        "what": "Disputed headlines",
        "column": "Disputed headline",
        "groups": GROUP_KEYS,
    }
    return render(request, "annotation/split_decide.html", context)


def _visible(request: HttpRequest, project: Project, batch: Batch) -> list[int]:
    items = visible_items(request.user, project).filter(batch=batch)
    return list(items.order_by("number").values_list("pk", flat=True))


def _mine(request: HttpRequest, project: Project, batch: Batch) -> set[int]:
    """The items that the reader may decide."""
    return set(adjudicable_items(request.user, project).filter(batch=batch).values_list("pk", flat=True))


def _disputed(batch: Batch, items: list[int]) -> dict[int, SubmittedItem]:
    return {entry.item: entry for entry in submitted_items(batch, items) if entry.disputed}
