"""Annotated items of any kind with all the answers and decisions that a reader may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import BatchKind, Decision, Item, ItemHeadline
from annotation.permissions import adjudicable_items
from projects.models import Project
from projects.permissions import can_manage

from .item_agreement import ItemAgreement, agreement_of_items
from .review import GivenAnswer, Vote, answer_history, votes_of


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
