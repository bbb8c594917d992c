"""Disputed items that nobody has decided, of every kind of batch, and what the links of batches come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, cast

from django.core.cache import cache

from annotation.models import Batch, BatchKind, Item
from annotation.permissions import adjudicable_items, visible_items
from annotation.services.batch_figures import (
    CACHE_SECONDS,
    BatchFigures,
    DisputeFigures,
    batch_figures,
    content_versions,
)
from annotation.services.decisions import latest_decisions
from annotation.services.item_agreement import ItemAgreement, mean
from annotation.services.subclusters import split_figures
from paragold.metrics.link_agreement import directional_error
from projects.models import Project
from projects.permissions import can_manage

from .gold_links import agreement_by_pass
from .submitted_links import compared, disputed_counts, links_of, submitted_alignments


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFigures(DisputeFigures):
    """What a batch's links come to, over the items that the reader may see.

    `agreement` is 1 - average directional AER of the first pass, a share from 0 to 1 over `agreement_pairs`
    pairs of annotators' links; None without any. `second_pass` is that of the present links, where anybody
    has linked again.
    """

    linked_by_all: int = 0
    agreement: float | None = None
    agreement_pairs: int = 0
    second_pass: float | None = None


def link_figures(user: Any, project: Project, batches: Sequence[Batch]) -> dict[int, LinkFigures]:
    """By batch id, the figures over the items whose links the user may see."""
    scope = "all" if can_manage(user, project) else str(user.pk)
    versions = content_versions(user, batches)
    figures = {}
    for batch in batches:
        key = f"link-figures:5:{batch.pk}:{scope}:{versions[batch.pk]}"
        kept = cache.get_or_set(key, partial(_figures, user, project, batch), CACHE_SECONDS)
        figures[batch.pk] = cast(LinkFigures, kept)
    return figures


def _figures(user: Any, project: Project, batch: Batch) -> LinkFigures:
    visible = set(visible_items(user, project).filter(batch=batch).values_list("pk", flat=True))
    submitted = {item: links for item, links in submitted_alignments(batch).items() if item in visible}
    disputed = disputed_counts(submitted)
    first, second = agreement_by_pass(batch, submitted)
    return LinkFigures(
        items=len(visible),
        linked_by_all=sum(len(links) >= batch.overlap for links in submitted.values()),
        disputed=len(disputed),
        undecided_items=tuple(sorted(disputed.keys() - latest_decisions(disputed).keys())),
        agreement=first["value"],
        agreement_pairs=first["pairs"],
        second_pass=second["value"] if second else None,
    )


def agreement_of_links(batch: Batch) -> dict[int, ItemAgreement]:
    """By item id, how far those agree who have submitted the links of a pair, where they are two or more."""
    agreements = {}
    for item, alignments in submitted_alignments(batch).items():
        drawn = [links_of(answer) for answer in alignments]
        errors = [directional_error([a], [b])["agreement"] for a, b in combinations(drawn, 2)]
        if errors:
            values = [value for value in errors if value is not None]
            agreements[item] = ItemAgreement(len(compared(alignments)[1]), mean(values))
    return agreements


@dataclass(frozen=True, slots=True)
class Disputes:
    """A batch with disputed items that nobody has decided, by their ids, of those that a person may see.

    `decidable` are those that the person may decide.
    """

    batch: Batch
    undecided: frozenset[int]
    decidable: frozenset[int]

    @property
    def first(self) -> Item | None:
        """The first that the person may decide."""
        return Item.objects.filter(pk__in=self.decidable).order_by("number").first()


def disputes_of(
    user: Any, project: Project, label_figures: Mapping[int, BatchFigures] | None = None
) -> list[Disputes]:
    """The batches of a project in which disputed items wait for a decision, the oldest first.

    label_figures: those of `batch_figures`, where they are known.
    """
    batches = list(Batch.objects.current().filter(project=project).order_by("pk"))
    by_kind = {kind: [batch for batch in batches if batch.kind == kind] for kind in BatchKind.values}
    undecided: dict[int, set[int]] = {batch.pk: set() for batch in batches}
    if label_figures is None:
        label_figures = batch_figures(user, project, by_kind[BatchKind.JUDGE])
    for pk, labels in label_figures.items():
        undecided[pk] |= set(labels.undecided_items)
    for pk, links in link_figures(user, project, by_kind[BatchKind.LINK]).items():
        undecided[pk] |= set(links.undecided_items)
    for batch in by_kind[BatchKind.SPLIT]:
        undecided[batch.pk] |= set(split_figures(user, project, batch).undecided_items)
    waiting = {item for items in undecided.values() for item in items}
    rows = adjudicable_items(user, project).filter(batch__in=[pk for pk, items in undecided.items() if items])
    decidable = waiting & set(rows.order_by().values_list("pk", flat=True)) if waiting else set()
    return [
        Disputes(batch, frozenset(undecided[batch.pk]), frozenset(undecided[batch.pk] & decidable))
        for batch in batches
        if undecided[batch.pk]
    ]
