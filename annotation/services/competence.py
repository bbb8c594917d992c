"""Competence of annotators, posteriors of labels, and agreement in depth, of judged pairs."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.timezone import localtime

from annotation.models import Assignment, Batch, BatchKind, Item
from annotation.permissions import visible_items
from annotation.schemes import SCHEME_LABELS
from corpus.models import Finding
from paragold.metrics.agreement_depth import by_group, by_pair_and_label, quarters
from paragold.metrics.competence import Fit, Model, competence_tables, fit
from paragold.metrics.label_agreement import pair_tables
from paragold.metrics.third_judgements import ENOUGH, most_uncertain, saving
from projects.models import Project

from .batch_figures import while_unchanged
from .pseudonyms import number_of, pseudonyms
from .training import control_report


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A pair with its labels by pseudonym, in the order in which they came.

    last: when the last one came, in UTC, as text: Django takes longer for times than for all the rest.
    """

    pk: int
    batch: int
    number: int
    pair: int
    labels: dict[str, str]
    last: str | None


def competence_report(
    *,
    project: Project,
    batches: Sequence[Batch],
    items: QuerySet[Item],
    model: Model = "dawid_skene",
    with_control: bool = False,
) -> dict[str, Any]:
    """Who judges well in judging batches of one scheme, over those of `items` that are in them.

    The caller has checked that the reader may see the items' answers. `annotators`, `bias`: as
    `competence_tables` has them, with the median seconds an item; `posteriors`: of every item by known
    annotators; `unknown`: what the judgements cannot show, by annotator. `control`: for managers only
    (`with_control`), see `control_report`.
    """
    scheme = batches[0].scheme if batches else project.scheme
    labels = tuple(str(label) for label in SCHEME_LABELS[scheme])
    judged, seconds = judged_items(project, items.filter(batch__in=batches))
    fitted = fit([item.labels for item in judged], labels, model)
    tables = competence_tables(fitted)
    people = sorted(tables["annotators"], key=lambda row: number_of(row["annotator"]))
    return {
        "annotators": [row | {"median_seconds": seconds[row["annotator"]]} for row in people],
        "bias": tables["bias"],
        "posteriors": _posteriors(fitted, judged),
        "unknown": [{"annotator": who, "reason": why} for who, why in fitted.unknown_because.items()],
        "scheme": scheme,
        "labels": labels,
        "items": len(judged),
        "model": fitted.model,
        "identified": fitted.identified,
        "converged": fitted.converged,
        "uncertain": len(most_uncertain(fitted)),
        "enough": ENOUGH,
        "third_judgements": saving([list(item.labels.items()) for item in judged]),
        "control": control_report(project=project, batches=batches) if with_control else [],
        "depth": _depth(project, judged, labels),
        "signature": f"{fitted.signature}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged)}",
    }


def judged_items(project: Project, items: QuerySet[Item]) -> tuple[list[JudgedItem], dict[str, float | None]]:
    """The items that somebody labelled, and by annotator the median seconds an answer took."""
    rows = list(
        Assignment.objects.filter(item__in=items.order_by(), judgement__isnull=False, annotator__isnull=False)
        .order_by("item__batch_id", "item__number", "answered_at", "pk")
        .values_list(
            *("item_id", "item__batch_id", "item__number", "item__pair_id"),
            *("annotator_id", "judgement__label", "milliseconds", Cast("answered_at", TextField())),
        )
    )
    names = pseudonyms(project, {row[4] for row in rows})
    judged = []
    for _, of_item in groupby(rows, key=itemgetter(0)):
        answers = list(of_item)
        pk, batch, number, pair, *_ = answers[0]
        labels = {names[person]: label for *_, person, label, _, _ in answers}
        judged.append(JudgedItem(pk, batch, number, pair, labels, answers[-1][7]))
    times: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        times[names[row[4]]].append(row[6] / 1000)
    return judged, {name: round(median(values), 1) for name, values in times.items()}


def _posteriors(fitted: Fit, judged: Sequence[JudgedItem]) -> list[dict[str, Any]]:
    """The most probable label of each item, without those by annotators whose competence is unknown."""
    rows, known = [], fitted.known_items
    for place, item in enumerate(judged):
        if not known[place]:
            continue
        label, posterior = fitted.label_of(place)
        row = {"item": item.pk, "batch": item.batch, "number": item.number, "pair": item.pair}
        shares = dict(zip(fitted.votes.labels, map(float, fitted.posterior[place]), strict=True))
        rows.append(row | {"label": label, "posterior": posterior, "judgements": len(item.labels)} | shares)
    return rows


def _depth(
    project: Project, judged: Sequence[JudgedItem], labels: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    """Agreement by pair of annotators and label, week, version of the guidelines, length, edit distance and
    extraction method."""
    shared = [item for item in judged if len(item.labels) > 1]
    units = [tuple(item.labels.values()) for item in shared]
    people = sorted({person for item in shared for person in item.labels}, key=number_of)
    timed = [
        (datetime.fromisoformat(item.last).replace(tzinfo=UTC), tuple(item.labels.values()))
        for item in shared
        if item.last
    ]
    in_time = sorted(timed, key=itemgetter(0))
    replaced = list(project.earlier_guidelines.order_by("version").values_list("replaced_at", flat=True))
    pairs = {item.pair for item in shared}
    from_pairs = Item.objects.filter(pk__in=[item.pk for item in shared]).order_by()
    sizes = {
        pk: (a + b, distance)
        for pk, a, b, distance in from_pairs.values_list(
            "pk", "pair__length_a", "pair__length_b", "pair__edit_distance"
        )
    }
    methods: dict[int, set[str]] = defaultdict(set)
    found = Finding.objects.filter(pair__in=pairs)
    for pair, method in found.values_list("pair_id", "extraction__name"):
        methods[pair].add(method)

    def by_time(group: Callable[[datetime], str]) -> list[dict[str, Any]]:
        return by_group([given for _, given in in_time], [[group(at)] for at, _ in in_time], labels)

    def by_number(place: int) -> list[dict[str, Any]]:
        values = [sizes[item.pk][place] for item in shared]
        rows = by_group(units, [[name] for name in quarters(values)], labels)
        return sorted(rows, key=lambda row: int(row["group"].split(" ")[0]))

    return {
        "by_pair_and_label": by_pair_and_label(
            pair_tables([item.labels for item in shared], labels, people), labels
        ),
        "by_week": by_time(lambda at: f"{localtime(at):%G-W%V}"),
        "by_guidelines": by_time(lambda at: f"version {bisect(replaced, at) + 1}"),
        "by_length": by_number(0),
        "by_edit_distance": by_number(1),
        "by_method": by_group(units, [sorted(methods[item.pair]) for item in shared], labels),
    }


def posteriors_of(user: Any, batch: Batch) -> dict[int, tuple[str, float]]:
    """By item of a judging batch the most probable label and its probability, from the answers of all batches
    of its scheme that the user may see; empty where they identify no model."""
    batches = list(Batch.objects.filter(project=batch.project_id, kind=BatchKind.JUDGE, scheme=batch.scheme))
    labels = tuple(map(str, SCHEME_LABELS[batch.scheme]))

    def compute() -> dict[int, tuple[str, float]]:
        places = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False).order_by()
        if places.values("annotator").distinct()[:3].count() < 3:
            return {}  # two annotators cannot show who judges better
        judged, _ = judged_items(batch.project, visible_items(user, batch.project).filter(batch__in=batches))
        fitted = fit([item.labels for item in judged], labels)
        known = zip(judged, fitted.known_items, strict=True)
        return {
            item.pk: fitted.label_of(place)
            for place, (item, is_known) in enumerate(known)
            if is_known and item.batch == batch.pk
        }

    return while_unchanged(f"posteriors:2:{batch.pk}", user, batch.project, batches, compute)
