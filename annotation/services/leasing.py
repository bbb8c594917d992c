"""Taking items of a batch that is handed out as people come, and giving back what was not answered."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchState,
    HandingOut,
    Item,
)
from projects.errors import PublicError
from projects.models import AuditEntry

from .answers import write_lock
from .reassignment import OpenItems, release_items


class Unchanged(Enum):
    """Stands for a setting that is to stay as it is, where None is a value."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED
# What one person keeps ahead: enough for the page's prefetching, too little to starve the others.
MOST_AHEAD = 20


def lease_items(*, batch: Batch, by: User, wanted: int) -> None:
    """See to it that `by` has `wanted` open items of the batch (20 at most), as far as quota and batch reach.

    Untaken places come first, then those whose lease has run out unanswered. Nobody gets an item twice,
    and no two people the same place.
    """
    wanted = min(wanted, MOST_AHEAD)
    mine = Assignment.objects.of(by).filter(item__batch=batch, state=AssignmentState.OPEN)
    if batch.state == BatchState.OPEN and mine.filter(leased_until__gt=timezone.now()).count() < wanted:
        _lease(batch, by, wanted)


@write_lock()
def _lease(batch: Batch, by: User, wanted: int) -> None:
    # One's own row keeps two tabs of one person apart, and a manager who pauses that person.
    settled = BatchAnnotator.objects.select_for_update().filter(batch=batch, annotator=by).order_by().first()
    if settled is None or settled.paused:
        return
    mine = Assignment.objects.of(by).filter(item__batch=batch)
    now = timezone.now()
    until = now + timedelta(minutes=batch.lease_minutes)
    missing = wanted - mine.filter(state=AssignmentState.OPEN).update(leased_until=until)
    held = mine.aggregate(count=Count("pk"), last=Max("position"))
    if settled.quota is not None:
        missing = min(missing, settled.quota - held["count"])
    if missing <= 0:
        return
    # Who takes next waits here: all would try for the same places.
    Batch.objects.select_for_update(no_key=True).order_by().get(pk=batch.pk)
    position = held["last"] or 0
    for free in (UNTAKEN, _run_out(now)):
        if missing <= 0:
            break
        taken = _places(batch, by, free, missing)
        for place in taken:
            position += 1
            place.annotator, place.position, place.leased_until = by, position, until
        Assignment.objects.bulk_update(taken, ["annotator", "position", "leased_until"])
        missing -= len(taken)


UNANSWERED = Q(state=AssignmentState.OPEN, version=0)
UNTAKEN = UNANSWERED & Q(annotator=None)


def _run_out(now: datetime) -> Q:
    """Places of people who have kept them too long."""
    return UNANSWERED & Q(annotator__isnull=False, leased_until__lt=now)


def _items(batch: Batch, user: Any, free: Q) -> QuerySet[Item]:
    """In order, the items of the batch with a free place that the user does not have."""
    places = Assignment.objects.filter(item=OuterRef("pk"))
    return Item.objects.filter(
        Exists(places.filter(free)), ~Exists(places.filter(annotator=user)), batch=batch
    ).order_by("number")


def _places(batch: Batch, user: Any, free: Q, wanted: int) -> list[Assignment]:
    """A free place, locked, of each of the first `wanted` items. One that is being answered is left out."""
    items = list(_items(batch, user, free).values_list("pk", flat=True)[:wanted])
    places = Assignment.objects.filter(free, item__in=items).order_by()
    first = places.values("item").annotate(first=Min("pk")).values_list("first", flat=True)
    # As a list: a subquery is worked out for every place of the batch where PostgreSQL has no statistics yet.
    locked = Assignment.objects.select_for_update(of=("self",)).filter(free, pk__in=list(first))
    return list(locked.order_by("item__number"))


@write_lock()
def change_annotator(
    *,
    batch: Batch,
    by: User,
    annotator: User,
    quota: int | Unchanged | None = UNCHANGED,
    paused: bool | Unchanged = UNCHANGED,
    open_items: str = "",
    to: str = "",
) -> BatchAnnotator:
    """Set an annotator's quota (None: no limit) and pause or take up their work in a batch.

    What is left out stays as it is. A quota limits what is taken from now on; what was assigned stays.
    `open_items` (`OpenItems`) says what becomes of the open items of whoever is paused; by default they are
    kept where they were assigned at once, and go back to the batch where they are taken as people come.
    """
    known = BatchAnnotator.objects.filter(batch=batch, annotator=annotator)
    mine = Assignment.objects.of(annotator).filter(item__batch=batch)
    if not known.exists() and not mine.exists():
        raise PublicError(f"{annotator.get_username()} does not take part in this batch.", field="annotator")
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=annotator)
    settled = BatchAnnotator.objects.select_for_update().get(batch=batch, annotator=annotator)
    if not isinstance(quota, Unchanged):
        settled.quota = quota
    if not isinstance(paused, Unchanged):
        settled.paused = paused
    settled.save()
    leased = batch.handing_out == HandingOut.AS_THEY_COME
    choice = open_items or (OpenItems.HAND_BACK if leased else OpenItems.KEEP)
    if paused is True and choice != OpenItems.KEEP:
        release_items(batch=batch, by=by, annotator=annotator, open_items=choice, to=to)
    AuditEntry.objects.create(
        project=batch.project,
        user=by,
        action="changed annotator",
        target=f"batch {batch.pk}: {annotator.get_username()}, quota {settled.quota}, "
        f"paused {settled.paused}",
    )
    return settled
