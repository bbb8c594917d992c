"""Decisions on disputed items of every kind: who may make one, why not, and what each begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    Decision,
    Item,
    SecondLook,
    SecondPass,
)
from annotation.permissions import adjudicable_items, can_see_answers
from projects.errors import Conflict, PublicError
from projects.listings import grouped
from projects.models import Role
from projects.permissions import can_manage, roles_of
from projects.services.audit import record

from .answers import check_comment
from .pseudonyms import pseudonyms


class Step(StrEnum):
    """What to do about an obstacle; pages offer managers the first three as buttons or links."""

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
        people = ", ".join(f"{name or _('nobody yet')} ({count})" for name, count in self.annotators.items())
        waiting = [_("Waiting for: %(people)s.") % {"people": people}] if people else []
        return " ".join([self.reason, *waiting, self.advice])


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
    mine = Exists(Assignment.objects.filter(item=OuterRef("pk"), annotator=user))
    others = closed.filter(~mine) if _takes_part(user, batch) else closed
    other_items = others.count()
    own_items = closed.count() - other_items if others is not closed else 0
    reasons = []
    if other_items and Role.ADJUDICATOR not in roles_of(user, project):
        reasons.append(_role_missing(batch, other_items, manages=manages))
    if other_items and (manages or not _takes_part(user, batch)):
        reasons += _answers_missing(user, batch, others, manages=manages)
    elif other_items:
        reason = _("Some answers to %(which)s are missing, and you are an annotator of this batch.")
        reason %= {"which": _which(batch, other_items)}
        reasons.append(Obstacle(other_items, reason, _("Wait for the answers."), Step.WAIT))
    if own_items:
        reason = _("You annotated %(which)s yourself, so somebody else must decide.")
        reason %= {"which": _which(batch, own_items)}
        advice = _("Another adjudicator has to decide.")
        if manages:
            advice = _(
                "Another adjudicator has to decide: add one under Members, or ask one who did not annotate "
                "it."
            )
        reasons.append(Obstacle(own_items, reason, advice, Step.ADD_ADJUDICATOR))
    return reasons


def check_adjudicate(user: Any, item: Item) -> None:
    """Raises PermissionDenied, with the reason and the step, for who may not decide the item."""
    reasons = obstacles(user, item.batch, Item.objects.filter(pk=item.pk))
    if reasons:
        raise PermissionDenied(" ".join(str(obstacle) for obstacle in reasons))


def _role_missing(batch: Batch, items: int, *, manages: bool) -> Obstacle:
    reason = _("You are not an adjudicator of this project, so you cannot decide %(which)s.")
    advice = _("Ask a manager of the project for the role; annotators of %(these)s cannot decide.")
    if manages:
        advice = _("Make yourself an adjudicator; annotators of %(these)s cannot decide.")
    return Obstacle(
        items,
        reason % {"which": _which(batch, items)},
        advice % {"these": _these(batch)},
        Step.BECOME_ADJUDICATOR,
    )


def _answers_missing(user: Any, batch: Batch, items: QuerySet[Item], *, manages: bool) -> list[Obstacle]:
    """The obstacles of missing answers, those of the second pass apart from the first."""
    closed = batch.state == BatchState.CLOSED
    if closed and not _takes_part(user, batch):
        return []
    reasons = []
    ids = items.order_by().values("pk")
    looks = SecondLook.objects.filter(assignment__item__in=ids, done=False, second_pass__ended_at=None)
    runs = SecondPass.objects.filter(batch=batch, ended_at=None).exists()
    if runs and (waiting := looks.values("assignment__item").distinct().count()):
        reason = _("The second pass is still open for %(which)s.") % {"which": _which(batch, waiting)}
        advice = _("Wait for the answers, or ask a manager to end the second pass.")
        if manages:
            advice = _(
                "Wait for the answers, or end the second pass: without a second look, the first answer "
                "counts."
            )
        people = _by_person(batch, looks.values_list("assignment__annotator"))
        reasons.append(Obstacle(waiting, reason, advice, Step.END_SECOND_LOOKS, people))
    places = Assignment.objects.filter(item__in=ids, state=AssignmentState.OPEN)
    if missing := places.values("item").distinct().count():
        reason = _("Some answers to %(which)s are missing.") % {"which": _which(batch, missing)}
        advice = _("Wait for the answers.")
        if closed:
            advice = _("The batch is closed: an adjudicator who is not its annotator can decide now.")
        elif manages:
            advice = _("Wait for the answers, or close the batch to decide without them.")
        people = _by_person(batch, places.values_list("annotator"))
        reasons.append(Obstacle(missing, reason, advice, Step.WAIT, people))
    return reasons


def _takes_part(user: Any, batch: Batch) -> bool:
    # From the person's items: those of the batch may be a hundred times as many.
    taken = Item.everything.filter(
        batch=batch, pk__in=Assignment.objects.filter(annotator=user).values("item")
    )
    return BatchAnnotator.objects.filter(batch=batch, annotator=user).exists() or taken.exists()


def _by_person(batch: Batch, rows: QuerySet[Any, Any]) -> dict[str, int]:
    """How many rows each annotator has, by pseudonym; the rows of nobody last, as ""."""
    counts = dict(rows.order_by().annotate(items=Count("pk")))
    names = pseudonyms(batch.project, counts.keys() - {None})
    people = sorted(counts, key=lambda user: (user is None, user or 0))
    return {names.get(user, ""): counts[user] for user in people}


def _which(batch: Batch, items: int) -> str:
    if items == 1:
        return _these(batch)
    things = _("%(count)s clusters") if batch.kind == BatchKind.SPLIT else _("%(count)s pairs")
    return things % {"count": grouped(items)}


def _these(batch: Batch) -> str:
    return _("the cluster") if batch.kind == BatchKind.SPLIT else _("the pair")


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """An item as its reviewer sees it: who answered, by pseudonym, and the latest decision.

    `basis` are the versions of the annotators' answers, which a decision names as what it rests on.
    """

    item: Item
    annotators: list[str]
    basis: list[int]
    decision: Decision | None

    @property
    def version(self) -> int:
        return self.decision.version if self.decision else 0

    @property
    def current(self) -> dict[str, Any]:
        """The latest decision, for a person who decided on an older one; None for what it lacks."""
        made = self.decision
        decided = {
            "label": made.label or None if made else None,
            "content": made.content if made else None,
            "comment": made.comment if made else "",
        }
        return decided | {"version": self.version, "basis": self.basis}

    def repeated(self, by: User, decided: dict[str, Any]) -> Decision | None:
        """The latest decision, if the same person sends it once more: the server's answer was lost."""
        made = self.decision
        if made is None or made.adjudicator_id != by.pk:
            return None
        return made if all(getattr(made, name) == value for name, value in decided.items()) else None


ReviewT = TypeVar("ReviewT", bound=Review)


@transaction.atomic
def record_decision(
    *,
    item: Item,
    by: User,
    review_of: Callable[[Item], ReviewT],
    decided: Callable[[ReviewT], dict[str, Any]],
    version: int,
    basis: Sequence[int] | None,
    comment: str,
    thing: str,
) -> Decision:
    """Add a decision on an item.

    `review_of` gives what was answered, `decided` the label or content after its checks. `thing` is the noun
    of the item. `version` is that of the decision the adjudicator saw, 0 for
    none; `basis` those of the annotators' answers, None where the caller was not shown them. The same
    decision sent twice is made once. Raises
    PermissionDenied for who may not decide the item, PublicError where nobody has submitted anything and for
    a comment that is too long, Conflict when anything changed meanwhile.
    """
    item = Item.objects.select_for_update(of=("self",)).select_related("batch__project").get(pk=item.pk)
    # An answer that is being saved waits, or is seen.
    list(item.assignments.select_for_update().order_by("pk").values_list("pk", flat=True))
    check_adjudicate(by, item)
    review = review_of(item)
    if not review.annotators:
        raise PublicError("Nobody has submitted this %(thing)s, so there is nothing to decide.", thing=thing)
    same_basis = basis is None or list(basis) == review.basis
    one_before = same_basis and version == review.version - 1
    if one_before and (repeated := review.repeated(by, decided(review) | {"comment": comment})):
        return repeated
    if version != review.version or not same_basis:
        raise Conflict(
            "This %(thing)s was decided or changed meanwhile. Reload the page to see it.",
            review.current,
            thing=thing,
        )
    check_comment(comment)
    decision = Decision.objects.create(
        item=item, adjudicator=by, version=review.version + 1, comment=comment, **decided(review)
    )
    target = f"item {item.pk}" + (f": {decision.label}" if decision.label else "")
    record("item-decided", actor=by, project=item.batch.project, target=target)
    return decision


def latest_decisions(items: Iterable[int] | QuerySet[Item]) -> dict[int, Decision]:
    """By item id, the latest decision on each item that has one; `items` are ids or a queryset."""
    ids = items.order_by() if isinstance(items, QuerySet) else list(items)
    rows = Decision.objects.filter(item__in=ids).order_by("item", "version")
    return {decision.item_id: decision for decision in rows}
