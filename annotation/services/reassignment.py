"""Annotators of a batch, and open items that change hands: somebody leaves or is paused, or nobody has them.

Answers that were given stay where they are. Of an item that somebody had begun the history stays as well,
under a skipped answer, and the new holder begins with an empty page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from types import EllipsisType, MappingProxyType

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    HandingOut,
    Item,
)
from jobs.models import ACTIVE, Job
from projects.errors import PublicError
from projects.listings import many
from projects.models import Membership, Project, Role
from projects.services.audit import record
from projects.services.projects import remove_member

from .answers import write_lock
from .batches import active_annotators, annotators_called, room_of


def places_without_annotator(batch: Batch) -> list[int]:
    """The ids of the open places of an open batch that nobody will answer, in the order of the items.

    Those are places that belong to nobody, or to somebody who no longer annotates the project. Where items
    are taken as people come, a place that an active annotator may take does not wait.
    """
    if batch.state != BatchState.OPEN:
        return []
    places = Assignment.objects.filter(item__batch=batch, state=AssignmentState.OPEN)
    annotates = Membership.objects.filter(project=batch.project_id, role=Role.ANNOTATOR, user__is_active=True)
    waiting = places.filter(Q(annotator=None) | ~Q(annotator__in=annotates.values("user")))
    rows = list(waiting.order_by("item__number").values_list("pk", "item", "annotator"))
    stranded = [pk for pk, _, user in rows if user is not None]
    free = [(pk, item) for pk, item, user in rows if user is None]
    if batch.handing_out == HandingOut.AS_THEY_COME and free:
        free = _beyond_reach(batch, free)
    return [*stranded, *(pk for pk, _ in free)]


def _beyond_reach(batch: Batch, free: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The free places (place, item) that the active annotators, within their quotas, cannot take."""
    people = active_annotators(batch)
    room = {user.pk: len(free) for user in people} | room_of(batch, people)
    has: dict[int, set[int]] = defaultdict(set)
    rows = Assignment.objects.filter(item__batch=batch, annotator__in=people).order_by()
    for item, user in rows.values_list("item", "annotator"):
        has[item].add(user)
    left = []
    for place, item in free:
        able = [user for user in room if user not in has[item] and room[user] > 0]
        if not able:
            left.append((place, item))
            continue
        user = max(able, key=lambda row: room[row])
        room[user] -= 1
        has[item].add(user)
    return left


class OpenItems(models.TextChoices):
    HAND_BACK = "hand_back", gettext_noop("Give them back to the batch")
    HAND_OVER = "hand_over", gettext_noop("Give them to one annotator")
    KEEP = "keep", gettext_noop("Leave them assigned")


@dataclass(slots=True)
class Moved:
    """Where open items of a batch went: by username how many each person took, and how many wait."""

    batch: Batch
    taken: dict[str, int] = field(default_factory=dict)
    waiting: int = 0

    def __str__(self) -> str:
        parts = [f"{count:,} to {name}" for name, count in sorted(self.taken.items())]
        if self.waiting and self.batch.handing_out == HandingOut.AS_THEY_COME:
            parts.append(f"{self.waiting:,} to any free annotator")
        elif self.waiting:
            parts.append(f"{self.waiting:,} wait for an annotator")
        return f"{self.batch}: {', '.join(parts) or 'nothing was open'}"


@dataclass(frozen=True, slots=True)
class Held:
    """Work of a member in a batch: `open` items, `begun` ones among them, `answers` given, and `looks` at
    disputed pairs that a running second pass still waits for."""

    batch: Batch
    open: int
    begun: int
    answers: int
    looks: int


def held_by(user: User, project: Project) -> list[Held]:
    """The user's work in the project's batches, the newest first."""
    mine = Assignment.objects.of(user).filter(item__batch__project=project).order_by()
    still = Q(state=AssignmentState.OPEN)
    rows = mine.values_list("item__batch").annotate(
        unanswered=Count("pk", filter=still),
        begun=Count("pk", filter=still & Q(version__gt=0)),
        given=Count("pk", filter=~still),
        looks=Count("pk", filter=Q(second_look__done=False, second_look__second_pass__ended_at=None)),
    )
    numbers_of = {batch: numbers for batch, *numbers in rows}
    return [Held(batch, *numbers_of[batch.pk]) for batch in project.batches.filter(pk__in=numbers_of)]


def jobs_of(user: User, project: Project) -> list[Job]:
    """The jobs that the user asked for and that have not ended."""
    return list(project.jobs.filter(requested_by=user, state__in=ACTIVE))


@write_lock()
def remove_from_project(
    *, membership: Membership, by: User, open_items: str = "", to: str = ""
) -> list[Moved]:
    """Take a role away; an annotator's open items go back to their batches, or to the annotator `to`.

    Raises PublicError where items are open and `open_items` does not say what becomes of them, and where
    `to` can take none of them.
    """
    moved: list[Moved] = []
    if membership.role == Role.ANNOTATOR:
        moved = _leave(membership.user, membership.project, by, open_items, to)
    remove_member(membership=membership, by=by)
    return moved


def _leave(user: User, project: Project, by: User, open_items: str, to: str) -> list[Moved]:
    rows = BatchAnnotator.objects.select_for_update().filter(batch__project=project, annotator=user)
    list(rows.order_by("batch"))
    # Before the places are locked: somebody who is taking more waits for the row above, and then sees this.
    rows.update(paused=True)
    mine = Assignment.objects.of(user).filter(
        item__batch__in=project.batches.all(), state=AssignmentState.OPEN
    )
    batches = list(project.batches.filter(pk__in=mine.order_by().values("item__batch")).order_by("pk"))
    if not batches:
        return []
    if open_items not in {OpenItems.HAND_BACK, OpenItems.HAND_OVER}:
        count = mine.count()
        raise PublicError(
            "%(person)s holds %(items)s in %(batches)s. Choose whether they go back to their batches "
            "(hand_back) or to another annotator (hand_over).",
            field="open_items",
            person=user.get_username(),
            items=many(count, "open item"),
            batches=", ".join(batch.name for batch in batches),
        )
    person = _person(project, user, open_items, to)
    moved = [_release(batch, user, person) for batch in batches]
    _log_moved(moved, person, by, user)
    return moved


@write_lock()
def hand_over_waiting(*, batch: Batch, by: User, to: str) -> Moved:
    """Give the items of a batch that wait for an annotator to `to`, as far as this person may get them.

    Raises PublicError when nothing waits, or `to` may get none of it.
    """
    person = annotators_called(batch.project, [to])[0]
    list(BatchAnnotator.objects.select_for_update().filter(batch=batch, annotator=person))
    Batch.objects.select_for_update(no_key=True).order_by().get(pk=batch.pk)
    waiting = Assignment.objects.filter(pk__in=places_without_annotator(batch), state=AssignmentState.OPEN)
    places = list(waiting.select_for_update(of=("self",)).order_by("pk"))
    if not places:
        raise PublicError("No item of this batch waits for an annotator.")
    _settled(batch, person)
    moved = give(batch, _freed(places), [person])
    _log_moved([moved], person, by, None)
    return moved


@write_lock()
def change_annotator(
    *,
    batch: Batch,
    by: User,
    annotator: User,
    quota: int | EllipsisType | None = ...,
    paused: bool | EllipsisType = ...,
    open_items: str = "",
    to: str = "",
) -> BatchAnnotator:
    """Set an annotator's quota (None: no limit) and pause or take up their work in a batch.

    What is left out stays as it is. A quota limits what is taken from now on; what was assigned stays.
    `open_items` (`OpenItems`) says what becomes of the open items of a paused person; by default they are
    kept where they were assigned at once, and go back to the batch where they are taken as people come.
    """
    known = BatchAnnotator.objects.filter(batch=batch, annotator=annotator)
    mine = Assignment.objects.of(annotator).filter(item__batch=batch)
    if not known.exists() and not mine.exists():
        raise PublicError(
            "%(annotator)s does not take part in this batch.",
            field="annotator",
            annotator=annotator.get_username(),
        )
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=annotator)
    settled = BatchAnnotator.objects.select_for_update().get(batch=batch, annotator=annotator)
    if not isinstance(quota, EllipsisType):
        settled.quota = quota
    if not isinstance(paused, EllipsisType):
        settled.paused = paused
    settled.save()
    leased = batch.handing_out == HandingOut.AS_THEY_COME
    choice = open_items or (OpenItems.HAND_BACK if leased else OpenItems.KEEP)
    if paused is True and choice != OpenItems.KEEP:
        person = _person(batch.project, annotator, choice, to)
        _log_moved([_release(batch, annotator, person)], person, by, annotator)
    record(
        "annotator-changed",
        actor=by,
        project=batch.project,
        target=f"batch {batch.pk}: {annotator.get_username()}",
        quota=settled.quota,
        paused=settled.paused,
    )
    return settled


def _person(project: Project, user: User, open_items: str, to: str) -> User | None:
    """Whom the items are for; None: they go back."""
    if open_items != OpenItems.HAND_OVER:
        return None
    person = annotators_called(project, [to])[0]
    if person.pk == user.pk:
        raise PublicError("Choose another annotator: this person already has them.", field="to")
    return person


def _log_moved(moved: Sequence[Moved], person: User | None, by: User, user: User | None) -> None:
    """Log where the open items of `user`, or of nobody, went. Raises PublicError where `person` got none."""
    if (
        person is not None
        and any(items.waiting for items in moved)
        and not any(items.taken for items in moved)
    ):
        raise PublicError(
            "%(person)s cannot take any of these items: this person already has, answered or decided "
            "them. Choose another annotator, or give them back.",
            field="to",
            person=person.get_username(),
        )
    whose = f" of {user.get_username()}" if user else ""
    for of_batch in moved:
        target = f"batch {of_batch.batch.pk}{whose}: {of_batch}"
        record("items-moved", actor=by, project=of_batch.batch.project, target=target)


def _release(batch: Batch, user: User, person: User | None) -> Moved:
    if person is not None:
        _settled(batch, person)
    Batch.objects.select_for_update(no_key=True).order_by().get(pk=batch.pk)
    mine = Assignment.objects.select_for_update(of=("self",)).filter(
        item__batch=batch, annotator=user, state=AssignmentState.OPEN
    )
    places = _freed(list(mine.order_by("pk")))
    if person is None and batch.handing_out == HandingOut.AS_THEY_COME:
        return Moved(batch, waiting=len(places))
    return give(
        batch, places, [person] if person else [other for other in active_annotators(batch) if other != user]
    )


def _settled(batch: Batch, person: User) -> BatchAnnotator:
    """The person's row of the batch, locked; made where the person takes part from now on."""
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=person)
    row = BatchAnnotator.objects.select_for_update().get(batch=batch, annotator=person)
    if row.paused:
        name = person.get_username()
        raise PublicError(
            "%(name)s is paused in %(batch)s: resume the work of %(name)s first.",
            field="to",
            name=name,
            batch=batch,
        )
    return row


def _freed(places: Iterable[Assignment]) -> list[Assignment]:
    """Nobody's places for the same items, in the order of the batch."""
    free: list[Assignment] = []
    for held in places:
        place = held
        if held.version:
            held.state = AssignmentState.SKIPPED
            held.save(update_fields=["state"])
            place = Assignment(item_id=held.item_id)
        place.annotator, place.position, place.leased_until = None, 0, None  # type: ignore[assignment]  # nobody's
        place.save()
        free.append(place)
    items = Item.everything.filter(pk__in=[place.item_id for place in free])
    numbers = dict(items.values_list("pk", "number"))
    return sorted(free, key=lambda row: numbers[row.item_id])


def give(
    batch: Batch,
    places: Sequence[Assignment],
    people: Sequence[User],
    competence: Mapping[int, float | None] = MappingProxyType({}),
) -> Moved:
    """Give each place to the one of the people who may get it, with the highest competence where it is known,
    then with the fewest open items of the batch."""
    moved = Moved(batch)
    items = [place.item_id for place in places]
    barred = {person.pk: barred_items(person, batch, items) for person in people}
    room = room_of(batch, people)
    held = Assignment.objects.filter(item__batch=batch, annotator__in=people).order_by()
    figures = {
        user: (last, still)
        for user, last, still in held.values_list("annotator").annotate(
            last=Max("position"), still=Count("pk", filter=Q(state=AssignmentState.OPEN))
        )
    }
    until = timezone.now() + timedelta(minutes=batch.lease_minutes)
    leased = batch.handing_out == HandingOut.AS_THEY_COME
    for place in places:
        able = [who for who in people if place.item_id not in barred[who.pk] and room.get(who.pk, 1) > 0]
        if not able:
            moved.waiting += 1
            continue
        person = min(
            able, key=lambda row: (-(competence.get(row.pk) or 0), figures.get(row.pk, (0, 0))[1], row.pk)
        )
        last, still = figures.get(person.pk, (0, 0))
        figures[person.pk] = (last + 1, still + 1)
        barred[person.pk].add(place.item_id)
        if person.pk in room:
            room[person.pk] -= 1
        place.annotator, place.position = person, last + 1
        place.leased_until = until if leased else None
        place.save(update_fields=["annotator", "position", "leased_until"])
        moved.taken[person.get_username()] = moved.taken.get(person.get_username(), 0) + 1
    return moved


def barred_items(user: User, batch: Batch, items: Collection[int]) -> set[int]:
    """The items of the batch that the user must not get: the user has them, answered the same texts or
    cluster in another batch of this kind, or decided them."""
    rows = Item.everything.filter(pk__in=items).order_by()
    answered = Assignment.objects.of(user).filter(
        item__batch__project=batch.project_id,
        item__batch__deleted_at=None,
        item__batch__kind=batch.kind,
        item__batch__trial=False,
    )
    before = answered.exclude(state=AssignmentState.OPEN).order_by()
    if batch.kind == BatchKind.SPLIT:
        known = Q(cluster__in=before.values("item__cluster"))
    else:
        known = Q(pair__content_key__in=before.values("item__pair__content_key"))
    own = Q(pk__in=Assignment.objects.of(user).filter(item__in=items).order_by().values("item"))
    return set(rows.filter(own | known | Q(decisions__adjudicator=user)).values_list("pk", flat=True))
