"""How annotators split clusters into sub-clusters: what they submit, how far they agree, and decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Unpack, cast

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Count

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    Decision,
    Item,
    ItemHeadline,
    Placement,
)
from annotation.permissions import visible_items
from annotation.specs import MAX_HEADLINES
from paragold.metrics.partitions import (
    Groups,
    canonical,
    disputed_things,
    partition_figures,
    shared_groups,
)
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import can_manage

from .answers import Sent, check_undecided, record_answer
from .batch_figures import CACHE_SECONDS, DisputeFigures, content_versions
from .decisions import Review, latest_decisions, record_decision
from .pseudonyms import number_of, pseudonyms


def save_placements(
    *,
    assignment: Assignment,
    placements: Sequence[Sequence[Any]],
    submitted: bool = False,
    skipped: bool = False,
    **answer: Unpack[Sent],
) -> dict[str, Any]:
    """Store where the headlines were put, as a draft or submitted; see `record_answer`.

    `placements` are [number, group]: the headline's number from 1, and its group's from 1 or None for none.
    What is not among them is open, and counts as in none once it is submitted. Raises PublicError for a
    headline that is not the item's or given twice, and a group that is no number.
    """
    if assignment.item.batch.kind != BatchKind.SPLIT:
        raise PublicError("This item is a pair; only clusters are split.")
    if skipped and submitted:
        raise PublicError("A cluster is either skipped or submitted: send only one of the two.")
    headlines = dict(assignment.item.headlines.values_list("number", "pk"))
    rows = checked_placements(placements, headlines)

    def apply(stored: Assignment, _second_pass: bool) -> None:
        check_undecided(stored.item_id, "cluster")
        stored.placements.all().delete()
        Placement.objects.bulk_create(
            Placement(assignment=stored, headline_id=headlines[number], group=group) for number, group in rows
        )

    content = {"placements": rows, "submitted": submitted}
    return record_answer(
        assignment=assignment, done=submitted, skipped=skipped, content=content, apply=apply, **answer
    )


def checked_placements(
    placements: Sequence[Sequence[Any]], headlines: Iterable[int]
) -> list[tuple[int, int | None]]:
    """The placements, by headline, after every check that `save_placements` promises."""
    known = set(headlines)
    rows: dict[int, int | None] = {}
    for placement in placements:
        if len(placement) != 2:
            raise PublicError(
                "A placement is [headline, group], not %(placement)r.", placement=list(placement)
            )
        number, group = placement
        if type(number) is not int or number not in known:
            raise PublicError(
                "There is no headline %(number)r in this cluster; they are 1 to %(count)s.",
                number=number,
                count=len(known),
            )
        if number in rows:
            raise PublicError("Headline %(number)s is placed twice.", number=number)
        if group is not None and (type(group) is not int or not 1 <= group <= MAX_HEADLINES):
            raise PublicError(
                "Headline %(number)s: a group is 1 to %(limit)s, or null for none, not %(group)r.",
                number=number,
                limit=MAX_HEADLINES,
                group=group,
            )
        rows[number] = group
    return sorted(rows.items(), key=lambda row: row[0])


def partition_of(placements: Iterable[tuple[int, int | None]]) -> list[list[int]]:
    """The groups of two or more headlines, by number, of placements [number, group]."""
    groups: dict[int, list[int]] = defaultdict(list)
    numbers = []
    for number, group in placements:
        numbers.append(number)
        if group is not None:
            groups[group].append(number)
    return canonical(groups.values(), sorted(numbers))


@dataclass(frozen=True, slots=True)
class Submission:
    """One annotator's sub-clusters of one item: lists of two or more numbers of headlines."""

    assignment: Assignment
    groups: list[list[int]]


@dataclass(frozen=True, slots=True)
class SubmittedItem:
    """An item with the number of its headlines and its submissions, annotators in order of their ids."""

    item: int
    number: int
    size: int
    submissions: list[Submission]

    @property
    def disputed(self) -> bool:
        return any(answer.groups != self.submissions[0].groups for answer in self.submissions)

    @property
    def partitions(self) -> list[list[list[int]]]:
        return [answer.groups for answer in self.submissions]


def submitted_items(batch: Batch, items: Iterable[int] | None = None) -> list[SubmittedItem]:
    """The items of a batch, or those of `items`, that somebody has submitted, in order.

    The caller has checked that the reader may see them.
    """
    assignments = Assignment.objects.filter(item__batch=batch, state=AssignmentState.DONE)
    if items is not None:
        assignments = assignments.filter(item__in=list(items))
    rows = assignments.select_related("item").prefetch_related("placements__headline")
    submissions: dict[int, list[Submission]] = defaultdict(list)
    numbers: dict[int, int] = {}
    for assignment in rows.order_by("item__number", "annotator_id"):
        placements = [(place.headline.number, place.group) for place in assignment.placements.all()]
        submissions[assignment.item_id].append(Submission(assignment, partition_of(placements)))
        numbers[assignment.item_id] = assignment.item.number
    headlines = ItemHeadline.objects.filter(item__in=list(submissions)).order_by()
    sizes = dict(headlines.values_list("item").annotate(Count("pk")))
    return [SubmittedItem(item, numbers[item], sizes[item], ones) for item, ones in submissions.items()]


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
    """The submissions for an item. The caller has checked that the reader may see them."""
    if item.batch.kind != BatchKind.SPLIT:
        raise PublicError("This item is a pair; only sub-clusters are reviewed here.")
    submissions = [answer for entry in submitted_items(item.batch, [item.pk]) for answer in entry.submissions]
    names = pseudonyms(item.batch.project, {answer.assignment.person for answer in submissions})
    submissions.sort(key=lambda row: number_of(names[row.assignment.person]))
    partitions = [answer.groups for answer in submissions]
    return SubclusterReview(
        item=item,
        headlines=list(item.headlines.select_related("article").order_by("number")),
        annotators=[names[answer.assignment.person] for answer in submissions],
        partitions=partitions,
        comments=[answer.assignment.comment for answer in submissions],
        flagged=[answer.assignment.flagged for answer in submissions],
        shared=shared_groups(partitions),
        disputed=sorted(disputed_things(partitions)),
        decision=item.decisions.last(),
        basis=[answer.assignment.version for answer in submissions],
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
    """Decide the sub-clusters of an item: lists of numbers of headlines; the others are in none.

    Raises PublicError for a headline that does not exist or is in two lists; see `record_decision` for
    `version`, `basis` and what else is refused.
    """

    def decided(review: SubclusterReview) -> dict[str, Any]:
        numbers = [headline.number for headline in review.headlines]
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
    )


def checked_subclusters(subclusters: Sequence[Sequence[Any]], headlines: Sequence[int]) -> list[list[int]]:
    """The sub-clusters in order, without groups of one, after every check that a decision promises."""
    known, seen = set(headlines), set()
    for group in subclusters:
        for number in group:
            if type(number) is not int or number not in known:
                raise PublicError(
                    "There is no headline %(number)r in this cluster; they are 1 to %(count)s.",
                    number=number,
                    count=len(known),
                )
            if number in seen:
                raise PublicError("Headline %(number)s is in two sub-clusters.", number=number)
            seen.add(number)
    return canonical(subclusters, headlines)


def agreement_of(
    batch: Batch, items: Iterable[int] | None = None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every two annotators of a batch over the clusters that both submitted, of those in `items`.

    Blind: an answer can be changed until an adjudicator decides, but never after seeing another's.
    """
    return compared(batch, submitted_items(batch, items))


def compared(batch: Batch, submitted: Iterable[SubmittedItem]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A row for every two annotators, and the `partition_figures` of all of them added up.

    Rows have the pseudonyms `first` and `second`, the number of `headlines`, of clusters split in the `same`
    way, `mean_adjusted_rand` over the clusters, and the figures of `all`; `clusters` those of each.
    """
    by_people: dict[tuple[int, int], list[tuple[SubmittedItem, tuple[Groups, Groups, int]]]]
    by_people = defaultdict(list)
    for entry in submitted:
        for first, second in combinations(entry.submissions, 2):
            people = first.assignment.person, second.assignment.person
            by_people[people].append((entry, (first.groups, second.groups, entry.size)))
    names = pseudonyms(batch.project, {person for people in by_people for person in people})
    rows = []
    for (person, other), entries in by_people.items():
        clusters = [
            {"item": entry.item, "number": entry.number, "headlines": entry.size} | partition_figures([both])
            for entry, both in entries
        ]
        indices = [row["adjusted_rand"] for row in clusters if row["adjusted_rand"] is not None]
        rows.append(
            {
                **{"first": names[person], "second": names[other]},
                "headlines": sum(entry.size for entry, _ in entries),
                "same": sum(own["first"] == own["second"] == own["together"] for own in clusters),
                "mean_adjusted_rand": sum(indices) / len(indices) if indices else None,
                "all": partition_figures(both for _, both in entries),
                "clusters": clusters,
            }
        )
    rows.sort(key=lambda row: (len(row["first"]), row["first"], len(row["second"]), row["second"]))
    return rows, partition_figures(both for entries in by_people.values() for _, both in entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures(DisputeFigures):
    """A batch over the items that the reader may see; `agreement` adds up every two annotators."""

    split_by_enough: int
    agreement: dict[str, Any]


def split_figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    """The figures of one batch over the items whose answers the user may see; counted once for each state."""
    scope = "all" if can_manage(user, project) else str(user.pk)
    version = content_versions(user, [batch])[batch.pk]
    key = f"split-figures:5:{batch.pk}:{scope}:{version}"
    compute = partial(_figures, user, project, batch)
    return cast(SplitFigures, cache.get_or_set(key, compute, CACHE_SECONDS))


def _figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    visible = list(visible_items(user, project).filter(batch=batch).order_by().values_list("pk", flat=True))
    submitted = submitted_items(batch, visible)
    disputed = [entry.item for entry in submitted if entry.disputed]
    return SplitFigures(
        items=len(visible),
        split_by_enough=sum(len(entry.submissions) >= min(2, batch.overlap) for entry in submitted),
        disputed=len(disputed),
        undecided_items=tuple(sorted(set(disputed) - latest_decisions(disputed).keys())),
        agreement=compared(batch, submitted)[1],
    )
