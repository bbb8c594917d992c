"""Reviewing sub-clusters: how a cluster's annotators split it, and what an adjudicator decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import BatchKind, Item, ItemHeadline, SubclusterDecision
from annotation.services.deciding import check_seen, locked_for_decision
from annotation.services.pseudonyms import pseudonyms
from paragold.agreement.partitions import canonical, disputed_things, shared_groups
from projects.errors import PublicError
from projects.models import AuditEntry

from .submissions import submitted_items


@dataclass(frozen=True, slots=True)
class SubclusterReview:
    """A cluster as its reviewer sees it: annotators by pseudonym, each with their groups of headline numbers.

    `shared` are the groups of headlines that everybody put together, `disputed` the numbers of the headlines
    on which people differ. `basis` are the versions of the annotators' answers, which a decision names as
    what it rests on.
    """

    item: Item
    headlines: list[ItemHeadline]
    annotators: list[str]
    partitions: list[list[list[int]]]
    comments: list[str]
    flagged: list[bool]
    shared: list[list[int]]
    disputed: list[int]
    decision: SubclusterDecision | None
    basis: list[int]

    @property
    def version(self) -> int:
        return self.decision.version if self.decision else 0


def subcluster_review(item: Item) -> SubclusterReview:
    """What was submitted for an item. The caller has checked that the reader may see it."""
    if item.batch.kind != BatchKind.SPLIT:
        raise PublicError("This item is a pair; only sub-clusters are reviewed here.")
    submissions = [one for entry in submitted_items(item.batch, [item.pk]) for one in entry.submissions]
    names = pseudonyms(item.batch.project, {one.assignment.person for one in submissions})
    submissions.sort(key=lambda one: int(names[one.assignment.person].rpartition("-")[2]))
    partitions = [one.groups for one in submissions]
    return SubclusterReview(
        item=item,
        headlines=list(item.headlines.select_related("article").order_by("number")),
        annotators=[names[one.assignment.person] for one in submissions],
        partitions=partitions,
        comments=[one.assignment.comment for one in submissions],
        flagged=[one.assignment.flagged for one in submissions],
        shared=shared_groups(partitions),
        disputed=sorted(disputed_things(partitions)),
        decision=item.subcluster_decisions.order_by("version").last(),
        basis=[one.assignment.version for one in submissions],
    )


@transaction.atomic
def adjudicate_subclusters(
    *,
    item: Item,
    by: User,
    subclusters: Sequence[Sequence[int]],
    version: int,
    basis: Sequence[int],
    comment: str = "",
) -> SubclusterDecision:
    """Decide the sub-clusters of an item: lists of numbers of headlines; those in no list stand alone.

    `version` is that of the decision the adjudicator saw, 0 for none; `basis` that of the annotators'
    answers. Raises PublicError for a headline that does not exist or stands in two lists, and a cluster that
    nobody submitted; Conflict when anything changed meanwhile.
    """
    item = locked_for_decision(item, by)
    review = subcluster_review(item)
    if not review.annotators:
        raise PublicError("Nobody has submitted this cluster, so there is nothing to decide.")
    changed = "This cluster was decided or changed in the meantime; reload to see it."
    check_seen(review, version=version, basis=basis, comment=comment, changed=changed)
    decision = SubclusterDecision.objects.create(
        item=item,
        adjudicator=by,
        version=review.version + 1,
        subclusters=checked_subclusters(subclusters, [one.number for one in review.headlines]),
        comment=comment,
    )
    AuditEntry.objects.create(
        project=item.batch.project, user=by, action="adjudicated sub-clusters", target=f"item {item.pk}"
    )
    return decision


def checked_subclusters(subclusters: Sequence[Sequence[Any]], headlines: Sequence[int]) -> list[list[int]]:
    """The sub-clusters in order, without groups of one, after every check that a decision promises."""
    known, seen = set(headlines), set()
    for group in subclusters:
        for number in group:
            if type(number) is not int or number not in known:
                raise PublicError(
                    f"There is no headline {number!r} in this cluster; they are 1 to {len(known)}."
                )
            if number in seen:
                raise PublicError(f"Headline {number} is in two sub-clusters.")
            seen.add(number)
    return canonical(subclusters, headlines)


def decisions_of(items: Iterable[int]) -> dict[int, SubclusterDecision]:
    """The decision that stands for each item that has one, by item id."""
    found = SubclusterDecision.objects.filter(item__in=list(items)).order_by("item", "version")
    return {decision.item_id: decision for decision in found}
