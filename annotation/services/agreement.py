"""Agreement of annotators: of all, of every two, by batch, over time, before and after a second pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from annotation.models import Answer, Assignment, Batch, Item, SecondPass
from annotation.schemes import SCHEME_LABELS
from paragold.metrics.label_agreement import (
    Estimate,
    Period,
    Unit,
    cohen_estimate,
    confusion_matrix,
    days,
    estimates,
    first_and_last,
    observed_estimate,
    pair_tables,
    signature,
    tenths,
)
from projects.models import Project

from .pseudonyms import number_of, pseudonyms

Estimates = dict[str, Estimate]
_History = list[tuple[datetime, str | None]]
PERIODS: dict[str, Callable[[Sequence[tuple[datetime, Unit]]], list[Period]]] = {
    "tenths": tenths,
    "days": days,
}


@dataclass(slots=True)
class _JudgedItem:
    """The labels of one item by annotator, those given first, and when the last answer came.

    looked_again: labels of the first pass, of annotators who were shown the item again in a second one.
    """

    batch: int
    labels: dict[str, str | None] = field(default_factory=dict)
    first_labels: dict[str, str | None] = field(default_factory=dict)
    finished: datetime | None = None
    looked_again: dict[str, str] = field(default_factory=dict)

    @property
    def first_pass(self) -> Unit:
        return tuple((self.labels | self.looked_again).values())

    @property
    def unit(self) -> tuple[str | None, ...]:
        return tuple(self.labels.values())

    @property
    def shared(self) -> bool:
        return sum(label is not None for label in self.unit) > 1


def agreement_report(
    *, project: Project, batches: Sequence[Batch], items: QuerySet[Item], by: str = "tenths"
) -> dict[str, Any]:
    """The agreement of judging batches of one scheme, over those of `items` that are in them.

    `by` names the periods of PERIODS. The caller has checked that the reader may see the items' answers.

    Agreement is given as `estimates` has it: `overall` is of the present labels. Where annotators looked
    again at what they differ on, `first_pass` is of the labels before that, and `second_pass` is `overall`;
    without a second pass both are None. `pairs`: every two annotators, by pseudonym; the rows of their
    `table` are the labels of the `first`. `confusion` counts every two labels of an item once in each order;
    its rows are `labels`. `passes`: agreement on the `first` and the `last` labels, of which `changed`
    differ; None where all are equal.
    """
    scheme = batches[0].scheme if batches else project.scheme
    labels = tuple(str(label) for label in SCHEME_LABELS[scheme])
    judged = _judged_items(project, items.filter(batch__in=batches))
    people = sorted({person for item in judged for person in item.labels}, key=number_of)
    by_batch: dict[int, list[_JudgedItem]] = defaultdict(list)
    for item in judged:
        by_batch[item.batch].append(item)
    finished = [(item.finished, item.unit) for item in judged if item.shared and item.finished]
    overall = estimates([item.unit for item in judged], labels)
    first_pass = _first_pass(judged, labels)
    tables = pair_tables([item.labels for item in judged], labels, people)
    return {
        "scheme": scheme,
        "labels": labels,
        "annotators": people,
        "items": sum(item.shared for item in judged),
        "overall": overall,
        "first_pass": first_pass,
        "second_pass": overall if first_pass else None,
        "pairs": [
            {
                "first": first,
                "second": second,
                "observed": observed_estimate(table),
                "kappa": cohen_estimate(table),
                "table": table,
            }
            for (first, second), table in tables.items()
        ],
        "confusion": confusion_matrix(tables.values(), labels),
        "batches": [
            {
                "batch": batch.pk,
                "agreement": estimates([item.unit for item in by_batch[batch.pk]], labels),
                "first_pass": _first_pass(by_batch[batch.pk], labels),
            }
            for batch in batches
        ],
        "periods": [
            {"period": name, "first": first, "last": last, "agreement": estimates(units, labels)}
            for name, first, last, units in PERIODS[by](finished)
        ],
        "passes": _both_passes(judged, labels, overall),
        "signature": f"{signature()}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged)}",
    }


def _first_pass(judged: Sequence[_JudgedItem], labels: Sequence[str]) -> Estimates | None:
    """Agreement of the first pass; None where nobody looked again."""
    if not any(item.looked_again for item in judged):
        return None
    return estimates([item.first_pass for item in judged], labels)


def _judged_items(project: Project, items: QuerySet[Item]) -> list[_JudgedItem]:
    rows = list(
        Assignment.objects.filter(item__in=items.order_by(), annotator__isnull=False)
        .order_by("item__batch_id", "item__number", "annotator_id")
        .values_list(
            *("pk", "item_id", "item__batch_id", "annotator_id", "judgement__label", "answered_at"),
            "second_look__first_label",
        )
    )
    names = pseudonyms(project, {row[3] for row in rows})
    histories = _histories(items)
    second_passes = dict(SecondPass.objects.filter(batch__project=project).values_list("batch", "started_at"))
    by_item: dict[int, _JudgedItem] = {}
    for pk, item_id, batch_id, annotator, label, at, first_label in rows:
        item = by_item.setdefault(item_id, _JudgedItem(batch_id))
        name = names[annotator]
        item.labels[name] = label
        if first_label:
            item.looked_again[name] = first_label
        item.first_labels[name] = _first(histories[pk], second_passes.get(batch_id), label)
        if label is not None and at is not None:
            item.finished = max(at, item.finished or at)
    return list(by_item.values())


def _first(history: _History, second_pass: datetime | None, label: str | None) -> str | None:
    """The label that counts as first: the latest before the second pass, else the first of all."""
    if not history:
        return label
    return first_and_last(history, second_pass)[0] or first_and_last(history)[0]


def _histories(items: QuerySet[Item]) -> dict[int, _History]:
    """By assignment, all labels that were ever given, in order, where more than one answer was given."""
    answers = Answer.objects.filter(assignment__item__in=items.order_by(), assignment__version__gt=1)
    histories: dict[int, _History] = defaultdict(list)
    rows = answers.order_by("assignment_id", "version").values_list("assignment_id", "at", "body")
    for assignment, at, body in rows:
        histories[assignment].append((at, body.get("label")))
    return histories


def _both_passes(
    judged: Sequence[_JudgedItem], labels: Sequence[str], overall: Estimates
) -> dict[str, Any] | None:
    """The first labels beside the present ones, whose agreement is `overall`; None when they are the same."""
    labelled = [
        (item.first_labels[person], label)
        for item in judged
        for person, label in item.labels.items()
        if label is not None
    ]
    changed = sum(first != last for first, last in labelled)
    if not changed:
        return None
    first = estimates([tuple(item.first_labels.values()) for item in judged], labels)
    return {"first": first, "last": overall, "changed": changed, "labels": len(labelled)}
