"""The review of a batch of any kind as a long list: its items with all answers, the disputed ones first."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from annotation.listings import REVIEW, filtered_items
from annotation.models import BatchKind
from annotation.permissions import adjudicable_items, check_see_answers
from annotation.presenters import undecided_context
from annotation.services.annotated_items import annotated
from annotation.services.review import record_answers_seen
from projects.models import Project
from projects.views.lists import list_response, table_of
from projects.views.project_view import SAFE, project_view, user_of

from .batches import batch_of
from .judged_pairs import COLUMNS
from .review import PAIRS_A_PAGE


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The review of one kind of batch. page: its list; decide: the page that decides an item; detail: the
    page of the batch; differ: what annotators do who differ; first: what is shown without `?show=`."""

    thing: str
    page: str
    decide: str
    detail: str
    differ: str
    first: str = "undecided"


REVIEWS: dict[str, Reviewed] = {
    BatchKind.JUDGE: Reviewed(
        "pair", "review-batch", "adjudicate", "batch", "said different things", "disputed"
    ),
    BatchKind.LINK: Reviewed("pair", "link-review", "link-canvas", "link-detail", "drew different links"),
    BatchKind.SPLIT: Reviewed("cluster", "split-review", "split-decide", "split-detail", "made other groups"),
}
SHOWN: dict[str, tuple[str, dict[str, str]]] = {
    "disputed": ("Disputed", {"disagreement": "disputed"}),
    "undecided": ("Undecided", {"disagreement": "undecided"}),
    "flagged": ("Flagged", {"flagged": "1"}),
    "all": ("All", {}),
}
"""By `?show=`: its words, and the filters that it sets."""


def _review(request: HttpRequest, project: Project, pk: int, kind: str) -> HttpResponseBase:
    batch, of = batch_of(project, pk, kind), REVIEWS[kind]
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else of.first
    table = table_of(
        request,
        project,
        REVIEW,
        row="annotation/_item_row.html",
        columns=COLUMNS | {"Item": "number"},
        numbers=("Latest answer",),
        label=f"{SHOWN[shown][0]} {of.thing}s",
        fixed={"batch": str(batch.pk), **SHOWN[shown][1]},
        kept={"show": shown},
        folded=True,
        dressed=lambda rows: annotated(request.user, project, rows),
        default="number",
        size=PAIRS_A_PAGE,
    )
    visible = REVIEW.rows(request.user, project).filter(batch=batch)
    by_filter = {name: filtered_items(visible, filters) for name, (_, filters) in SHOWN.items()}
    mine = adjudicable_items(request.user, project).filter(batch=batch).order_by()
    undecided = by_filter["undecided"]
    record_answers_seen(batch=batch, by=user_of(request), page="review")
    return list_response(
        request,
        project,
        "annotation/review_list.html",
        table,
        batch=batch,
        of=of,
        shown=shown,
        filters=[(name, label, by_filter[name].count()) for name, (label, _) in SHOWN.items()],
        hidden=batch.items.count() - visible.count(),
        next=undecided.filter(pk__in=mine.values("pk")).order_by("number").first(),
        **undecided_context(request, project, batch, undecided),
    )


@project_view(check_see_answers, SAFE)
def judgements(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    return _review(request, project, pk, BatchKind.JUDGE)


@project_view(check_see_answers, SAFE)
def links(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    return _review(request, project, pk, BatchKind.LINK)


@project_view(check_see_answers, SAFE)
def subclusters(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    return _review(request, project, pk, BatchKind.SPLIT)
