"""Agreement of annotators: of all, of every two, by batch, over time, before and after a second pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, QuerySet, When

from annotation.models import Answer, Batch, Item, SecondPass
from annotation.schemes import SCHEME_LABELS
from paragold.metrics.label_agreement import (
    Estimate,
    Period,
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

from .answer_kinds import Array, Integers, answered_items, first_places
from .pseudonyms import number_of, pseudonyms

IDS_AT_ONCE = 10_000
"""No database takes any number of values in a statement."""
PERIODS: dict[str, Callable[[Array], list[Period]]] = {"tenths": tenths, "days": days}


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


@dataclass(frozen=True, slots=True)
class _Judged:
    """The items that somebody has, in order.

    kinds: what there is of different answers to one, in the order in which they first occur; of: (items,) the
    kind of each. finished: (items,) when the last label came, in UTC.
    """

    batches: Integers
    kinds: list[tuple[_Answer, ...]]
    of: Integers
    finished: Array


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
    judged = _judged(project, items.filter(batch__in=batches))
    kinds = judged.kinds
    people = sorted({answer.person for kind in kinds for answer in kind}, key=number_of)
    units = {
        name: [tuple(map(attrgetter(name), kind)) for kind in kinds]
        for name in ("label", "first_pass", "first")
    }
    looked_again = np.array([any(answer.looked_again for answer in kind) for kind in kinds], bool)
    given = np.array([sum(answer.label is not None for answer in kind) for kind in kinds], np.int64)
    changes = [sum(answer.label not in (None, answer.first) for answer in kind) for kind in kinds]
    every = np.bincount(judged.of, minlength=len(kinds))

    def agreement(name: str, times: Integers) -> dict[str, Estimate]:
        return estimates(units[name], labels, times.tolist())

    def first_pass(times: Integers) -> dict[str, Estimate] | None:
        """None where nobody looked again."""
        return agreement("first_pass", times) if times[looked_again].any() else None

    overall, first = agreement("label", every), first_pass(every)
    finished = np.flatnonzero((given[judged.of] > 1) & ~np.isnat(judged.finished))
    finished = finished[np.argsort(judged.finished[finished], kind="stable")]
    times_of = {
        batch.pk: np.bincount(judged.of[judged.batches == batch.pk], minlength=len(kinds))
        for batch in batches
    }
    changed = int(np.dot(changes, every))
    labels_of = [{answer.person: answer.label for answer in kind} for kind in kinds]
    tables = pair_tables(labels_of, labels, people, every.tolist())
    return {
        "scheme": scheme,
        "labels": labels,
        "annotators": people,
        "items": int(every[given > 1].sum()),
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
            {"batch": batch, "agreement": agreement("label", times), "first_pass": first_pass(times)}
            for batch, times in times_of.items()
        ],
        "periods": [
            {
                "period": name,
                "first": _moment(judged.finished[finished[of_period][0]]),
                "last": _moment(judged.finished[finished[of_period][-1]]),
                "agreement": agreement(
                    "label", np.bincount(judged.of[finished[of_period]], minlength=len(kinds))
                ),
            }
            for name, of_period in PERIODS[by](judged.finished[finished])
        ],
        "passes": {
            "first": agreement("first", every),
            "last": overall,
            "changed": changed,
            "labels": int(given @ every),
        }
        if changed
        else None,
        "signature": f"{signature()}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged.of)}",
    }


def _moment(time: Any) -> datetime:
    at: datetime = time.item()
    return at.replace(tzinfo=UTC)


def _judged(project: Project, items: QuerySet[Item]) -> _Judged:
    changed = Case(When(assignments__version__gt=1, then="assignments__pk"), default=0)
    answered = answered_items(items, taken=True, answered_at="assignments__answered_at", changed=changed)
    # Items with an answer that was changed are of another kind than those with the present answers alone.
    numbers = {tuple((*given, given[1]) for given in kind): n for n, kind in enumerate(answered.kinds)}
    firsts = _first_labels(project, answered.answers["changed"][answered.answers["changed"] > 0].tolist())
    of = answered.of.copy()
    places = np.flatnonzero(np.isin(answered.items, [item for item, _ in firsts]))
    for place, item in zip(places.tolist(), answered.items[places].tolist(), strict=True):
        kind = tuple(
            (person, label, again, firsts.get((item, person), label))
            for person, label, again in answered.kinds[of[place]]
        )
        of[place] = numbers.setdefault(kind, len(numbers))
    different = list(numbers)
    first, in_order = first_places(of)
    kinds = [different[number] for number in of[first].tolist()]
    names = pseudonyms(project, {person for kind in kinds for person, *_ in kind})
    return _Judged(
        batches=answered.batches,
        kinds=[tuple(_Answer(names[person], *labels) for person, *labels in kind) for kind in kinds],
        of=in_order,
        finished=answered.finished(),
    )


def _first_labels(project: Project, changed: Sequence[int]) -> dict[tuple[int, int], str | None]:
    """By item and annotator of the assignments `changed`, to which more than one answer was given: the latest
    label before the second pass, else the first of all."""
    histories: dict[tuple[int, int, int], list[tuple[datetime, str | None]]] = defaultdict(list)
    for begin in range(0, len(changed), IDS_AT_ONCE):
        answers = Answer.objects.filter(assignment__in=changed[begin : begin + IDS_AT_ONCE])
        rows = answers.order_by("assignment_id", "version")
        for item, person, batch, at, body in rows.values_list(
            *("assignment__item_id", "assignment__annotator_id", "assignment__item__batch_id", "at", "body")
        ):
            histories[item, person, batch].append((at, body.get("label")))
    second_passes = dict(SecondPass.objects.filter(batch__project=project).values_list("batch", "started_at"))
    return {
        (item, person): first_and_last(history, second_passes.get(batch))[0] or first_and_last(history)[0]
        for (item, person, batch), history in histories.items()
    }
