"""Reviewing links: what a pair's annotators drew, where they differ, and what an adjudicator decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from alignment.models import Alignment, Strength
from annotation.models import AssignmentState, BatchKind, Decision, Item
from annotation.services.decisions import Review, record_decision
from annotation.services.pseudonyms import pseudonyms
from paragold.metrics.links import Link
from projects.errors import PublicError

from .submitted_links import DisputedLink, compared


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReview(Review):
    """A pair with its agreed links [a, b, strength] and the disputed ones."""

    comments: list[str]
    agreed: list[list[Any]]
    disputed: list[DisputedLink]


def link_review(item: Item) -> LinkReview:
    """What was submitted for an item. The caller has checked that the reader may see it."""
    if item.batch.kind != BatchKind.LINK:
        raise PublicError("This pair is for judging; only links can be reviewed here.")
    alignments = list(
        Alignment.objects.filter(assignment__item=item, assignment__state=AssignmentState.DONE)
        .select_related("assignment")
        .prefetch_related("links")
    )
    names = pseudonyms(item.batch.project, {answer.assignment.person for answer in alignments})
    alignments.sort(key=lambda row: int(names[row.assignment.person].rpartition("-")[2]))
    agreed, disputed = compared(alignments)
    return LinkReview(
        item=item,
        annotators=[names[answer.assignment.person] for answer in alignments],
        comments=[answer.assignment.comment for answer in alignments],
        agreed=agreed,
        disputed=disputed,
        decision=item.decisions.last(),
        basis=[answer.assignment.version for answer in alignments],
    )


def adjudicate_links(
    *,
    item: Item,
    by: User,
    links: Sequence[Sequence[Any]],
    version: int,
    basis: Sequence[int],
    comment: str = "",
) -> Decision:
    """Decide the links of an item, [a, b, strength]; disputed links that are not among them are dropped.

    Raises PublicError for a link that nobody drew, one given twice, and an agreed link that is missing or
    changed; see `record_decision` for `version`, `basis` and what else is refused.
    """
    return record_decision(
        item=item,
        by=by,
        review_of=link_review,
        decided=lambda review: {"content": _checked(links, review)},
        version=version,
        basis=basis,
        comment=comment,
        thing="pair",
    )


def _checked(links: Sequence[Sequence[Any]], review: LinkReview) -> list[list[Any]]:
    decided: dict[Link, str] = {}
    known = {(link.a, link.b) for link in review.disputed} | {(a, b) for a, b, _ in review.agreed}
    for link in links:
        if len(link) != 3 or not all(type(index) is int for index in link[:2]):
            raise PublicError("A link is [a, b, strength], not %(link)r.", link=list(link))
        a, b, strength = link
        if (a, b) not in known:
            raise PublicError(
                "Link %(a)s-%(b)s was not drawn; a review keeps, drops or changes links.", a=a, b=b
            )
        if strength not in Strength.values:
            raise PublicError(
                "Link %(a)s-%(b)s: the strength is sure or possible, not %(strength)r.",
                a=a,
                b=b,
                strength=strength,
            )
        if (a, b) in decided:
            raise PublicError("Link %(a)s-%(b)s is given twice.", a=a, b=b)
        decided[a, b] = strength
    for a, b, strength in review.agreed:
        if decided.get((a, b)) != strength:
            raise PublicError(
                "Link %(a)s-%(b)s is agreed as %(strength)s; agreed links stay as they are.",
                a=a,
                b=b,
                strength=strength,
            )
    return [[a, b, decided[a, b]] for a, b in sorted(decided)]
