"""What annotators said about the items of a batch, where they differ, and who settles it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import (
    SCHEME_LABELS,
    Adjudication,
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    Decision,
    Item,
)
from paragold.agreement.coefficients import Agreement, cohen_kappa, krippendorff_alpha, observed_agreement
from projects.errors import Conflict, PublicError
from projects.models import AuditEntry

from .obstacles import check_adjudicate
from .pseudonyms import pseudonyms

NameT = TypeVar("NameT", int, str)


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


def agreement_of(items: list[ReviewedItem]) -> dict[str, Agreement]:
    """Observed agreement and Krippendorff's alpha; Cohen's kappa too when there are two annotators."""
    return agreement_of_labels([{vote.annotator: vote.label for vote in entry.votes} for entry in items])


def agreement_of_labels(items: Sequence[Mapping[NameT, str | None]]) -> dict[str, Agreement]:
    """As `agreement_of`, from the label that each annotator gave to each item; None for none."""
    people = sorted({person for labels in items for person in labels})
    rows = [[labels.get(person) for person in people] for labels in items]
    figures = {"observed": observed_agreement(rows), "krippendorff_alpha": krippendorff_alpha(rows)}
    if len(people) == 2:
        figures["cohen_kappa"] = cohen_kappa([row[0] for row in rows], [row[1] for row in rows])
    return figures


@transaction.atomic
def adjudicate(
    *, item: Item, by: User, label: str, comment: str = "", version: int | None = None
) -> Adjudication:
    """Settle an item; every decision is kept. `version` is that of the one the adjudicator saw, 0 for none.

    Raises PublicError for a label outside the scheme, Conflict for a decision that changed in the meantime.
    """
    item = Item.objects.select_for_update(of=("self",)).select_related("batch__project").get(pk=item.pk)
    check_adjudicate(by, item)
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
    AuditEntry.objects.create(
        project=batch.project, user=by, action="adjudicated", target=f"item {item.pk}: {label}"
    )
    return decision


def log_seeing_answers(*, batch: Batch, by: User) -> None:
    """Leave the trace that managers and administrators leave when they look at people's answers."""
    AuditEntry.objects.create(
        project=batch.project, user=by, action="saw answers", target=f"batch {batch.pk}: {batch.name}"
    )
