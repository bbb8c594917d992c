"""Items with all answers as long lists: those of a batch of any kind, disputed ones first, and all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_noop, ngettext

from annotation.api.review import UNCERTAIN, decision_queue
from annotation.listings import REVIEW, STATE_WORDS, ItemFilters, filtered_items
from annotation.models import Batch, BatchKind, Pseudonym
from annotation.permissions import adjudicable_items, check_see_answers
from annotation.presenters import letter, undecided_context
from annotation.schemes import Label
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.competence import posteriors_of
from annotation.services.item_agreement import annotated
from annotation.services.review import record_answers_seen
from annotation.views.batches import batch_of
from annotation.views.review import PAIRS_A_PAGE
from projects.listings import resources
from projects.models import Project
from projects.reports import CSV, asked_format
from projects.views.lists import list_response, table_of
from projects.views.project_view import SAFE, project_view, user_of


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The review of one kind of batch. page: its list; decide: the page that decides an item; differ: what
    annotators do who differ; first: what is shown without `?show=`."""

    thing: str
    page: str
    decide: str
    differ: str
    first: str = "undecided"


REVIEWS: dict[str, Reviewed] = {
    BatchKind.JUDGE: Reviewed(
        "pair", "review-batch", "adjudicate", gettext_noop("said different things"), "disputed"
    ),
    BatchKind.LINK: Reviewed("pair", "link-review", "link-canvas", gettext_noop("drew different links")),
    BatchKind.SPLIT: Reviewed("cluster", "split-review", "split-decide", gettext_noop("made other groups")),
}
SHOWN: dict[str, tuple[str, dict[str, str]]] = {
    "disputed": (gettext_noop("Disputed"), {"disagreement": "disputed"}),
    "undecided": (gettext_noop("Undecided"), {"disagreement": "undecided"}),
    "flagged": (gettext_noop("Flagged"), {"flagged": "1"}),
    "all": (gettext_noop("All"), {}),
}
"""By `?show=`: its words, and the filters that it sets."""


@project_view(check_see_answers, SAFE)
def review_list(request: HttpRequest, project: Project, pk: int, kind: str) -> HttpResponseBase:
    batch, of = batch_of(project, pk, kind), REVIEWS[kind]
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN else of.first
    counts: dict[str, int] = {}
    if kind == BatchKind.JUDGE:
        figures = batch_figures(request.user, project, [batch]).get(batch.pk, BatchFigures())
        counts = {"disputed": figures.disputed, "undecided": figures.undecided}
    table = table_of(
        request,
        project,
        REVIEW,
        row="annotation/_item_row.html",
        label=f"{gettext(SHOWN[shown][0])} {ngettext(of.thing, f'{of.thing}s', 2)}",
        fixed={"batch": str(batch.pk), **SHOWN[shown][1]},
        kept={"show": shown},
        folded=True,
        dressed=lambda rows: annotated(request.user, project, rows),
        size=PAIRS_A_PAGE,
        count=counts.get(shown),
    )
    visible = REVIEW.rows(request.user, project).filter(batch=batch)
    by_filter = {name: filtered_items(visible, filters) for name, (_, filters) in SHOWN.items()}
    mine = adjudicable_items(request.user, project).filter(batch=batch).order_by()
    undecided = by_filter["undecided"]
    counts |= {name: by_filter[name].count() for name in by_filter.keys() - counts}
    undecided_items: Iterable[int] = undecided.order_by().values_list("pk", flat=True)
    if kind == BatchKind.JUDGE:
        undecided_items = figures.undecided_items
    waiting = undecided_context(request, project, batch, undecided_items)
    uncertain = following = None
    if waiting["to_decide"]:
        following = undecided.filter(pk__in=mine.values("pk")).order_by("number").first()
        if kind == BatchKind.JUDGE and posteriors_of(request.user, batch):
            queue = decision_queue(batch, request.user, limit=1, order=UNCERTAIN)
            uncertain = next(iter(queue["items"]), None)
    record_answers_seen(batch=batch, by=user_of(request), page="review")
    return list_response(
        request,
        project,
        "annotation/review_list.html",
        table,
        batch=batch,
        of=of,
        shown=shown,
        filters=[(name, gettext(label), counts[name]) for name, (label, _) in SHOWN.items()],
        hidden=batch.items.count() - visible.count(),
        uncertain=uncertain,
        next=following,
        **waiting,
    )


@project_view(check_see_answers, SAFE)
def judged_pairs(request: HttpRequest, project: Project) -> HttpResponseBase:
    """The items that the address asks for; invalid values are ignored."""
    table = table_of(
        request,
        project,
        resources()["items"],
        row="annotation/_item_row.html",
        label=gettext("Annotated items"),
        dressed=lambda rows: annotated(request.user, project, rows),
        size=PAIRS_A_PAGE,
    )
    assert isinstance(table.filters, ItemFilters)  # noqa: S101 - for the type checker
    every = asked_format(request) == CSV
    seen = table.queryset.order_by().values("batch") if every else {row.item.batch_id for row in table.rows}
    for batch in Batch.objects.filter(pk__in=seen).select_related("project"):
        record_answers_seen(batch=batch, by=user_of(request), page="annotated items")
    words = in_words(project, table.filters.pair_filters)
    return list_response(
        request, project, "annotation/judged_pairs.html", table, words=words, total=table.count
    )


def in_words(project: Project, filters: Mapping[str, Any]) -> list[str]:
    """The filters in words, a clause for each."""
    numbers = dict(Pseudonym.objects.filter(project=project).values_list("user_id", "number"))

    def name(person: int | None) -> str:
        return letter(f"annotator-{numbers[person]}") if person is not None else ""

    def word(label: str) -> str:
        return f"“{gettext(Label(label).label)}”"

    person, other = name(filters.get("person")), name(filters.get("other"))
    label, other_label = filters.get("label"), filters.get("other_label")
    clauses = [gettext("of %(batch)s") % {"batch": filters["batch"]}] if "batch" in filters else []
    values = {"person": person or gettext("somebody"), "other": other}
    if person and other and label and other_label:
        values |= {"label": word(label), "other_label": word(other_label)}
        clauses.append(gettext("%(person)s said %(label)s, %(other)s %(other_label)s") % values)
    elif person and other:
        clauses.append(gettext("%(person)s and %(other)s both judged") % values)
    elif label and other_label:
        values |= {"label": word(label), "other_label": word(other_label)}
        clauses.append(gettext("one said %(label)s, another %(other_label)s") % values)
    elif label:
        clauses.append(gettext("%(person)s said %(label)s") % (values | {"label": word(label)}))
    elif "state" in filters or person:
        values["state"] = gettext(STATE_WORDS.get(filters.get("state", ""), "assigned"))
        clauses.append(gettext("%(state)s by %(person)s") % values)
    if "shared" in filters:
        clauses.append(gettext("two or more judged"))
    for key, text in (
        ("day", gettext("answered on %(day)s")),
        ("since", gettext("answered from %(day)s")),
        ("until", gettext("answered to %(day)s")),
    ):
        if key in filters:
            clauses.append(text % {"day": filters[key].isoformat()})
    if "first" in filters and "last" in filters:
        first, last = filters["first"], filters["last"]
        between = {"first": f"{first:%Y-%m-%d %H:%M}", "last": f"{last:%Y-%m-%d %H:%M}"}
        clauses.append(gettext("last judged from %(first)s to %(last)s") % between)
    return clauses
