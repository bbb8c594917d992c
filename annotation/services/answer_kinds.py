"""The answers to items as columns, and the items counted by how they were answered.

There may be hundreds of thousands of answers, and a row for each takes Python longer than all that is made of
them. So the database joins each column to one text, and items that were answered alike are of one kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Aggregate, Case, Exists, F, OuterRef, QuerySet, TextField, Value, When
from django.db.models.functions import Cast, Coalesce
from numpy.typing import NDArray

from annotation.models import Item, SecondPass
from annotation.schemes import Label

Array = NDArray[Any]
Integers = NDArray[np.int64]
Given = tuple[int | None, str | None, str | None]
"""Annotator, present label, and that of the first pass where the item was shown again; None for none."""
Answers = tuple[Given, ...]
LABELS = (None, *Label.values)
"""A label's number in a column is its place."""


class Joined(Aggregate):
    """A column as one text with commas; the rows are in the same order in all columns of a query.

    Nulls would be left out, so they are replaced before.
    """

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ',')"
        return self.as_sql(compiler, connection, template=template, **context)


def number_of_label(path: str) -> Case:
    """The label of a row as its number in LABELS."""
    return Case(
        *(When(**{path: label}, then=number) for number, label in enumerate(LABELS) if label), default=0
    )


def number_columns(rows: QuerySet[Any], *columns: Any) -> list[Integers]:
    """Columns of whole numbers, one array each; none of them is null."""
    texts = rows.order_by().aggregate(**{f"column_{n}": Joined(of) for n, of in enumerate(columns)})
    return [_numbers(text or "") for text in texts.values()]


def places_of(values: Integers, among: Integers) -> Integers:
    """Where each of the values is among numbers that are all different."""
    in_order = np.argsort(among)
    return in_order[np.searchsorted(among, values, sorter=in_order)]


def _numbers(text: str) -> Integers:
    return np.fromstring(text, dtype=np.int64, sep=",")


def _times(text: str) -> Array:
    """In UTC, not-a-time where there is none; PostgreSQL adds "+00"."""
    return np.array(text.replace("+00", "").split(",") if text else [], dtype="datetime64[us]")


@dataclass(frozen=True, slots=True)
class AnsweredItems:
    """Items in the order of their batches and numbers.

    kinds: the different answers to an item, by annotator, in the order in which they first occur; of:
    (items,) the kind of each. starts: (items,) where the answers to each begin in the columns of `answers`:
    `person` (0 for nobody), `label` and those that were asked for.
    """

    items: Integers
    batches: Integers
    kinds: list[Answers]
    of: Integers
    starts: Integers
    answers: dict[str, Array]

    @property
    def sizes(self) -> Integers:
        """How many answers each item has."""
        return np.diff(self.starts, append=len(self.answers["label"]))

    def finished(self) -> Array:
        """When the last label of each item came, where `answered_at` was asked for."""
        times = np.where(self.answers["label"] > 0, self.answers["answered_at"], np.datetime64("NaT"))
        return np.fmax.reduceat(times, self.starts) if len(times) else times

    def by_kind(self) -> Iterator[tuple[Answers, Integers]]:
        """The places of the items of each kind."""
        in_order = np.argsort(self.of, kind="stable")
        ends = np.cumsum(np.bincount(self.of, minlength=len(self.kinds)))
        return zip(self.kinds, np.split(in_order, ends)[:-1], strict=True)


def answered_items(items: QuerySet[Item], *, taken: bool = False, **columns: Any) -> AnsweredItems:
    """Those of the items that anybody has or may take, with all answers; `taken`: only those of somebody.

    columns: expressions of further numbers of answers or, under a name that ends in `_at`, times.
    """
    again = SecondPass.objects.filter(Exists(items.order_by().filter(batch=OuterRef("batch")))).exists()
    person = Coalesce("assignments__annotator_id", 0)
    label = number_of_label("assignments__judgement__label")
    first = number_of_label("assignments__second_look__first_label") if again else Value(0)
    read = {
        "item": F("pk"),
        "number": F("number"),
        "answer": (person * len(LABELS) + label) * len(LABELS) + first,
    }
    for name, path in columns.items():
        read[name] = Coalesce(Cast(path, TextField()), Value("")) if name.endswith("_at") else path
    given = items.filter(**{f"assignments__{'annotator__' if taken else ''}isnull": False})
    rows = (
        given.order_by("batch")
        .values_list("batch")
        .annotate(**{f"of_{name}": Joined(column) for name, column in read.items()})
    )
    batches, *texts = zip(*rows, strict=True) if rows else [()] * (1 + len(read))
    data: dict[str, Array] = {
        name: (_times if name.endswith("_at") else _numbers)(",".join(of_batches))
        for name, of_batches in zip(read, texts, strict=True)
    }
    data["batch"] = np.repeat(np.array(batches, np.int64), [text.count(",") + 1 for text in texts[0]])
    in_order = np.lexsort((data["answer"], data["number"], data["batch"]))
    data = {name: column[in_order] for name, column in data.items()}
    starts = np.flatnonzero(np.diff(data["item"], prepend=-1))
    answer = data["answer"]
    kinds, of = _kinds(answer, starts)
    data |= {"person": answer // len(LABELS) ** 2, "label": answer // len(LABELS) % len(LABELS)}
    kept = {name: data[name] for name in ("person", "label", *columns)}
    return AnsweredItems(data["item"][starts], data["batch"][starts], kinds, of, starts, kept)


def _kinds(answer: Integers, starts: Integers) -> tuple[list[Answers], Integers]:
    numbers = 1 + np.unique(answer, return_inverse=True)[1]
    ends = np.append(starts[1:], len(answer))
    of = np.zeros(len(starts), np.int64)
    for place in range(int((ends - starts).max(initial=0))):
        there = starts + place < ends
        of *= numbers.max() + 1
        of[there] += numbers[starts[there] + place]
        of = np.unique(of, return_inverse=True)[1]
    first, of = first_places(of)
    return [tuple(map(_given, answer[starts[item] : ends[item]].tolist())) for item in first], of


def first_places(numbers: Integers) -> tuple[Integers, Integers]:
    """Where each of the numbers occurs first, in that order, and by place which of them is there."""
    _, first, of = np.unique(numbers, return_index=True, return_inverse=True)
    in_order = np.argsort(first)
    return first[in_order], np.argsort(in_order)[of]


def _given(answer: int) -> Given:
    rest, again = divmod(answer, len(LABELS))
    person, label = divmod(rest, len(LABELS))
    return person or None, LABELS[label], LABELS[again]
