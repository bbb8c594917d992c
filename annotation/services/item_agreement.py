"""How far the annotators of one item agree, whatever they did with it, and the items chosen by that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.module_loading import import_string

from annotation.models import Assignment, Batch, BatchKind, Decision, Item, ItemHeadline
from annotation.permissions import adjudicable_items
from annotation.services.batch_figures import CACHE_SECONDS, content_versions, disputed_items
from annotation.services.review import GivenAnswer, Vote, answer_history, votes_of
from annotation.services.subclusters import submitted_items
from paragold.metrics.partitions import disputed_things, partition_figures
from projects.models import Project
from projects.permissions import can_manage


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
    of_batch = items.order_by().filter(batch=OuterRef("pk"))
    batches = list(Batch.objects.filter(Exists(of_batch), kind__in=kinds).select_related("project"))
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
        item: ItemAgreement(
            1, mean([float(label == other) for label, other in combinations(given_labels, 2)])
        )
        for item, given_labels in labels.items()
    }


def _subclusters(batch: Batch) -> dict[int, ItemAgreement]:
    agreements = {}
    for entry in submitted_items(batch):
        figures = [partition_figures([(*both, entry.size)]) for both in combinations(entry.partitions, 2)]
        if figures:
            values = [value for figure in figures if (value := figure["adjusted_rand"]) is not None]
            agreements[entry.item] = ItemAgreement(len(disputed_things(entry.partitions)), mean(values))
    return agreements


@dataclass(frozen=True, slots=True)
class AnnotatedItem:
    """An item with all that a reader may see of its answers; `texts` are its sentences, or headlines.

    agreement: of links and sub-clusters, where two annotators or more have submitted them.
    """

    item: Item
    texts: list[str]
    votes: list[Vote]
    history: list[GivenAnswer]
    decidable: bool
    decisions: list[Decision]
    agreement: ItemAgreement | None = None

    @property
    def decision(self) -> Decision | None:
        return self.decisions[-1] if self.decisions else None

    @property
    def pk(self) -> int:
        return int(self.item.pk)

    @property
    def labels(self) -> set[str]:
        return {vote.label for vote in self.votes if vote.label is not None}

    @property
    def disputed(self) -> bool:
        return self.agreement.differ if self.agreement else len(self.labels) > 1

    @property
    def agreed(self) -> bool:
        if self.agreement:
            return not self.agreement.differ
        return len(self.labels) == 1 and sum(vote.label is not None for vote in self.votes) > 1


def annotated(user: Any, project: Project, rows: Sequence[Item]) -> list[AnnotatedItem]:
    """The rows with texts, answers and decisions; managers see the history of the answers as well."""
    ids = [row.pk for row in rows]
    related = Item.objects.select_related("batch", "cluster", "pair__sentence_a", "pair__sentence_b")
    by_id = related.in_bulk(ids)
    votes = votes_of(project, ids)
    decisions: dict[int, list[Decision]] = defaultdict(list)
    for decision in Decision.objects.filter(item__in=ids).order_by("version"):
        decisions[decision.item_id].append(decision)
    mine = set(adjudicable_items(user, project).filter(pk__in=ids).values_list("pk", flat=True))
    agreements = agreement_of_items(Item.objects.filter(pk__in=ids))
    history: dict[int, list[GivenAnswer]] = {}
    if can_manage(user, project):
        for batch in {row.batch_id: row.batch for row in rows if row.batch.kind == BatchKind.JUDGE}.values():
            history |= answer_history(batch, ids)
    headlines: dict[int, list[str]] = {}
    in_order = ItemHeadline.objects.filter(item__in=ids).select_related("article").order_by("item", "number")
    for headline in in_order:
        headlines.setdefault(headline.item_id, []).append(headline.article.title)
    entries = []
    for item in (by_id[pk] for pk in ids):
        pair = item.pair if item.pair_id else None
        texts = [pair.sentence_a.text, pair.sentence_b.text] if pair else headlines.get(item.pk, [])
        entry = AnnotatedItem(
            item=item,
            texts=texts,
            votes=votes.get(item.pk, []),
            decisions=decisions[item.pk],
            history=history.get(item.pk, []),
            decidable=item.pk in mine,
            agreement=agreements.get(item.pk),
        )
        entries.append(entry)
    return entries
