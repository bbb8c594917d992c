"""Figures of the answers to batches: how many pairs are judged, disputed, undecided, and the agreement.

They are cached for each state of a batch: anything that changes them changes its content version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum

from annotation.models import Assignment, Batch, Decision, Item, SecondPass
from annotation.permissions import visible_items
from paragold.metrics.label_agreement import Estimate, agreement_of_labels
from projects.models import Project
from projects.permissions import can_manage

CACHE_SECONDS = 86_400
NameT = TypeVar("NameT", int, str)


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """Figures of a batch's answers, over the items that the reader may see.

    agreement: that of the first pass, before annotators looked again at what they differ on. second_pass:
    that of the present answers, None where there was no second pass.
    """

    items: int = 0
    judged_by_all: int = 0
    disputed: int = 0
    undecided: int = 0
    agreement: dict[str, Estimate] | None = None
    second_pass: dict[str, Estimate] | None = None


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


def batch_figures(user: Any, project: Project, batches: Sequence[Batch]) -> dict[int, BatchFigures]:
    """By batch id, the figures over the items whose answers the user may see; batches without any lack."""
    versions = content_versions(user, batches)
    scope = "all" if can_manage(user, project) else str(user.pk)
    keys = {pk: f"batch-figures:3:{pk}:{scope}:{version}" for pk, version in versions.items()}
    known = cache.get_many(keys.values())
    missing = [pk for pk, key in keys.items() if key not in known]
    if missing:
        counted = figures_of(visible_items(user, project).filter(batch__in=missing))
        fresh = {keys[pk]: counted.get(pk, BatchFigures()) for pk in missing}
        cache.set_many(fresh, CACHE_SECONDS)
        known |= fresh
    return {pk: known[key] for pk, key in keys.items() if known[key].items}


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
        batch.pk: (batch.created_at, batch.state, [of.get(batch.pk) for of in (answers, decisions, passes)])
        for batch in batches
    }
    return {pk: sha256(repr(state).encode()).hexdigest() for pk, state in states.items()}


def figures_of(items: QuerySet[Item]) -> dict[int, BatchFigures]:
    """By batch id, the figures over `items`, which are those that the reader may see."""
    labels: dict[int, dict[int, dict[int | None, str | None]]] = defaultdict(lambda: defaultdict(dict))
    first_labels: dict[int, dict[int, dict[int, str]]] = defaultdict(lambda: defaultdict(dict))
    rows = Assignment.objects.filter(item__in=items.order_by()).values_list(
        "item__batch_id", "item_id", "annotator_id", "judgement__label", "second_look__first_label"
    )
    for batch, item, annotator, label, first_label in rows:
        labels[batch][item][annotator] = label
        if first_label and annotator is not None:
            first_labels[batch][item][annotator] = first_label
    decisions = Decision.objects.filter(item__in=items.order_by()).order_by()
    decided = set(decisions.values_list("item", flat=True))
    return {batch: _figures(by_item, first_labels[batch], decided) for batch, by_item in labels.items()}


def undecided_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ and that nobody has decided."""
    return disputed_items(items).filter(decisions=None)


def disputed_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ."""
    return items.annotate(labels=Count("assignments__judgement__label", distinct=True)).filter(labels__gt=1)


def _rows(rows: QuerySet[Any], batch: str, **figures: Any) -> dict[int, tuple[Any, ...]]:
    grouped = rows.order_by().values_list(batch).annotate(**figures)
    return {pk: tuple(values) for pk, *values in grouped}


def _figures(
    by_item: dict[int, dict[int | None, str | None]],
    first_labels: dict[int, dict[int, str]],
    decided: set[int],
) -> BatchFigures:
    disputed = [item for item, labels in by_item.items() if len({*labels.values()} - {None}) > 1]
    # Without the places that nobody has taken yet.
    labels_given: dict[int, dict[int, str | None]] = {
        item: {person: label for person, label in labels.items() if person is not None}
        for item, labels in by_item.items()
    }
    first, second = agreement_by_pass(labels_given, first_labels)
    return BatchFigures(
        items=len(by_item),
        judged_by_all=sum(None not in labels.values() for labels in by_item.values()),
        disputed=len(disputed),
        undecided=sum(item not in decided for item in disputed),
        agreement=first,
        second_pass=second,
    )


def agreement_by_pass(
    labels: Mapping[int, Mapping[NameT, str | None]],
    first_labels: Mapping[int, Mapping[NameT, str]],
    *,
    resamples: int = 0,
) -> tuple[dict[str, Estimate], dict[str, Estimate] | None]:
    """Agreement of the first pass, and that of the present labels; None for that without a second pass.

    labels: by item, each annotator's present label; first_labels: those given in the first pass to what was
    looked at again in the second one.
    """
    first = [{**given, **first_labels.get(item, {})} for item, given in labels.items()]
    looked_again = any(item in first_labels for item in labels)
    return (
        agreement_of_labels(first, resamples=resamples),
        agreement_of_labels(list(labels.values()), resamples=resamples) if looked_again else None,
    )
