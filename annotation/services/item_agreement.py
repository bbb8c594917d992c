"""How far the annotators of one item agree, whatever they did with it: labels, links or sub-clusters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from annotation.models import Assignment, Batch, BatchKind, Item
from paragold.agreement.partitions import disputed_things, partition_figures

from .batch_figures import CACHE_SECONDS, content_versions, disputed_items
from .subclusters import submitted_items


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """Agreement of two annotators or more on an item.

    differing: on how many things they differ: the label, links or headlines. value: the mean over every two
    of them, at most 1, None where undefined: for labels the share who agree, for links 1 - average
    directional AER (Dolan, Quirk & Brockett 2004, footnote 5), for sub-clusters the adjusted Rand index
    (Hubert & Arabie 1985).
    """

    differing: int
    value: float | None

    @property
    def differ(self) -> bool:
        return self.differing > 0


Compute = Callable[[Batch], dict[int, ItemAgreement]]


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def agreement_of_items(items: QuerySet[Item]) -> dict[int, ItemAgreement]:
    """By id, those of the links' and clusters' items in the batches of `items` that two or more submitted."""
    kinds: dict[str, Compute] = {
        BatchKind.LINK: import_string(settings.LINK_AGREEMENT),
        BatchKind.SPLIT: _subclusters,
    }
    batches = list(
        Batch.objects.filter(pk__in=items.order_by().values("batch"), kind__in=kinds).select_related(
            "project"
        )
    )
    versions = content_versions(None, batches)
    agreements: dict[int, ItemAgreement] = {}
    for batch in batches:
        key = f"item-agreement:1:{batch.pk}:{versions[batch.pk]}"
        known = cache.get(key)
        if known is None:
            known = kinds[batch.kind](batch)
            cache.set(key, known, CACHE_SECONDS)
        agreements |= cast(dict[int, ItemAgreement], known)
    return agreements


def agreement_of_labels(items: QuerySet[Item]) -> dict[int, ItemAgreement]:
    """By id, those of the judged items on which annotators differ: at all others they agree fully."""
    labels: dict[int, list[str]] = defaultdict(list)
    differing = disputed_items(items.filter(batch__kind=BatchKind.JUDGE)).order_by().values("pk")
    given = Assignment.objects.filter(item__in=differing, judgement__isnull=False).order_by()
    for item, label in given.values_list("item", "judgement__label"):
        labels[item].append(label)
    return {
        item: ItemAgreement(1, mean([float(one == other) for one, other in combinations(given_labels, 2)]))
        for item, given_labels in labels.items()
    }


def _subclusters(batch: Batch) -> dict[int, ItemAgreement]:
    agreements = {}
    for entry in submitted_items(batch):
        figures = [partition_figures([(*both, entry.size)]) for both in combinations(entry.partitions, 2)]
        if figures:
            values = [value for one in figures if (value := one["adjusted_rand"]) is not None]
            agreements[entry.item] = ItemAgreement(len(disputed_things(entry.partitions)), mean(values))
    return agreements
