"""The pairs behind a number of the review, agreement and progress pages, with everybody's answers."""

from __future__ import annotations

from collections.abc import Mapping
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


class Query(forms.Form):
    """What the address asks of an item; what is left out is not asked.

    person, other: people, under the numbers of their pseudonyms. Both given: both labelled the item.
    label, other_label: what `person` and `other` said; without persons, what any two different people did.
    state: of the answer of `person` or of anybody.
    shared: has two labels or more.
    day: on which `person`, or anybody, answered it.
    first, last: the labels were complete, as far as they are, between these moments.
    """

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

    def asked(self, project: Project) -> dict[str, Any]:
        """What is asked rightly, with ids of users for people; a number that nobody has is left out."""
        self.is_valid()
        people = dict(Pseudonym.objects.filter(project=project).values_list("number", "user_id"))
        asked = {name: value for name, value in self.cleaned_data.items() if value}
        users = {name: people.get(asked.pop(name, None)) for name in ("person", "other")}
        return asked | {name: user for name, user in users.items() if user}


def filtered_items(items: QuerySet[Item], asked: Mapping[str, Any]) -> QuerySet[Item]:
    """Those of `items` that meet all that is asked, see `Query`."""
    person, other, label, other_label = map(asked.get, ("person", "other", "label", "other_label"))
    if person and other:
        items = items.filter(Exists(_labelled(person, label)), Exists(_labelled(other, other_label)))
    elif label and other_label and label != other_label:
        items = items.filter(Exists(_labelled(None, label)), Exists(_labelled(None, other_label)))
    elif label and other_label:
        said = Count("assignments", filter=Q(assignments__judgement__label=label))
        items = items.annotate(said_alike=said).filter(said_alike__gt=1)
    elif label:
        items = items.filter(Exists(_labelled(person, label)))
    if (person and not other) or "state" in asked or "day" in asked:
        items = items.filter(Exists(_answers(asked)))
    if "shared" in asked:
        items = items.annotate(label_count=Count("assignments__judgement")).filter(label_count__gt=1)
    if "first" in asked and "last" in asked:
        finished = Max("assignments__answered_at", filter=Q(assignments__judgement__isnull=False))
        items = items.annotate(finished=finished).filter(finished__range=(asked["first"], asked["last"]))
    return items


def _answers(asked: Mapping[str, Any]) -> QuerySet[Assignment]:
    """The answers, of the person if one is asked for, to the item of an outer query."""
    answers = Assignment.objects.filter(item=OuterRef("pk"))
    state = asked.get("state")
    if "person" in asked:
        answers = answers.filter(annotator=asked["person"])
    if state == "flagged":
        answers = answers.filter(flagged=True)
    elif state is not None and state != "answered":
        answers = answers.filter(state=state)
    if state == "answered" or "day" in asked:
        answers = answers.exclude(state="open")
    return answers.filter(answered_at__date=asked["day"]) if "day" in asked else answers


def _labelled(person: int | None, label: str | None) -> QuerySet[Assignment]:
    """The answers with a label to the item of an outer query, of one person and with one label if given."""
    answers = Assignment.objects.filter(item=OuterRef("pk"), judgement__isnull=False)
    answers = answers.filter(annotator=person) if person else answers
    return answers.filter(judgement__label=label) if label else answers


@require_safe
@project_view(check_see_answers)
def judged_pairs(request: HttpRequest, project: Project) -> HttpResponse:
    """The pairs that the address asks for; what it asks wrongly is not heeded."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE)
    asked = Query(request.GET).asked(project)
    if request.GET.get("batch"):
        batches = batches.filter(pk=asked.get("batch", 0))
    elif request.GET.get("scheme"):
        batches = batches.filter(scheme=request.GET["scheme"])
    items = visible_items(request.user, project).filter(batch__in=batches).select_related("batch__project")
    items = filtered_items(items, asked)
    page = keyset_page(items, request.GET, {"id": "pk"}, size=PAIRS_A_PAGE)
    for batch in {item.batch_id: item.batch for item in page.rows}.values():
        log_review(request, project, batch)
    context = {
        "words": in_words(project, asked),
        "batches": list(batches) if request.GET.get("batch") else [],
        "total": items.count(),
        "entries": reviewed_entries(request, project, [item.pk for item in page.rows]),
        "page": page,
    }
    return render(request, "annotation/judged_pairs.html", context)


def in_words(project: Project, asked: Mapping[str, Any]) -> list[str]:
    """What is asked for, a clause for each condition."""
    numbers = dict(Pseudonym.objects.filter(project=project).values_list("user_id", "number"))

    def name(person: int | None) -> str:
        return letter(f"annotator-{numbers[person]}") if person is not None else ""

    def word(label: str) -> str:
        return f"“{Label(label).label}”"

    one, other = name(asked.get("person")), name(asked.get("other"))
    label, other_label = asked.get("label"), asked.get("other_label")
    clauses = []
    if one and other and label and other_label:
        clauses.append(f"{one} said {word(label)}, {other} {word(other_label)}")
    elif one and other:
        clauses.append(f"{one} and {other} both judged")
    elif label and other_label:
        clauses.append(f"one said {word(label)}, another {word(other_label)}")
    elif label:
        clauses.append(f"{one or 'somebody'} said {word(label)}")
    elif "state" in asked or one:
        clauses.append(f"{STATE_WORDS.get(asked.get('state', ''), 'assigned')} by {one or 'somebody'}")
    if "shared" in asked:
        clauses.append("two or more judged")
    if "day" in asked:
        clauses.append(f"answered on {asked['day'].isoformat()}")
    if "first" in asked and "last" in asked:
        first, last = asked["first"], asked["last"]
        clauses.append(f"last judged from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}")
    return clauses
