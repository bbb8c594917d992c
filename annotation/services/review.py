"""The annotators' answers to the items of a batch, where they differ, and decisions on labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop

from annotation.models import (
    Answer,
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    Decision,
    Item,
    SecondPass,
)
from annotation.schemes import SCHEME_LABELS, Label
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record_seen

from .decisions import Review, latest_decisions, record_decision
from .pseudonyms import number_of, pseudonyms


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer under its annotator's pseudonym; `second_pass` is whether it was given in that."""

    annotator: str
    words: str
    comment: str
    at: datetime
    second_pass: bool


def answer_history(batch: Batch, items: Iterable[int]) -> dict[int, list[GivenAnswer]]:
    """By item id, the answers in the order in which they came. The caller has checked who may read them."""
    started = SecondPass.objects.filter(batch=batch).values_list("started_at", flat=True).first()
    answers = list(
        Answer.objects.filter(assignment__item__in=list(items), assignment__item__batch=batch)
        .select_related("assignment")
        .order_by("pk")
    )
    names = pseudonyms(batch.project, {answer.assignment.person for answer in answers})
    history: dict[int, list[GivenAnswer]] = defaultdict(list)
    for answer in answers:
        label = answer.body.get("label")
        skipped = gettext_noop("Skipped") if answer.body.get("skipped") else gettext_noop("No answer")
        words = Label(label).label if label else skipped
        history[answer.assignment.item_id].append(
            GivenAnswer(
                annotator=names[answer.assignment.person],
                words=words,
                comment=answer.body.get("comment", ""),
                at=answer.at,
                second_pass=started is not None and answer.at >= started,
            )
        )
    return history


@dataclass(frozen=True, slots=True)
class Vote:
    """One annotator's present answer to an item; `label` is None while open or when skipped."""

    annotator: str
    label: str | None
    comment: str = ""
    flagged: bool = False
    skipped: bool = False
    milliseconds: int = 0
    at: str = ""
    context_opened: bool = False

    @property
    def word(self) -> str:
        if self.label is not None:
            return Label(self.label).label
        return (
            gettext_noop("Skipped")
            if self.skipped
            else gettext_noop("Answered")
            if self.at
            else gettext_noop("No answer yet")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedItem(Review):
    """A pair with everybody's answer; `annotators` are those who answered or skipped it."""

    votes: list[Vote]

    @property
    def labels(self) -> list[str]:
        return [vote.label for vote in self.votes if vote.label is not None]

    @property
    def disputed(self) -> bool:
        return len(set(self.labels)) > 1


def review_items(
    batches: Iterable[Batch], items: Iterable[int] | None = None, *, with_texts: bool = True
) -> list[ReviewedItem]:
    """Every item of judging batches of one project with all answers, in order; or only those of `items`.

    The caller has checked that the reader may see others' answers. Texts are read with the items, or not.
    """
    by_id = Batch.objects.select_related("project").in_bulk([batch.pk for batch in batches])
    rows = Item.objects.filter(batch__in=by_id)
    places = Assignment.objects.filter(item__batch__in=by_id, item__known_label="", annotator__isnull=False)
    if items is not None:
        rows, places = rows.filter(pk__in=list(items)), places.filter(item__in=list(items))
    if with_texts:
        rows = rows.select_related("pair__cluster", "pair__sentence_a__article", "pair__sentence_b__article")
    given: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for item_id, *place in places.order_by("annotator_id").values_list("item_id", "version", *VOTE):
        given[item_id].append(tuple(place))
    project = next(iter(by_id.values())).project
    names = pseudonyms(project, {person for of_item in given.values() for _, person, *_ in of_item})
    decisions = latest_decisions(Item.objects.filter(batch__in=by_id) if items is None else given)
    reviewed = []
    for item in rows.order_by("batch_id", "number"):
        item.batch = by_id[item.batch_id]
        if of_item := given.get(item.pk):
            reviewed.append(
                ReviewedItem(
                    item=item,
                    annotators=[names[row[1]] for row in of_item if row[2] != AssignmentState.OPEN],
                    basis=[row[0] for row in of_item],
                    decision=decisions.get(item.pk),
                    votes=[_vote(names[person], *vote) for _, person, *vote in of_item],
                )
            )
    return reviewed


def votes_of(project: Project, items: Iterable[int]) -> dict[int, list[Vote]]:
    """By item id, of items of any kind, everybody's present answer in the order of their letters.

    The caller has checked that the reader may see others' answers.
    """
    places = Assignment.objects.filter(item__in=list(items), annotator__isnull=False)
    rows = list(places.values_list("item_id", *VOTE))
    names = pseudonyms(project, {person for _, person, *_ in rows})
    votes: dict[int, list[Vote]] = defaultdict(list)
    for item, person, *vote in sorted(rows, key=lambda row: number_of(names[row[1]])):
        votes[item].append(_vote(names[person], *vote))
    return votes


# What `_vote` takes after the pseudonym, and the person before it. As columns: tens of thousands are read.
VOTE = (
    *("annotator_id", "state", "judgement__label", "comment"),
    *("flagged", "milliseconds", "answered_at", "context_opened"),
)


def _vote(
    annotator: str,
    state: str,
    label: str | None,
    comment: str,
    flagged: bool,
    milliseconds: int,
    answered_at: datetime | None,
    context_opened: bool,
) -> Vote:
    return Vote(
        annotator=annotator,
        label=label,
        comment=comment,
        flagged=flagged,
        skipped=state == AssignmentState.SKIPPED,
        milliseconds=milliseconds,
        at=answered_at.isoformat() if answered_at else "",
        context_opened=context_opened,
    )


def label_review(item: Item) -> ReviewedItem:
    """The answers to a pair. The caller has checked that the reader may see them."""
    if item.batch.kind != BatchKind.JUDGE:
        raise PublicError("This item is not for judging; only labels can be decided here.")
    for reviewed in review_items([item.batch], [item.pk]):
        return reviewed
    return ReviewedItem(item=item, annotators=[], basis=[], decision=None, votes=[])


def adjudicate_label(
    *, item: Item, by: User, label: str, version: int, basis: Sequence[int] | None = None, comment: str = ""
) -> Decision:
    """Decide the label of an item.

    Raises PublicError for a label outside the scheme; see `record_decision` for `version`, `basis` and what
    else is refused.
    """

    def decided(review: ReviewedItem) -> dict[str, Any]:
        labels = SCHEME_LABELS[review.item.batch.scheme]
        if label not in labels:
            raise PublicError(
                "%(label)r is not a label here; choose one of: %(choices)s.",
                label=label,
                choices=", ".join(labels),
            )
        return {"label": label}

    return record_decision(
        item=item,
        by=by,
        review_of=label_review,
        decided=decided,
        version=version,
        basis=basis,
        comment=comment,
        thing="pair",
    )


def record_answers_seen(*, batch: Batch, by: User, page: str) -> None:
    """Record that somebody looks at people's answers; page: the kind of page, in words."""
    record_seen(actor=by, project=batch.project, page=page, target=f"batch {batch.pk}: {batch.name}")
