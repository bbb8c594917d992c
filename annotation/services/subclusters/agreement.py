"""How far every two annotators split the clusters of a batch alike, and how many clusters are undecided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, cast

from django.core.cache import cache

from annotation.models import Batch
from annotation.permissions import visible_items
from annotation.services.batch_figures import KEPT_SECONDS, DisputeFigures, content_versions
from annotation.services.decisions import latest_decisions
from annotation.services.pseudonyms import pseudonyms
from paragold.agreement.partitions import SIGNATURE, PairCounts, pair_counts
from projects.models import Project
from projects.permissions import can_manage

from .placements import SubmittedItem, submitted_items


@dataclass(frozen=True, slots=True)
class ClusterAgreement:
    """One cluster that two annotators split: its item, number and headlines, and what they have in common."""

    item: int
    number: int
    size: int
    counts: PairCounts


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Two annotators, by pseudonym, and the clusters that both have split; `counts` is over all of them."""

    first: str
    second: str
    clusters: list[ClusterAgreement]

    @property
    def counts(self) -> PairCounts:
        return sum((one.counts for one in self.clusters), PairCounts())

    @property
    def headlines(self) -> int:
        return sum(one.size for one in self.clusters)

    @property
    def same(self) -> int:
        """The clusters that both have split alike."""
        return sum(one.counts.first == one.counts.second == one.counts.together for one in self.clusters)

    @property
    def mean_adjusted_rand(self) -> float | None:
        """The mean over the clusters, each of which weighs the same."""
        values = [value for one in self.clusters if (value := one.counts.adjusted_rand) is not None]
        return sum(values) / len(values) if values else None


def agreement_of(batch: Batch, items: Iterable[int] | None = None) -> list[AnnotatorAgreement]:
    """Every two annotators of a batch over the clusters that both submitted, of those in `items`.

    Blind: an answer can be changed until an adjudicator decides, but never after seeing another's.
    """
    return compared(batch, submitted_items(batch, items))


def compared(batch: Batch, submitted: Iterable[SubmittedItem]) -> list[AnnotatorAgreement]:
    found: dict[tuple[int, int], list[ClusterAgreement]] = defaultdict(list)
    for entry in submitted:
        for first, second in combinations(entry.submissions, 2):
            counts = pair_counts(first.groups, second.groups, entry.size)
            people = (first.assignment.person, second.assignment.person)
            found[people].append(ClusterAgreement(entry.item, entry.number, entry.size, counts))
    names = pseudonyms(batch.project, {person for people in found for person in people})
    rows = [AnnotatorAgreement(names[one], names[two], clusters) for (one, two), clusters in found.items()]
    return sorted(rows, key=lambda row: (len(row.first), row.first, len(row.second), row.second))


def overall(rows: Iterable[AnnotatorAgreement]) -> PairCounts:
    """Every two annotators over all their clusters, added up."""
    return sum((row.counts for row in rows), PairCounts())


def figures(counts: PairCounts) -> dict[str, Any]:
    """The figures of a comparison as JSON: shares, null where undefined, and the pairs they rest on."""
    return {
        name: getattr(counts, name)
        for name in ("adjusted_rand", "precision", "recall", "f1", "together", "first", "second", "pairs")
    }


def as_json(rows: Iterable[AnnotatorAgreement]) -> dict[str, Any]:
    rows = list(rows)
    return {
        "overall": figures(overall(rows)),
        "annotators": [
            {
                "first": row.first,
                "second": row.second,
                "headlines": row.headlines,
                "same": row.same,
                "mean_adjusted_rand": row.mean_adjusted_rand,
                "all": figures(row.counts),
                "clusters": [
                    {"item": one.item, "number": one.number, "headlines": one.size, **figures(one.counts)}
                    for one in row.clusters
                ],
            }
            for row in rows
        ],
        "signature": SIGNATURE,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures(DisputeFigures):
    """A batch over the items that the reader may see; `agreement` adds up every two annotators."""

    split_by_enough: int
    agreement: PairCounts


def split_figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    """The figures of one batch over the items whose answers the user may see; counted once for each state."""
    scope = "all" if can_manage(user, project) else str(user.pk)
    version = content_versions(user, [batch])[batch.pk]
    key = f"split-figures:3:{batch.pk}:{scope}:{version}"
    compute = partial(_figures, user, project, batch)
    return cast(SplitFigures, cache.get_or_set(key, compute, KEPT_SECONDS))


def _figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    visible = list(visible_items(user, project).filter(batch=batch).order_by().values_list("pk", flat=True))
    submitted = submitted_items(batch, visible)
    disputed = [entry.item for entry in submitted if entry.disputed]
    return SplitFigures(
        items=len(visible),
        split_by_enough=sum(len(entry.submissions) >= min(2, batch.overlap) for entry in submitted),
        disputed=len(disputed),
        undecided_items=tuple(sorted(set(disputed) - latest_decisions(disputed).keys())),
        agreement=overall(compared(batch, submitted)),
    )
