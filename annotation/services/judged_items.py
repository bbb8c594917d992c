"""The items behind a number: those that certain people answered, in a certain way, at a certain time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from annotation.models import Assignment, Item

STATES = ("open", "answered", "done", "skipped", "flagged")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """What is asked of an item; what is None is not.

    person, other: user ids. Both given: both labelled the item.
    label, other_label: what `person` and `other` said; without persons, what any two different people did.
    state: of the answer of `person` or of anybody, one of STATES.
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
