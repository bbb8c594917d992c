"""Counting paraphrase phenomena, and their means in the shape of Dolan, Quirk & Brockett (2004), table 2."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import QuerySet

from annotation.models import (
    COUNTED_LABELS,
    GREATEST_COUNT,
    Assignment,
    Batch,
    BatchKind,
    Item,
    Phenomenon,
    PhenomenonCount,
)
from corpus.models import Dataset
from paragold.agreement.samples import MeanCount, mean_counts, mean_signature
from projects.errors import PublicError


@dataclass(frozen=True, slots=True)
class DatasetMeans:
    """The mean number of each phenomenon in the `pairs` of a dataset in which anybody counted."""

    dataset: Dataset
    pairs: int
    means: dict[str, MeanCount]
    signature: str


@transaction.atomic
def ask_phenomena(*, batch: Batch, asked: bool) -> None:
    """Have annotators count phenomena in the pairs that they call paraphrases, or no longer.

    What was counted stays. Raises PublicError for a batch of links.
    """
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("Phenomena are counted while judging, not while linking words.")
    Batch.objects.filter(pk=batch.pk).update(asks_phenomena=asked)


def check_counts(label: str | None, counts: Mapping[str, int]) -> None:
    """Raises PublicError, saying why, when the counts cannot go with the label.

    Whether the batch asks for them does not matter: what was counted before it ceased to is not lost.
    """
    if label not in COUNTED_LABELS:
        raise PublicError("Phenomena are counted in paraphrases and partial paraphrases only.")
    for name, count in counts.items():
        if name not in Phenomenon.values:
            raise PublicError(f"{name!r} is no phenomenon; there are: {', '.join(Phenomenon.values)}.")
        if not 0 <= count <= GREATEST_COUNT:
            raise PublicError(f"{name}: {count} is no count from 0 to {GREATEST_COUNT}.")


def store_counts(assignment: Assignment, counts: Mapping[str, int] | None) -> None:
    """Put the counts of the present answer in place of earlier ones; what is not named counts as 0.

    With None nothing was counted. Every earlier count stays in the history of answers.
    """
    assignment.phenomena.all().delete()
    if counts is not None:
        PhenomenonCount.objects.bulk_create(
            PhenomenonCount(assignment=assignment, phenomenon=name, count=counts.get(name, 0))
            for name in Phenomenon.values
        )


def phenomena_means(items: QuerySet[Item]) -> list[DatasetMeans]:
    """By dataset, over those of the items in which somebody counted.

    Where several annotators counted in a pair, the pair has the mean of theirs.
    """
    by_pair: dict[int, dict[int, dict[str, list[int]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    rows = PhenomenonCount.objects.filter(assignment__item__in=items.order_by()).values_list(
        "assignment__item__batch__dataset_id", "assignment__item__pair_id", "phenomenon", "count"
    )
    for dataset_id, pair, phenomenon, count in rows:
        by_pair[dataset_id][pair][phenomenon].append(count)
    names = [str(name) for name in Phenomenon.values]
    found = []
    for dataset in Dataset.objects.filter(pk__in=by_pair).order_by("pk"):
        pairs = [by_pair[dataset.pk][pair] for pair in sorted(by_pair[dataset.pk])]
        table = np.array([[np.mean(counts[name]) for name in names] for counts in pairs])
        means = dict(zip(names, mean_counts(table), strict=True))
        found.append(DatasetMeans(dataset, len(pairs), means, f"{mean_signature()}|pairs:{len(pairs)}"))
    return found
