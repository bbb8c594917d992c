"""Agreement of annotators: of all, of every two, by batch, over time, before and after a second pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

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
    label that was given first.
    """

    person: str
    label: str | None
    looked_again: str | None
    first: str | None

    @property
    def first_pass(self) -> str | None:
        return self.looked_again or self.label


class _Item(NamedTuple):
    """kind: the number of its answers among all that are different. finished: when the last label came."""

    batch: int
    kind: int
    finished: datetime | None


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
    judged, kinds = _answers(project, items.filter(batch__in=batches))
    people = sorted({answer.person for kind in kinds for answer in kind}, key=number_of)
    units = {
        name: [tuple(map(attrgetter(name), kind)) for kind in kinds]
        for name in ("label", "first_pass", "first")
    }
    looked_again = [any(answer.looked_again for answer in kind) for kind in kinds]
    given = [sum(answer.label is not None for answer in kind) for kind in kinds]
    changes = [sum(answer.label not in (None, answer.first) for answer in kind) for kind in kinds]

    def agreement(name: str, of: Sequence[_Item]) -> dict[str, Estimate]:
        return estimates([units[name][item.kind] for item in of], labels)

    def first_pass(of: Sequence[_Item]) -> dict[str, Estimate] | None:
        """None where nobody looked again."""
        return agreement("first_pass", of) if any(looked_again[item.kind] for item in of) else None

    overall, first = agreement("label", judged), first_pass(judged)
    shared = [item for item in judged if given[item.kind] > 1]
    finished = [(item.finished, units["label"][item.kind]) for item in shared if item.finished]
    of_batches: dict[int, list[_Item]] = defaultdict(list)
    for item in judged:
        of_batches[item.batch].append(item)
    changed = sum(changes[item.kind] for item in judged)
    labels_of = [{answer.person: answer.label for answer in kind} for kind in kinds]
    tables = pair_tables([labels_of[item.kind] for item in judged], labels, people)
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
            {"batch": batch.pk, "agreement": agreement("label", of), "first_pass": first_pass(of)}
            for batch in batches
            for of in [of_batches[batch.pk]]
        ],
        "periods": [
            {"period": name, "first": begin, "last": end, "agreement": estimates(units, labels)}
            for name, begin, end, units in PERIODS[by](finished)
        ],
        "passes": {
            "first": agreement("first", judged),
            "last": overall,
            "changed": changed,
            "labels": sum(given[item.kind] for item in judged),
        }
        if changed
        else None,
        "signature": f"{signature()}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged)}",
    }


def _answers(project: Project, items: QuerySet[Item]) -> tuple[list[_Item], list[tuple[_Answer, ...]]]:
    """The items that somebody has, in order, and what there is of different answers to one."""
    places = (
        Assignment.objects.filter(item__in=items.order_by(), annotator__isnull=False)
        .order_by("item__batch_id", "item__number", "annotator_id")
        # A time as text, which is in UTC: Django takes longer for it than for all the rest.
        .values_list(
            *("item_id", "item__batch_id", "pk", "annotator_id", "judgement__label"),
            *("second_look__first_label", Cast("answered_at", TextField())),
        )
    )
    firsts = _first_labels(project, items)
    numbers: dict[tuple[tuple[int, str | None, str | None, str | None], ...], int] = {}
    judged = []
    for _, of_item in groupby(places, key=itemgetter(0)):
        rows = list(of_item)
        kind = tuple(
            (person, label, again, firsts.get(pk, label)) for _, _, pk, person, label, again, _ in rows
        )
        times = [row[6] for row in rows if row[4] is not None and row[6]]
        at = datetime.fromisoformat(max(times)).replace(tzinfo=UTC) if times else None
        judged.append(_Item(rows[0][1], numbers.setdefault(kind, len(numbers)), at))
    names = pseudonyms(project, {person for kind in numbers for person, *_ in kind})
    kinds = [tuple(_Answer(names[person], *labels) for person, *labels in kind) for kind in numbers]
    return judged, kinds


def _first_labels(project: Project, items: QuerySet[Item]) -> dict[int, str | None]:
    """By assignment, where more than one answer was given: the latest label before the second pass, else the
    first of all."""
    answers = Answer.objects.filter(assignment__item__in=items.order_by(), assignment__version__gt=1)
    histories: dict[tuple[int, int], list[tuple[datetime, str | None]]] = defaultdict(list)
    rows = answers.order_by("assignment_id", "version")
    for assignment, batch, at, body in rows.values_list(
        "assignment_id", "assignment__item__batch_id", "at", "body"
    ):
        histories[assignment, batch].append((at, body.get("label")))
    second_passes = dict(SecondPass.objects.filter(batch__project=project).values_list("batch", "started_at"))
    return {
        assignment: first_and_last(history, second_passes.get(batch))[0] or first_and_last(history)[0]
        for (assignment, batch), history in histories.items()
    }
