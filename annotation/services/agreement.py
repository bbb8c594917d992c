"""Agreement of annotators: of all, of every two, by batch, over time, before and after a second pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

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

PERIODS: dict[str, Callable[[Sequence[tuple[datetime, Unit]]], list[Period]]] = {
    "tenths": tenths,
    "days": days,
}


class _Answer(NamedTuple):
    """One annotator's place in an item.

    looked_again: the label of the first pass, where the item was shown again in a second one. first: the
    label that was given first. at: when the last answer came.
    """

    item: int
    batch: int
    person: str
    label: str | None
    looked_again: str | None
    first: str | None
    at: datetime | None

    @property
    def first_pass(self) -> str | None:
        return self.looked_again or self.label


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
    answers = _answers(project, items.filter(batch__in=batches))
    judged = [list(of_item) for _, of_item in groupby(answers, key=attrgetter("item"))]
    people = sorted({answer.person for answer in answers}, key=number_of)

    def agreement(pick: Callable[[_Answer], str | None], of: Sequence[list[_Answer]]) -> dict[str, Estimate]:
        return estimates([tuple(map(pick, of_item)) for of_item in of], labels)

    def first_pass(of: Sequence[list[_Answer]]) -> dict[str, Estimate] | None:
        """None where nobody looked again."""
        again = any(answer.looked_again for of_item in of for answer in of_item)
        return agreement(attrgetter("first_pass"), of) if again else None

    label = attrgetter("label")
    overall, first = agreement(label, judged), first_pass(judged)
    labelled = [[answer for answer in of_item if answer.label is not None] for of_item in judged]
    shared = [
        (max((answer.at for answer in given if answer.at), default=None), tuple(map(label, of_item)))
        for of_item, given in zip(judged, labelled, strict=True)
        if len(given) > 1
    ]
    finished = [(at, unit) for at, unit in shared if at is not None]
    of_batches = [[of_item for of_item in judged if of_item[0].batch == batch.pk] for batch in batches]
    changed = sum(answer.first != answer.label for given in labelled for answer in given)
    tables = pair_tables(
        [{answer.person: answer.label for answer in of_item} for of_item in judged], labels, people
    )
    return {
        "scheme": scheme,
        "labels": labels,
        "annotators": people,
        "items": len(shared),
        "overall": overall,
        "first_pass": first,
        "second_pass": overall if first else None,
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
            {"batch": batch.pk, "agreement": agreement(label, of), "first_pass": first_pass(of)}
            for batch, of in zip(batches, of_batches, strict=True)
        ],
        "periods": [
            {"period": name, "first": begin, "last": end, "agreement": estimates(units, labels)}
            for name, begin, end, units in PERIODS[by](finished)
        ],
        "passes": {
            "first": agreement(attrgetter("first"), judged),
            "last": overall,
            "changed": changed,
            "labels": sum(map(len, labelled)),
        }
        if changed
        else None,
        "signature": f"{signature()}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged)}",
    }


def _answers(project: Project, items: QuerySet[Item]) -> list[_Answer]:
    """The places of the items' annotators in the order of the items."""
    rows = list(
        Assignment.objects.filter(item__in=items.order_by(), annotator__isnull=False)
        .order_by("item__batch_id", "item__number", "annotator_id")
        .values_list(
            *("pk", "item_id", "item__batch_id", "annotator_id", "judgement__label"),
            *("second_look__first_label", "answered_at"),
        )
    )
    names = pseudonyms(project, {row[3] for row in rows})
    histories = _histories(items)
    second_passes = dict(SecondPass.objects.filter(batch__project=project).values_list("batch", "started_at"))
    answers = []
    for pk, item, batch, annotator, label, looked_again, at in rows:
        first = label
        if history := histories[pk]:
            # The latest before the second pass, else the first of all.
            first = first_and_last(history, second_passes.get(batch))[0] or first_and_last(history)[0]
        answers.append(_Answer(item, batch, names[annotator], label, looked_again, first, at))
    return answers


def _histories(items: QuerySet[Item]) -> dict[int, list[tuple[datetime, str | None]]]:
    """By assignment, all labels that were ever given, in order, where more than one answer was given."""
    answers = Answer.objects.filter(assignment__item__in=items.order_by(), assignment__version__gt=1)
    histories: dict[int, list[tuple[datetime, str | None]]] = defaultdict(list)
    rows = answers.order_by("assignment_id", "version").values_list("assignment_id", "at", "body")
    for assignment, at, body in rows:
        histories[assignment].append((at, body.get("label")))
    return histories
