"""The pairs behind a number of the review, agreement and progress pages, with everybody's answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.forms import LARGEST
from annotation.models import Assignment, Batch, BatchKind, Item, Label, Pseudonym
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import letter
from projects.models import Project
from projects.views.keyset import keyset_page
from projects.views.project_view import project_view

from .review import PAIRS_A_PAGE, log_review, reviewed_entries

STATE_WORDS = {
    "open": "not answered", "answered": "answered", "done": "judged", "skipped": "skipped",
    "flagged": "flagged",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """What is asked of an item; what is None is not.

    person, other: user ids. Both given: both labelled the item.
    label, other_label: what `person` and `other` said; without persons, what any two different people did.
    state: of the answer of `person` or of anybody, one of STATE_WORDS.
    shared: has two labels or more.
    day: on which `person`, or anybody, answered it.
    first, last: the labels were complete, as far as they are, between these moments.
    """

    person: int | None = None
    other: int | None = None
    label: str | None = None
    other_label: str | None = None
    state: str | None = None
    shared: bool = False
    day: date | None = None
    first: datetime | None = None
    last: datetime | None = None

    def apply(self, items: QuerySet[Item]) -> QuerySet[Item]:
        """Those of `items` that meet all of it."""
        if self.person is not None and self.other is not None:
            items = items.filter(
                Exists(_labelled(self.person, self.label)), Exists(_labelled(self.other, self.other_label))
            )
        elif self.label is not None and self.other_label is not None:
            items = _said_by_two(items, self.label, self.other_label)
        elif self.label is not None:
            items = items.filter(Exists(_labelled(self.person, self.label)))
        if (self.person is not None and self.other is None) or self.state is not None or self.day is not None:
            items = items.filter(Exists(self._answers()))
        if self.shared:
            items = items.annotate(label_count=Count("assignments__judgement")).filter(label_count__gt=1)
        if self.first is not None and self.last is not None:
            finished = Max("assignments__answered_at", filter=Q(assignments__judgement__isnull=False))
            items = items.annotate(finished=finished).filter(finished__range=(self.first, self.last))
        return items

    def _answers(self) -> QuerySet[Assignment]:
        answers = Assignment.objects.filter(item=OuterRef("pk"))
        if self.person is not None:
            answers = answers.filter(annotator=self.person)
        if self.state == "flagged":
            answers = answers.filter(flagged=True)
        elif self.state == "answered":
            answers = answers.exclude(state="open")
        elif self.state is not None:
            answers = answers.filter(state=self.state)
        if self.day is not None:
            answers = answers.exclude(state="open").filter(answered_at__date=self.day)
        return answers


def _labelled(person: int | None, label: str | None) -> QuerySet[Assignment]:
    """The answers with a label to the item of an outer query, of one person and with one label if given."""
    asked: dict[str, Any] = {}
    if person is not None:
        asked["annotator"] = person
    if label is not None:
        asked["judgement__label"] = label
    return Assignment.objects.filter(item=OuterRef("pk"), judgement__isnull=False, **asked)


def _said_by_two(items: QuerySet[Item], label: str, other: str) -> QuerySet[Item]:
    if label != other:
        return items.filter(Exists(_labelled(None, label)), Exists(_labelled(None, other)))
    said = Count("assignments", filter=Q(assignments__judgement__label=label))
    return items.annotate(said_alike=said).filter(said_alike__gt=1)


@require_safe
@project_view(check_see_answers)
def judged_pairs(request: HttpRequest, project: Project) -> HttpResponse:
    """The pairs that the address asks for; what it asks wrongly is not heeded."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE)
    query = Query(request.GET)
    query.is_valid()
    asked = {name: value for name, value in query.cleaned_data.items() if value not in (None, "")}
    if request.GET.get("batch"):
        batches = batches.filter(pk=asked.get("batch", 0))
    elif request.GET.get("scheme"):
        batches = batches.filter(scheme=request.GET["scheme"])
    chosen = item_filter(project, asked)
    items = visible_items(request.user, project).filter(batch__in=batches).select_related("batch__project")
    items = chosen.apply(items)
    page = keyset_page(items, request.GET, {"id": "pk"}, size=PAIRS_A_PAGE)
    for batch in {item.batch_id: item.batch for item in page.rows}.values():
        log_review(request, project, batch)
    context = {
        "words": in_words(project, chosen),
        "batches": list(batches) if request.GET.get("batch") else [],
        "total": items.count(),
        "entries": reviewed_entries(request, project, [item.pk for item in page.rows]),
        "page": page,
    }
    return render(request, "annotation/judged_pairs.html", context)


class Query(forms.Form):
    """What the address asks; people stand in it under the numbers of their pseudonyms."""

    batch = forms.IntegerField(required=False, max_value=LARGEST)
    person = forms.IntegerField(required=False)
    other = forms.IntegerField(required=False)
    label = forms.ChoiceField(required=False, choices=Label.choices)
    other_label = forms.ChoiceField(required=False, choices=Label.choices)
    state = forms.ChoiceField(required=False, choices=list(STATE_WORDS.items()))
    shared = forms.BooleanField(required=False)
    day = forms.DateField(required=False)
    first = forms.DateTimeField(required=False)
    last = forms.DateTimeField(required=False)


def item_filter(project: Project, asked: dict[str, Any]) -> ItemFilter:
    """The filter of a query's values, without those that are empty."""
    people = dict(Pseudonym.objects.filter(project=project).values_list("number", "user_id"))
    users: dict[str, Any] = {name: people.get(asked[name]) for name in ("person", "other") if name in asked}
    return ItemFilter(**{name: value for name, value in asked.items() if name != "batch"} | users)


def in_words(project: Project, chosen: ItemFilter) -> list[str]:
    """What is asked for, a clause for each condition."""
    numbers = dict(Pseudonym.objects.filter(project=project).values_list("user_id", "number"))

    def name(person: int | None) -> str:
        return letter(f"annotator-{numbers[person]}") if person is not None else ""

    def word(label: str) -> str:
        return f"“{Label(label).label}”"

    one, other = name(chosen.person), name(chosen.other)
    clauses = []
    if one and other and chosen.label and chosen.other_label:
        clauses.append(f"{one} said {word(chosen.label)}, {other} {word(chosen.other_label)}")
    elif one and other:
        clauses.append(f"{one} and {other} both judged")
    elif chosen.label and chosen.other_label:
        clauses.append(f"one said {word(chosen.label)}, another {word(chosen.other_label)}")
    elif chosen.label:
        clauses.append(f"{one or 'somebody'} said {word(chosen.label)}")
    elif chosen.state or one:
        clauses.append(f"{STATE_WORDS.get(chosen.state or '', 'assigned')} by {one or 'somebody'}")
    if chosen.shared:
        clauses.append("two or more judged")
    if chosen.day:
        clauses.append(f"answered on {chosen.day.isoformat()}")
    if chosen.first and chosen.last:
        clauses.append(f"last judged from {chosen.first:%Y-%m-%d %H:%M} to {chosen.last:%Y-%m-%d %H:%M}")
    return clauses
