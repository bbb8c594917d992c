"""What annotators said about the items of a batch, where they differ, and who settles it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import (
    SCHEME_LABELS,
    Adjudication,
    Answer,
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    Decision,
    Item,
    Label,
    SecondPass,
)
from projects.errors import Conflict, PublicError
from projects.models import AuditEntry

from .decisions import locked_for_decision, log_decision
from .pseudonyms import pseudonyms


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
    found: dict[int, list[GivenAnswer]] = defaultdict(list)
    for answer in answers:
        label = answer.body.get("label")
        words = Label(label).label if label else "Skipped" if answer.body.get("skipped") else "No answer"
        found[answer.assignment.item_id].append(
            GivenAnswer(
                annotator=names[answer.assignment.person],
                words=words,
                comment=answer.body.get("comment", ""),
                at=answer.at,
                second_pass=started is not None and answer.at >= started,
            )
        )
    return found


@dataclass(slots=True)
class Vote:
    """One annotator's present answer to an item; `label` is None while open or when skipped."""

    annotator: str
    user_id: int
    label: str | None
    comment: str
    flagged: bool
    skipped: bool
    milliseconds: int
    at: str


@dataclass(slots=True)
class ReviewedItem:
    item: Item
    votes: list[Vote]
    adjudication: Adjudication | None

    @property
    def labels(self) -> list[str]:
        return [vote.label for vote in self.votes if vote.label is not None]

    @property
    def disputed(self) -> bool:
        return len(set(self.labels)) > 1


def review_items(batches: Iterable[Batch], items: Iterable[int] | None = None) -> list[ReviewedItem]:
    """Every item of judging batches of one project with all answers, in order; or only those of `items`.

    The caller has checked that the reader may see others' answers.
    """
    batches = list(batches)
    assignments = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False)
    if items is not None:
        assignments = assignments.filter(item__in=list(items))
    assignments = (
        assignments.select_related("item__batch__project", "item__adjudication", "judgement")
        .select_related(
            "item__pair__cluster", "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        )
        .order_by("item__batch_id", "item__number", "annotator_id")
    )
    project = batches[0].project
    names = pseudonyms(project, {assignment.person for assignment in assignments})
    reviewed: dict[int, ReviewedItem] = {}
    for assignment in assignments:
        item = assignment.item
        entry = reviewed.setdefault(item.pk, ReviewedItem(item, [], getattr(item, "adjudication", None)))
        judgement = getattr(assignment, "judgement", None)
        entry.votes.append(
            Vote(
                annotator=names[assignment.person],
                user_id=assignment.person,
                label=judgement.label if judgement else None,
                comment=assignment.comment,
                flagged=assignment.flagged,
                skipped=assignment.state == AssignmentState.SKIPPED,
                milliseconds=assignment.milliseconds,
                at=assignment.answered_at.isoformat() if assignment.answered_at else "",
            )
        )
    return list(reviewed.values())


@transaction.atomic
def adjudicate(
    *, item: Item, by: User, label: str, comment: str = "", version: int | None = None
) -> Adjudication:
    """Settle an item; every decision is kept. `version` is that of the one the adjudicator saw, 0 for none.

    Raises PublicError for a label outside the scheme, Conflict for a decision that changed in the meantime.
    """
    item = locked_for_decision(item, by)
    batch = item.batch
    if batch.kind != BatchKind.JUDGE or label not in SCHEME_LABELS[batch.scheme]:
        raise PublicError(f"{label!r} is no label here; there are: {', '.join(SCHEME_LABELS[batch.scheme])}.")
    decision = Adjudication.objects.filter(item=item).first()
    stored = decision.version if decision else 0
    if version is not None and version != stored:
        seen_late = {"label": decision.label, "comment": decision.comment} if decision else {"label": None}
        raise Conflict(
            "Another adjudicator decided this pair in the meantime; reload to see it.",
            {**seen_late, "version": stored},
        )
    if decision is None:
        decision = Adjudication(item=item, version=0)
    decision.adjudicator, decision.label, decision.comment = by, label, comment
    decision.version += 1
    decision.save()
    Decision.objects.create(
        item=item,
        version=decision.version,
        adjudicator=by,
        label=label,
        comment=comment,
        at=decision.decided_at,
    )
    log_decision(item, by, "adjudicated", decided=label)
    return decision


def log_answers_seen(*, batch: Batch, by: User) -> None:
    """Leave the trace that managers and administrators leave when they look at people's answers."""
    AuditEntry.objects.create(
        project=batch.project, user=by, action="saw answers", target=f"batch {batch.pk}: {batch.name}"
    )
