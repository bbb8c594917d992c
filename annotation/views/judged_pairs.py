"""Annotated items with everybody's answers: what a manager browses, and what numbers of other pages count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from annotation.listings import STATE_WORDS, ItemFilters
from annotation.models import Batch, Label, Pseudonym
from annotation.permissions import check_see_answers
from annotation.presenters import letter
from annotation.services.annotated_items import annotated
from annotation.services.review import record_answers_seen
from projects.listings import listings
from projects.models import Project
from projects.views.lists import csv_asked, list_response, table_of
from projects.views.project_view import SAFE, project_view, user_of

from .review import PAIRS_A_PAGE

COLUMNS = {"Item": "id", "Sentences or headlines": "", "Answers": "answers", "State": ""}
COLUMNS |= {"Latest answer": "answered"}


@project_view(check_see_answers, SAFE)
def judged_pairs(request: HttpRequest, project: Project) -> HttpResponseBase:
    """The items that the address asks for; invalid values are ignored."""
    table = table_of(
        request,
        project,
        listings()["items"],
        row="annotation/_item_row.html",
        columns=COLUMNS,
        numbers=("Latest answer",),
        label="Annotated items",
        dressed=lambda rows: annotated(request.user, project, rows),
        size=PAIRS_A_PAGE,
    )
    assert isinstance(table.filters, ItemFilters) and table.queryset is not None  # noqa: S101 - for the type checker
    every = csv_asked(request)
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
        return f"“{Label(label).label}”"

    one, other = name(filters.get("person")), name(filters.get("other"))
    label, other_label = filters.get("label"), filters.get("other_label")
    clauses = [f"of {filters['batch']}"] if "batch" in filters else []
    if one and other and label and other_label:
        clauses.append(f"{one} said {word(label)}, {other} {word(other_label)}")
    elif one and other:
        clauses.append(f"{one} and {other} both judged")
    elif label and other_label:
        clauses.append(f"one said {word(label)}, another {word(other_label)}")
    elif label:
        clauses.append(f"{one or 'somebody'} said {word(label)}")
    elif "state" in filters or one:
        clauses.append(f"{STATE_WORDS.get(filters.get('state', ''), 'assigned')} by {one or 'somebody'}")
    if "shared" in filters:
        clauses.append("two or more judged")
    for key, words_for in (("day", "answered on"), ("since", "answered from"), ("until", "answered to")):
        if key in filters:
            clauses.append(f"{words_for} {filters[key].isoformat()}")
    if "first" in filters and "last" in filters:
        first, last = filters["first"], filters["last"]
        clauses.append(f"last judged from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}")
    return clauses
