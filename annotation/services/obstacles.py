"""Why a person cannot adjudicate items, and which step changes that: one answer for pages and API."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    Item,
    SecondLook,
)
from annotation.permissions import adjudicable_items, can_see_answers
from projects.models import Project, Role
from projects.permissions import can_manage, roles_of

from .pseudonyms import pseudonyms


class Step(StrEnum):
    """What changes it; the pages offer the first three to managers as buttons or links."""

    BECOME_ADJUDICATOR = "become adjudicator"
    END_SECOND_LOOKS = "end second looks"
    ADD_ADJUDICATOR = "add adjudicator"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why `items` items of a batch cannot be decided by a person, and what to do.

    `annotators` are those whose answers are waited for, by pseudonym, each with how many; "" stands for
    places that nobody has taken.
    """

    items: int
    reason: str
    advice: str
    step: Step
    annotators: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        people = ", ".join(f"{name or 'nobody yet'} ({count})" for name, count in self.annotators.items())
        return " ".join([self.reason, *([f"Waiting for: {people}."] if people else []), self.advice])


def obstacles(user: Any, batch: Batch, items: QuerySet[Item]) -> list[Obstacle]:
    """Why the user cannot decide those of the batch's `items` that are closed to them; [] if all are open.

    Those who may not see answers learn nothing but the role that they lack; those who take part in the batch
    nothing about the answers of others.
    """
    project = batch.project
    manages = can_manage(user, project)
    if not can_see_answers(user, project):
        return [_role_missing(batch, 1, manages=False)]
    closed = items.filter(batch=batch).exclude(pk__in=adjudicable_items(user, project).values("pk"))
    own = closed.filter(Exists(Assignment.objects.filter(item=OuterRef("pk"), annotator=user)))
    others = closed.exclude(pk__in=own.order_by().values("pk"))
    own_items, other_items = own.count(), others.count()
    found = []
    if other_items and Role.ADJUDICATOR not in roles_of(user, project):
        found.append(_role_missing(batch, other_items, manages=manages))
    if other_items and (manages or not _takes_part(user, batch)):
        found += _answers_missing(user, batch, others, manages=manages)
    elif other_items:
        which = _which(batch, other_items)
        found.append(
            Obstacle(
                other_items,
                f"Not everybody has answered {which} yet, and you take part in this batch.",
                "Wait for the answers.",
                Step.WAIT,
            )
        )
    if own_items:
        found.append(_annotated(project, batch, own_items, manages=manages))
    return found


def check_adjudicate(user: Any, item: Item) -> None:
    """Raises PermissionDenied, with the reason and the step, for who may not decide the item."""
    found = obstacles(user, item.batch, Item.objects.filter(pk=item.pk))
    if found:
        raise PermissionDenied(" ".join(str(obstacle) for obstacle in found))


def _role_missing(batch: Batch, items: int, *, manages: bool) -> Obstacle:
    advice = "Make yourself an adjudicator" if manages else "Ask a manager of the project for the role"
    return Obstacle(
        items,
        f"You are not an adjudicator of this project, so you cannot decide {_which(batch, items)}.",
        f"{advice}; whoever annotated {_these(batch)} never decides it.",
        Step.BECOME_ADJUDICATOR,
    )


def _answers_missing(user: Any, batch: Batch, items: QuerySet[Item], *, manages: bool) -> list[Obstacle]:
    """What the answers lack, the second pass apart from the first one."""
    found = []
    looks = SecondLook.objects.filter(
        assignment__item__in=items.order_by().values("pk"), label="", second_pass__ended_at=None
    )
    if not (batch.state == BatchState.CLOSED and not _takes_part(user, batch)):
        waiting = looks.values("assignment__item").distinct().count()
        if waiting:
            advice = "end the second pass: where nobody looked again, the first answer counts"
            found.append(
                Obstacle(
                    waiting,
                    f"The second pass is still open for {_which(batch, waiting)}.",
                    f"Wait for the answers, or {advice}."
                    if manages
                    else "Wait for the answers, or ask a manager to end the second pass.",
                    Step.END_SECOND_LOOKS,
                    _by_person(batch, looks.values_list("assignment__annotator")),
                )
            )
        places = Assignment.objects.filter(item__in=items.order_by().values("pk"), state=AssignmentState.OPEN)
        missing = places.values("item").distinct().count()
        if missing:
            advice = "Wait for the answers."
            if batch.state == BatchState.CLOSED:
                advice = "The batch is closed: an adjudicator who takes no part in it can decide now."
            elif manages:
                advice = "Wait for the answers, or close the batch to do without them."
            found.append(
                Obstacle(
                    missing,
                    f"Not everybody has answered {_which(batch, missing)} yet.",
                    advice,
                    Step.WAIT,
                    _by_person(batch, places.values_list("annotator")),
                )
            )
    return found


def _annotated(project: Project, batch: Batch, items: int, *, manages: bool) -> Obstacle:
    advice = "Another adjudicator has to decide: add one under Members, or ask one who did not annotate it."
    return Obstacle(
        items,
        f"You annotated {_which(batch, items)} yourself, and nobody decides what they annotated.",
        advice if manages else "Another adjudicator has to decide.",
        Step.ADD_ADJUDICATOR,
    )


def _takes_part(user: Any, batch: Batch) -> bool:
    taken = Assignment.objects.filter(item__batch=batch, annotator=user)
    return BatchAnnotator.objects.filter(batch=batch, annotator=user).exists() or taken.exists()


def _by_person(batch: Batch, rows: QuerySet[Any, Any]) -> dict[str, int]:
    """How many rows each annotator has, by pseudonym."""
    counts = dict(rows.order_by().annotate(items=Count("pk")))
    names = pseudonyms(batch.project, {user for user in counts if user is not None})
    return {names.get(user, ""): count for user, count in sorted(counts.items(), key=_nobody_last)}


def _nobody_last(entry: tuple[int | None, int]) -> tuple[bool, int]:
    return entry[0] is None, entry[0] or 0


def _which(batch: Batch, items: int) -> str:
    return _these(batch) if items == 1 else f"{items:,} {'clusters' if _splits(batch) else 'pairs'}"


def _these(batch: Batch) -> str:
    return "the cluster" if _splits(batch) else "the pair"


def _splits(batch: Batch) -> bool:
    return batch.kind == BatchKind.SPLIT
