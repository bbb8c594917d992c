"""Figures of the answers to batches: how many pairs are judged, disputed, undecided, and the agreement.

They are cached for each state of a batch: anything that changes them changes its content version.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar, cast

import numpy as np
from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum

from annotation.models import Assignment, Batch, Decision, Item, SecondPass
from annotation.permissions import visible_items
from paragold.metrics.label_agreement import Estimate, agreement_of_labels
from projects.models import Project
from projects.permissions import can_manage

from .answer_kinds import Answers, Integers, answered_items

CACHE_SECONDS = 86_400
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """Figures of a batch's answers, over the items that the reader may see.

    agreement: that of the first pass, before annotators looked again at what they differ on. second_pass:
    that of the present answers, None where there was no second pass. kinds: how many items have the same
    answers and the same label of the latest decision, None without one.
    """

    items: int = 0
    judged_by_all: int = 0
    disputed: int = 0
    undecided_items: tuple[int, ...] = ()
    agreement: dict[str, Estimate] | None = None
    second_pass: dict[str, Estimate] | None = None
    kinds: tuple[tuple[Answers, str | None, int], ...] = ()

    @property
    def undecided(self) -> int:
        return len(self.undecided_items)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeFigures:
    """Disputes in a batch of links or clusters, over the items that the reader may see."""

    items: int = 0
    disputed: int = 0
    undecided_items: tuple[int, ...] = ()

    @property
    def undecided(self) -> int:
        return len(self.undecided_items)

    @property
    def decided(self) -> int:
        return self.disputed - self.undecided


def batch_figures(user: Any, project: Project, batches: Iterable[Batch]) -> dict[int, BatchFigures]:
    """By batch id, the figures over the items whose answers the user may see, None for all items; batches
    without any lack."""
    reader = None if user is None or can_manage(user, project) else user
    versions = content_versions(reader, batches)
    scope = reader.pk if reader else "all"
    keys = {pk: f"batch-figures:5:{pk}:{scope}" for pk in versions}
    cached = cache.get_many(keys.values())
    known = {pk: cached[key][1] for pk, key in keys.items() if cached.get(key, ("",))[0] == versions[pk]}
    if missing := versions.keys() - known:
        all_items = Item.objects.filter(batch__in=missing)
        counted = figures_of(visible_items(reader, project, missing) if reader else all_items)
        fresh = {pk: counted.get(pk, BatchFigures()) for pk in missing}
        cache.set_many({keys[pk]: (versions[pk], figures) for pk, figures in fresh.items()}, CACHE_SECONDS)
        known |= fresh
    return {pk: known[pk] for pk in keys if known[pk].items}


def while_unchanged(
    name: str, user: Any, project: Project, batches: Iterable[Batch], compute: Callable[[], T]
) -> T:
    """The cached value of `name` over the items of the batches whose answers the user may see, or else the
    result of `compute`, cached until any of the answers changes. `user` None: over all items."""
    reader = None if user is None or can_manage(user, project) else user
    versions = sorted(content_versions(reader, batches).items())
    scope = reader.pk if reader else "all"
    about = name, project.pk, scope, [pk for pk, _ in versions]
    key, state = (sha256(repr(part).encode()).hexdigest() for part in (about, versions))
    known, value = cache.get(key) or ("", None)
    if known != state:
        value = compute()
        cache.set(key, (state, value), CACHE_SECONDS)
    return cast(T, value)


def content_versions(user: Any, batches: Iterable[Batch]) -> dict[int, str]:
    """By batch id, a text that is another one after any answer, decision, lease or change of state."""
    batches = list(batches)
    answers = _rows(
        Assignment.objects.filter(item__batch__in=batches),
        "item__batch",
        places=Count("pk"),
        taken=Count("annotator"),
        own=Count("pk", filter=Q(annotator=user)),
        given=Sum("version"),
        latest=Max("answered_at"),
    )
    decisions = _rows(
        Decision.objects.filter(item__batch__in=batches),
        "item__batch",
        made=Sum("version"),
        latest=Max("decided_at"),
    )
    passes = _rows(SecondPass.objects.filter(batch__in=batches), "batch", ended=Max("ended_at"))
    states = {
        batch.pk: (
            batch.created_at,
            batch.name,
            batch.state,
            [of.get(batch.pk) for of in (answers, decisions, passes)],
        )
        for batch in batches
    }
    return {pk: sha256(repr(state).encode()).hexdigest() for pk, state in states.items()}


def figures_of(items: QuerySet[Item]) -> dict[int, BatchFigures]:
    """By batch id, the figures over `items`, which are those that the reader may see."""
    answered = answered_items(items)
    kinds: dict[int, dict[Answers, Integers]] = defaultdict(dict)
    for answers, places in answered.by_kind():
        batches, begins = np.unique(answered.batches[places], return_index=True)
        for batch, of_batch in zip(batches.tolist(), np.split(places, begins[1:]), strict=True):
            kinds[batch][answers] = answered.items[of_batch]
    decisions = Decision.objects.filter(item__batch__in=list(kinds)).order_by("version")
    decided = dict(decisions.values_list("item", "label"))
    return {batch: _figures(of_batch, decided) for batch, of_batch in kinds.items()}


def undecided_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ and that nobody has decided."""
    return disputed_items(items).filter(decisions=None)


def disputed_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ."""
    return items.annotate(labels=Count("assignments__judgement__label", distinct=True)).filter(labels__gt=1)


def _rows(rows: QuerySet[Any], batch: str, **figures: Any) -> dict[int, tuple[Any, ...]]:
    grouped = rows.order_by().values_list(batch).annotate(**figures)
    return {pk: tuple(values) for pk, *values in grouped}


def _figures(kinds: Mapping[Answers, Integers], decided: Mapping[int, str]) -> BatchFigures:
    items = judged_by_all = disputed = 0
    undecided: list[int] = []
    counts: list[tuple[Answers, str | None, int]] = []
    for answers, of_kind in kinds.items():
        number, labels = len(of_kind), {label for _, label, _ in answers}
        items += number
        judged_by_all += number * (None not in labels)
        decisions = Counter(map(decided.get, of_kind.tolist()))
        counts += [(answers, label, of_label) for label, of_label in decisions.items()]
        if len(labels - {None}) > 1:
            disputed += number
            undecided += [item for item in of_kind.tolist() if item not in decided]
    # Without the places that nobody has taken yet.
    taken = [
        [(person, label, again) for person, label, again in answers if person is not None]
        for answers in kinds
    ]
    first = [{person: again or label for person, label, again in places} for places in taken]
    present = [{person: label for person, label, _ in places} for places in taken]
    looked_again = any(again for places in taken for _, _, again in places)
    times = list(map(len, kinds.values()))
    return BatchFigures(
        items=items,
        judged_by_all=judged_by_all,
        disputed=disputed,
        undecided_items=tuple(undecided),
        agreement=agreement_of_labels(first, times),
        second_pass=agreement_of_labels(present, times) if looked_again else None,
        kinds=tuple(counts),
    )
