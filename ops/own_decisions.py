"""What an adjudicator decided otherwise than an annotator answered, for that annotator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from alignment.models import Alignment
from annotation.models import Assignment, AssignmentState, Batch, BatchKind, BatchState, Decision
from annotation.schemes import Label
from annotation.services.decisions import latest_decisions
from paragold.metrics.partitions import canonical


@dataclass(frozen=True, slots=True)
class Difference:
    """An item with the own answer and the decision, both in lines; of links only those that differ."""

    number: int
    texts: Sequence[str]
    own: Sequence[str]
    decided: Sequence[str]
    comment: str


def shown_batches(user: User) -> QuerySet[Batch]:
    """The closed batches of which the user, an annotator of theirs, may see decisions."""
    return Batch.objects.assigned_to(user).filter(
        state=BatchState.CLOSED,
        shows_decisions=True,
        project__memberships__user=user,
        project__memberships__role="annotator",
    )


def own_differences(user: User, batch: Batch) -> list[Difference]:
    """The user's own answers from which the decisions of the batch differ, in the order of the items.

    Answers of other people are not read.
    """
    kind = BatchKind(batch.kind)
    answers = Assignment.objects.of(user).filter(item__batch=batch, state=AssignmentState.DONE)
    rows = answers.order_by("item__number").select_related(
        "item__pair__sentence_a", "item__pair__sentence_b", "item__cluster", "judgement"
    )
    if kind == BatchKind.SPLIT:
        rows = rows.prefetch_related("placements__headline__article", "item__headlines__article")
    elif kind == BatchKind.LINK:
        rows = rows.select_related("alignment").prefetch_related("alignment__links")
    assignments = list(rows)
    decisions = latest_decisions([assignment.item_id for assignment in assignments])
    decided = [(each, decisions[each.item_id]) for each in assignments if each.item_id in decisions]
    differences = (LINES[kind](assignment, decision) for assignment, decision in decided)
    return [difference for difference in differences if difference.own != difference.decided]


def _labels(assignment: Assignment, decision: Decision) -> Difference:
    own = [str(Label(assignment.judgement.label).label)]
    return _difference(assignment, decision, own, [str(Label(decision.label).label)])


def _links(assignment: Assignment, decision: Decision) -> Difference:
    pair = assignment.item.pair
    words_a, words_b = pair.sentence_a.token_list, pair.sentence_b.token_list
    alignment: Alignment = assignment.alignment
    drawn = {(link.a, link.b, link.strength) for link in alignment.links.all()}
    valid = {(a, b, strength) for a, b, strength, *_ in decision.content or ()}

    def lines(links: Iterable[tuple[int, int, str]]) -> list[str]:
        return [f"{words_a[a]} – {words_b[b]} ({strength.upper()})" for a, b, strength in sorted(links)]

    return _difference(assignment, decision, lines(drawn - valid), lines(valid - drawn))


def _groups(assignment: Assignment, decision: Decision) -> Difference:
    titles = {headline.number: headline.article.title for headline in assignment.item.headlines.all()}
    groups: dict[int, list[int]] = {}
    for placement in assignment.placements.all():
        if placement.group is not None:
            groups.setdefault(placement.group, []).append(placement.headline.number)

    def lines(groups: Iterable[Sequence[int]]) -> list[str]:
        shared = canonical(groups, sorted(titles))
        return [" / ".join(titles[number] for number in group) for group in shared]

    return _difference(assignment, decision, lines(groups.values()), lines(decision.content or ()))


def _difference(
    assignment: Assignment, decision: Decision, own: Sequence[str], decided: Sequence[str]
) -> Difference:
    item = assignment.item
    texts = [item.pair.sentence_a.text, item.pair.sentence_b.text] if item.pair_id else []
    return Difference(item.number, texts, own, decided, decision.comment)


LINES: dict[BatchKind, Callable[[Any, Decision], Difference]] = {
    BatchKind.JUDGE: _labels,
    BatchKind.LINK: _links,
    BatchKind.SPLIT: _groups,
}
