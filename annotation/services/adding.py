"""What managers do with several rows of a list: add pairs to a batch, flag items, delete empty batches."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, QuerySet

from annotation.models import Answer, Assignment, Batch, BatchKind, BatchState, HandingOut, Item
from corpus.models import CandidatePair
from jobs.services import removal
from paragold.sampling.sampling import assign
from paragold.sampling.strategy import CHOSEN
from projects.errors import PublicError
from projects.models import Membership, Project, Role
from projects.services.audit import record

from .answers import write_lock


def batches_that_grow(project: Project) -> QuerySet[Batch]:
    """The batches that pairs can be added to: open judging batches with annotators, before a second pass."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE, state=BatchState.OPEN)
    return batches.filter(annotators__isnull=False, second_pass=None).distinct()


@write_lock()
def add_to_batch(*, batch: Batch, by: User, pairs: Sequence[int]) -> set[int]:
    """Add pairs that somebody chose to an open batch, and assign them as the others are; returns those added.

    Texts that the batch holds already are left out. As they were not drawn, estimates leave the new items
    out. Raises PublicError where the annotators' quotas do not suffice.
    """
    batch = Batch.objects.select_for_update(of=("self",)).select_related("project").get(pk=batch.pk)
    if not batches_that_grow(batch.project).filter(pk=batch.pk).exists():
        raise PublicError(f"Nothing can be added to {batch}: it is closed, or its second pass has begun.")
    there = set(batch.items.values_list("pair__content_key", flat=True))
    new = {}
    for pk, key in CandidatePair.objects.filter(pk__in=pairs, project=batch.project).values_list(
        "pk", "content_key"
    ):
        if key not in there:
            there.add(key)
            new[pk] = key
    last = batch.items.aggregate(last=Max("number"))["last"] or 0
    items = [
        Item(batch=batch, pair_id=pk, number=number, stratum=CHOSEN)
        for number, pk in enumerate(sorted(new), start=last + 1)
    ]
    Item.objects.bulk_create(items)
    if batch.handing_out == HandingOut.AS_THEY_COME:
        places = [Assignment(item=item, position=0) for item in items for _ in range(batch.overlap)]
    else:
        places = _assigned(batch, items, seed=batch.seed + last)
    Assignment.objects.bulk_create(places)
    target = f"batch {batch.pk}: {batch}"
    record("pairs-added", actor=by, project=batch.project, target=target, pairs=len(items))
    return set(new)


def _assigned(batch: Batch, items: list[Item], *, seed: int) -> list[Assignment]:
    """The items for the annotators of the batch who are not paused, behind what each has."""
    members = Membership.objects.filter(project=batch.project, role=Role.ANNOTATOR, user__is_active=True)
    settled = batch.annotators.filter(paused=False, annotator__in=members.values("user"))
    rows = Assignment.objects.filter(item__batch=batch).order_by().values_list("annotator")
    held = {pk: (count, last) for pk, count, last in rows.annotate(Count("pk"), Max("position"))}
    limits = {
        member.annotator_id: max(0, member.quota - held.get(member.annotator_id, (0, 0))[0])
        for member in settled
        if member.quota is not None
    }
    people = [member.annotator_id for member in settled]
    try:
        plan = assign(len(items), people, batch.overlap, seed=seed, quotas=limits)
    except ValueError as error:
        raise PublicError(f"{error}. Raise the quotas, or add annotators.", field="batch") from error
    positions = {pk: held.get(pk, (0, 0))[1] for pk in people}
    places = []
    for item, chosen in zip(items, plan, strict=True):
        for pk in chosen:
            positions[pk] += 1
            places.append(Assignment(item=item, annotator_id=pk, position=positions[pk]))
    return places


@transaction.atomic
def flag(item: Item, by: User, flagged: bool = True) -> None:
    """Set or remove the managers' flag, which annotators do not see."""
    Item.objects.filter(pk=item.pk).update(flagged=flagged)
    item.flagged = flagged


def delete_empty(batch: Batch, by: User) -> None:
    """Delete a batch in which nobody has answered. Raises PublicError for others."""
    if Answer.objects.filter(assignment__item__batch=batch).exists():
        raise PublicError(f"{batch} holds answers: delete it on its own page.")
    removal.delete(obj=batch, by=by)
