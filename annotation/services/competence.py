"""Competence of annotators, posteriors of labels, and agreement in depth, of judged pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from statistics import median
from typing import Any

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Batch, BatchKind, Item
from annotation.permissions import visible_items
from annotation.schemes import SCHEME_LABELS
from corpus.models import Extraction
from paragold.metrics.agreement_depth import by_group, by_pair_and_label, quarters
from paragold.metrics.competence import Fit, Model, competence_tables, fit
from paragold.metrics.label_agreement import pair_tables
from paragold.metrics.third_judgements import ENOUGH, most_uncertain, saving
from projects.models import Project

from .answer_kinds import (
    AnsweredItems,
    Array,
    Integers,
    answered_items,
    first_places,
    number_columns,
    places_of,
)
from .batch_figures import while_unchanged
from .pseudonyms import number_of, pseudonyms
from .training import control_report


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """The items that somebody labelled, in the order of their batches and numbers.

    kinds: the different labels of an item by pseudonym, in the order in which they first occur; of: (items,)
    the kind of each. places: (items,) where they are among the items that were read. names: by user id.
    """

    items: Integers
    batches: Integers
    kinds: list[dict[str, str]]
    of: Integers
    places: Integers
    names: Mapping[int, str]

    def fit(self, labels: Sequence[str], model: Model = "dawid_skene") -> Fit:
        return fit(self.kinds, labels, model, of=self.of)


def judged_items(project: Project, answered: AnsweredItems) -> JudgedItems:
    given = [
        {person: label for person, label, _ in kind if person is not None and label is not None}
        for kind in answered.kinds
    ]
    names = pseudonyms(project, {person for labels in given for person in labels})
    places = np.flatnonzero(np.array(list(map(bool, given)), bool)[answered.of])
    first, of = first_places(answered.of[places])
    kinds = [given[kind] for kind in answered.of[places[first]].tolist()]
    return JudgedItems(
        items=answered.items[places],
        batches=answered.batches[places],
        kinds=[{names[person]: label for person, label in labels.items()} for labels in kinds],
        of=of,
        places=places,
        names=names,
    )


def competence_report(
    *,
    project: Project,
    batches: Sequence[Batch],
    items: QuerySet[Item],
    model: Model = "dawid_skene",
    with_control: bool = False,
    with_posteriors: bool = False,
) -> dict[str, Any]:
    """Who judges well in judging batches of one scheme, over those of `items` that are in them.

    The caller has checked that the reader may see the items' answers. `annotators`, `bias`: as
    `competence_tables` has them, with the median seconds an item; `known`: of how many items all annotators
    are known, and where they are asked for (`with_posteriors`) the `posteriors` of each of them; `unknown`:
    what the judgements cannot show, by annotator. `control`: for managers only (`with_control`), see
    `control_report`.
    """
    scheme = batches[0].scheme if batches else project.scheme
    labels = tuple(str(label) for label in SCHEME_LABELS[scheme])
    answered = answered_items(
        items.filter(batch__in=batches),
        taken=True,
        answered_at="assignments__answered_at",
        milliseconds="assignments__milliseconds",
        place="assignments__pk",
    )
    judged = judged_items(project, answered)
    fitted = judged.fit(labels, model)
    tables = competence_tables(fitted)
    people = sorted(tables["annotators"], key=lambda row: number_of(row["annotator"]))
    seconds = _median_seconds(answered, judged.names)
    return {
        "annotators": [row | {"median_seconds": seconds[row["annotator"]]} for row in people],
        "bias": tables["bias"],
        **({"posteriors": _posteriors(fitted, judged)} if with_posteriors else {}),
        "known": int(fitted.known_items.sum()),
        "unknown": [{"annotator": who, "reason": why} for who, why in fitted.unknown_because.items()],
        "scheme": scheme,
        "labels": labels,
        "items": len(judged.items),
        "model": fitted.model,
        "identified": fitted.identified,
        "converged": fitted.converged,
        "uncertain": len(most_uncertain(fitted)),
        "enough": ENOUGH,
        "third_judgements": _saving(answered),
        "control": control_report(project=project, batches=batches) if with_control else [],
        "depth": _depth(project, batches, judged, answered.finished()[judged.places], labels),
        "signature": f"{fitted.signature}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|items:{len(judged.items)}",
    }


def _median_seconds(answered: AnsweredItems, names: Mapping[int, str]) -> dict[str, float]:
    """By annotator, the median seconds that a label took."""
    labelled = answered.answers["label"] > 0
    person, took = (answered.answers[name][labelled] for name in ("person", "milliseconds"))
    medians = {}
    for user in np.unique(person).tolist():
        times = np.sort(took[person == user])
        middle = times[(len(times) - 1) // 2 : len(times) // 2 + 1] / 1000
        medians[names[user]] = round(median(middle.tolist()), 1)
    return medians


def _saving(answered: AnsweredItems) -> dict[str, Any]:
    """What third judgements save, by the labels of each item in the order in which they came."""
    labelled = answered.answers["label"] > 0
    item = np.repeat(np.arange(len(answered.items)), answered.sizes)[labelled]
    at, place, label = (answered.answers[name][labelled] for name in ("answered_at", "place", "label"))
    label = label[np.lexsort((place, at, item))]
    counts = np.bincount(item, minlength=len(answered.items))
    starts = (np.cumsum(counts) - counts)[counts > 2]
    return saving(len(starts), int((label[starts] != label[starts + 1]).sum()))


def _posteriors(fitted: Fit, judged: JudgedItems) -> list[dict[str, Any]]:
    """The most probable label of each item, without those by annotators whose competence is unknown."""
    about = Item.objects.filter(batch__in=np.unique(judged.batches).tolist()).order_by()
    numbers = {pk: row for pk, *row in about.values_list("pk", "number", "pair_id")}
    rows = []
    for place in np.flatnonzero(fitted.known_items).tolist():
        label, posterior = fitted.label_of(place)
        item = int(judged.items[place])
        number, pair = numbers[item]
        row = {"item": item, "batch": int(judged.batches[place]), "number": number, "pair": pair}
        shares = dict(zip(fitted.votes.labels, map(float, fitted.posterior[place]), strict=True))
        judgements = len(judged.kinds[judged.of[place]])
        rows.append(row | {"label": label, "posterior": posterior, "judgements": judgements} | shares)
    return rows


def _depth(
    project: Project, batches: Sequence[Batch], judged: JudgedItems, finished: Array, labels: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    """Agreement by pair of annotators and label, week, version of the guidelines, length, edit distance and
    extraction method, of the items with two labels or more."""
    kinds = judged.kinds
    units = [tuple(given.values()) for given in kinds]
    shared = np.flatnonzero(np.array(list(map(len, kinds)), np.int64)[judged.of] > 1)
    items, of, at = judged.items[shared], judged.of[shared], finished[shared]
    times = np.bincount(of, minlength=len(kinds)).tolist()
    people = sorted({person for given in kinds if len(given) > 1 for person in given}, key=number_of)

    def rows(names: Sequence[str], group: Integers, kind: Integers) -> list[dict[str, Any]]:
        """Of the groups with these names, from the group and the kind of each item."""
        counts = np.zeros((len(names), len(kinds)), np.int64)
        np.add.at(counts, (group, kind), 1)
        return by_group(units, dict(zip(names, counts.tolist(), strict=True)), labels)

    timed = ~np.isnat(at)
    days, day = np.unique(at[timed].astype("datetime64[D]"), return_inverse=True)
    week = [f"{date:%G-W%V}" for date in days.tolist()]
    weeks = list(dict.fromkeys(week))
    replaced = project.earlier_guidelines.order_by("version").values_list("replaced_at", flat=True)
    ends = np.array([time.astimezone(UTC).replace(tzinfo=None) for time in replaced], "datetime64[us]")
    versions, version = np.unique(np.searchsorted(ends, at[timed], side="right"), return_inverse=True)
    in_batches = Item.objects.filter(batch__in=batches, pair__isnull=False)
    pairs, length, distance = number_columns(
        in_batches, "pk", F("pair__length_a") + F("pair__length_b"), "pair__edit_distance"
    )
    pair = places_of(items, pairs)
    return {
        "by_pair_and_label": by_pair_and_label(pair_tables(kinds, labels, people, times), labels),
        "by_week": rows(weeks, np.array([weeks.index(name) for name in week], np.int64)[day], of[timed]),
        "by_guidelines": rows([f"version {number + 1}" for number in versions], version, of[timed]),
        "by_length": rows(*quarters(length[pair]), of),
        "by_edit_distance": rows(*quarters(distance[pair]), of),
        "by_method": rows(*_methods(in_batches, items, of)),
    }


def _methods(
    in_batches: QuerySet[Item], items: Integers, of: Integers
) -> tuple[list[str], Integers, Integers]:
    """The names of the extractions that have the pairs of `items`, in the order in which they first occur;
    and an entry for each that has an item's pair, of that order and of the item's kind."""
    items_with, extraction = number_columns(in_batches, "pk", Coalesce("pair__findings__extraction_id", 0))
    there = np.isin(items_with, items) & (extraction > 0)
    extractions, which = np.unique(extraction[there], return_inverse=True)
    called = dict(Extraction.everything.filter(pk__in=extractions.tolist()).values_list("pk", "name"))
    names = sorted(set(called.values()))
    name = np.array([names.index(called[pk]) for pk in extractions.tolist()], np.int64)[which]
    # An item counts once for each name.
    item, name = np.unique([places_of(items_with[there], items), name], axis=1)
    first, in_order = first_places(name)
    return [names[number] for number in name[first].tolist()], in_order, of[item]


def posteriors_of(user: Any, batch: Batch) -> dict[int, tuple[str, float]]:
    """By item of a judging batch the most probable label and its probability, from the answers of all batches
    of its scheme that the user may see; empty where they identify no model."""
    batches = list(Batch.objects.filter(project=batch.project_id, kind=BatchKind.JUDGE, scheme=batch.scheme))
    labels = tuple(map(str, SCHEME_LABELS[batch.scheme]))

    def compute() -> dict[int, tuple[str, float]]:
        places = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False).order_by()
        if places.values("annotator").distinct()[:3].count() < 3:
            return {}  # two annotators cannot show who judges better
        judged = judged_items(
            batch.project, answered_items(visible_items(user, batch.project, batches), taken=True)
        )
        fitted = judged.fit(labels)
        known = np.flatnonzero(fitted.known_items & (judged.batches == batch.pk))
        return dict(zip(judged.items[known].tolist(), map(fitted.label_of, known.tolist()), strict=True))

    return while_unchanged(f"posteriors:2:{batch.pk}", user, batch.project, batches, compute)
