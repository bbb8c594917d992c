"""Figures of the answers to batches: how many pairs are judged, disputed, undecided, and the agreement.

They are cached for each state of a batch: anything that changes them changes its content version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar, cast

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum

from annotation.models import Assignment, Batch, Decision, Item, SecondPass
from annotation.permissions import visible_items
from paragold.metrics.label_agreement import Estimate, agreement_of_labels
from projects.models import Project
from projects.permissions import can_manage

CACHE_SECONDS = 86_400
T = TypeVar("T")
Answers = tuple[tuple[int | None, str | None, str | None], ...]
"""Of an item: annotator, present label, and that of the first pass where the item was shown again."""
Kinds = dict[tuple[Answers, bool], list[int]]
"""The items that have these answers and are decided, or are not."""


@dataclass(frozen=True, slots=True)
class BatchFigures:
    """Figures of a batch's answers, over the items that the reader may see.

    agreement: that of the first pass, before annotators looked again at what they differ on. second_pass:
    that of the present answers, None where there was no second pass.
    """

    items: int = 0
    judged_by_all: int = 0
    disputed: int = 0
    undecided_items: tuple[int, ...] = ()
    agreement: dict[str, Estimate] | None = None
    second_pass: dict[str, Estimate] | None = None

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
    """By batch id, the figures over the items whose answers the user may see; batches without any lack."""
    versions = content_versions(user, batches)
    scope = "all" if can_manage(user, project) else str(user.pk)
    keys = {pk: f"batch-figures:4:{pk}:{scope}" for pk in versions}
    cached = cache.get_many(keys.values())
    known = {pk: cached[key][1] for pk, key in keys.items() if cached.get(key, ("",))[0] == versions[pk]}
    if missing := versions.keys() - known:
        counted = figures_of(visible_items(user, project).filter(batch__in=missing))
        fresh = {pk: counted.get(pk, BatchFigures()) for pk in missing}
        cache.set_many({keys[pk]: (versions[pk], figures) for pk, figures in fresh.items()}, CACHE_SECONDS)
        known |= fresh
    return {pk: known[pk] for pk in keys if known[pk].items}


def while_unchanged(
    name: str, user: Any, project: Project, batches: Iterable[Batch], compute: Callable[[], T]
) -> T:
    """The cached value of `name` over the items of the batches whose answers the user may see, or else the
    result of `compute`, cached until any of the answers changes. `user` None: over all items."""
    versions = sorted(content_versions(user, batches).items())
    scope = "all" if user is None or can_manage(user, project) else user.pk
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
    answers: dict[tuple[int, int], Answers] = defaultdict(tuple)
    rows = Assignment.objects.filter(item__in=items.order_by()).order_by()
    for batch, item, annotator, label, first_label in rows.values_list(
        *("item__batch_id", "item_id", "annotator_id", "judgement__label", "second_look__first_label")
    ):
        answers[batch, item] += ((annotator, label, first_label),)
    decisions = Decision.objects.filter(item__in=items.order_by()).order_by()
    decided = set(decisions.values_list("item", flat=True))
    kinds: dict[int, Kinds] = defaultdict(lambda: defaultdict(list))
    for (batch, item), given in answers.items():
        kinds[batch][given, item in decided].append(item)
    return {batch: _figures(of_batch) for batch, of_batch in kinds.items()}


def undecided_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ and that nobody has decided."""
    return disputed_items(items).filter(decisions=None)


def disputed_items(items: QuerySet[Item]) -> QuerySet[Item]:
    """The judged items on which annotators differ."""
    return items.annotate(labels=Count("assignments__judgement__label", distinct=True)).filter(labels__gt=1)


def _rows(rows: QuerySet[Any], batch: str, **figures: Any) -> dict[int, tuple[Any, ...]]:
    grouped = rows.order_by().values_list(batch).annotate(**figures)
    return {pk: tuple(values) for pk, *values in grouped}


def _figures(kinds: Kinds) -> BatchFigures:
    items = judged_by_all = disputed = 0
    undecided: list[int] = []
    first: list[dict[int, str | None]] = []
    present: list[dict[int, str | None]] = []
    for (answers, decided), of_kind in kinds.items():
        number, labels = len(of_kind), {label for _, label, _ in answers}
        items += number
        judged_by_all += number * (None not in labels)
        differ = len(labels - {None}) > 1
        disputed += number * differ
        undecided += of_kind if differ and not decided else []
        # Without the places that nobody has taken yet.
        taken = [(person, label, again) for person, label, again in answers if person is not None]
        first += [{person: again or label for person, label, again in taken}] * number
        present += [{person: label for person, label, _ in taken}] * number
    looked_again = any(again for answers, _ in kinds for _, _, again in answers)
    return BatchFigures(
        items=items,
        judged_by_all=judged_by_all,
        disputed=disputed,
        undecided_items=tuple(undecided),
        agreement=agreement_of_labels(first),
        second_pass=agreement_of_labels(present) if looked_again else None,
    )
