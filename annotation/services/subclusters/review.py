"""Reviewing sub-clusters: how a cluster's annotators split it, and what an adjudicator decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from annotation.models import BatchKind, Decision, Item, ItemHeadline
from annotation.services.decisions import Review, record_decision
from annotation.services.pseudonyms import pseudonyms
from paragold.agreement.partitions import canonical, disputed_things, shared_groups
from projects.errors import PublicError

from .placements import submitted_items


@dataclass(frozen=True, slots=True, kw_only=True)
class SubclusterReview(Review):
    """A cluster with the annotators' groups of headline numbers.

    `shared` are the groups of headlines that everybody put together, `disputed` the numbers of the headlines
    on which people differ.
    """

    headlines: list[ItemHeadline]
    partitions: list[list[list[int]]]
    comments: list[str]
    flagged: list[bool]
    shared: list[list[int]]
    disputed: list[int]


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
        decision=item.decisions.last(),
        basis=[one.assignment.version for one in submissions],
    )


def adjudicate_subclusters(
    *,
    item: Item,
    by: User,
    subclusters: Sequence[Sequence[int]],
    version: int,
    basis: Sequence[int],
    comment: str = "",
) -> Decision:
    """Decide the sub-clusters of an item: lists of numbers of headlines; those in no list stand alone.

    Raises PublicError for a headline that does not exist or stands in two lists; see `record_decision` for
    `version`, `basis` and what else is refused.
    """

    def decided(review: SubclusterReview) -> dict[str, Any]:
        numbers = [one.number for one in review.headlines]
        return {"content": checked_subclusters(subclusters, numbers)}

    return record_decision(
        item=item,
        by=by,
        review_of=subcluster_review,
        decided=decided,
        version=version,
        basis=basis,
        comment=comment,
        thing="cluster",
        action="adjudicated sub-clusters",
    )


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
