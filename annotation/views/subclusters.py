"""Sub-clusters: batches to split, the page on which people split, agreement, review, scores against gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from annotation.api.review import review_payload
from annotation.forms import SubclusterLinksForm, SubclusterScoresForm
from annotation.models import Batch, BatchKind, GoldSubclusterSet
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
    as_json,
    number_of_groups,
    precision_text,
)
from paragold.metrics.partitions import SIGNATURE
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.keyset import listed_page
from projects.views.project_view import FORM, SAFE, any_member, project_view, submitted

from .answering import answered_batch, answering_context
from .batches import batch_context, batch_of, set_state, stage
from .review import deciding_context, item_to_decide
from .training import before_work

LINKS_A_PAGE = 50
GROUP_KEYS = [str(number) for number in range(1, 10)]
"""The groups that have a key of their own."""


@project_view(any_member, SAFE)
def split(request: HttpRequest, project: Project) -> HttpResponse:
    headlines = Article.objects.filter(cluster__project=project).exclude(title="")
    return stage(
        request, project, BatchKind.SPLIT, draw="draw-splitting-batch", lacking=not headlines.exists()
    )


@project_view(check_see_answers, FORM)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = batch_of(project, pk, BatchKind.SPLIT)
    if request.method == "POST":
        return set_state(request, project, batch)
    figures = split_figures(request.user, project, batch)
    context = batch_context(request, project, batch) | {
        "figures": figures,
        **undecided_context(request, project, batch, figures.undecided_items),
        "gold_sets": batch.gold_subcluster_sets.all(),
        "clusters": dict(HeldOut.choices).get(batch.sampling.get("clusters"), ""),
    }
    return render(request, "annotation/split_batch.html", context)


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def split_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = answered_batch(request, project, pk, BatchKind.SPLIT)
    if page := before_work(request, project, batch):
        return page
    context: dict[str, Any] = answering_context(request, project, batch)
    context |= {"thing": "cluster", "groups": GROUP_KEYS}
    return render(request, "annotation/split.html", context)


# Precision and recall as the paper printed them.
PAPER = {
    ("kmeans", CLUSTERS_ONLY): ("0.91", "0.43"),
    ("kmeans", ALL_HEADLINES): ("0.66", "0.44"),
    ("pairwise", CLUSTERS_ONLY): ("0.93", "0.39"),
    ("pairwise", ALL_HEADLINES): ("0.76", "0.41"),
}


def scores_form(data: QueryDict, project: Project) -> SubclusterScoresForm:
    return SubclusterScoresForm(SubclusterScoresSpec().as_json() | data.dict())


@report("annotation/subcluster_scores.html", check_see_gold, choices=scores_form)
def subcluster_scores(asked: Asked, pk: int) -> Report:
    """Both methods by the thresholds in the address; tuned, if a share is given or no threshold of PK1."""
    gold_set, form = _gold_set(asked.project, pk), asked.form
    scores = submitted(form, lambda: scores_of(gold_set, form.spec, share=form.cleaned_data["share"]))

    def page() -> dict[str, Any]:
        context: dict[str, Any] = {
            "gold_set": gold_set,
            "paper": urlencode(SubclusterScoresSpec(pk1=PK1_THRESHOLD).as_json()),
        }
        if scores:
            context |= {
                "rows": [
                    _row(row, _links_query(scores, row, form.cleaned_data["share"]))
                    for row in scores["table"].to_dict("records")
                ],
                "tuned": [(METHOD_NAMES[row["method"]], f"{row['f']:.3f}") for row in answer["development"]],
                "tuned_on": scores["tuned_on"],
                "number_of_groups": number_of_groups(scores["settings"]),
            }
        return context

    answer = as_json(scores) if scores else {}
    status = 422 if form.errors else 200
    return Report(answer=answer, page=page, status=status, name=f"subcluster-scores-{pk}")


def _gold_set(project: Project, pk: int) -> GoldSubclusterSet:
    return get_object_or_404(GoldSubclusterSet.objects.select_related("project"), project=project, pk=pk)


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


def links_form(data: QueryDict, project: Project) -> SubclusterLinksForm:
    return SubclusterLinksForm(SubclusterLinksSpec().as_json() | data.dict())


@report("annotation/subcluster_links.html", check_see_gold, choices=links_form)
def subcluster_links(asked: Asked, pk: int) -> Report:
    """A method's links by the thresholds in the address, or the paper's: right, wrong and missed ones."""
    gold_set, form = _gold_set(asked.project, pk), asked.form
    listed = submitted(form, lambda: links_of(gold_set, form.spec, share=form.cleaned_data["share"]))
    links, counts = listed or ([], {})

    def page() -> dict[str, Any]:
        return {
            "gold_set": gold_set,
            "scores_url": reverse("subcluster-scores", args=[asked.project.slug, gold_set.pk]),
            "page": listed_page(links, asked.request.GET, size=LINKS_A_PAGE),
            "method": METHOD_NAMES[form.spec.method] if listed else "",
            "shown_counts": [("all", sum(counts.values())), *counts.items()],
        }

    status = 422 if form.errors else 200
    answer = {"counts": counts, "items": links}
    return Report(answer=answer, page=page, status=status, name=f"subcluster-links-{pk}")


def split_rows(request: HttpRequest, project: Project) -> list[tuple[Batch, SplitFigures]]:
    """The batches for splitting with their figures, for the review stage."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.SPLIT)
    return [(batch, split_figures(request.user, project, batch)) for batch in batches]


@report("annotation/split_agreement.html", check_see_answers)
def agreement(asked: Asked, pk: int) -> Report:
    """Adjusted Rand index and pairwise precision, recall and F of every two annotators, by pseudonym."""
    request, project = asked.request, asked.project
    batch = batch_of(project, pk, BatchKind.SPLIT)
    visible = _visible(request, project, batch)
    rows, overall = agreement_of(batch, visible)
    record_answers_seen(batch=batch, by=asked.user, page="agreement")

    def page() -> dict[str, Any]:
        keys = dict(batch.items.values_list("pk", "cluster__key"))
        return {
            "batch": batch,
            "rows": [
                (row, [(cluster, keys[cluster["item"]]) for cluster in row["clusters"]]) for row in rows
            ],
            "hidden": batch.items.count() - len(visible),
            "mine": _mine(request, project, batch),
        }

    answer = {"overall": overall, "annotators": rows, "signature": SIGNATURE}
    return Report(answer=answer, page=page, name=f"agreement-{pk}")


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
        "what": _("Disputed headlines"),
        "column": _("Disputed headline"),
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
