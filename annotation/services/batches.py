"""Filling batches with items, assigning them to people, closing and opening them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Assignment, Batch, BatchAnnotator, BatchState, HandingOut, Item
from paragold.sampling.sampling import assign
from projects.errors import PublicError
from projects.models import Membership, Project, Role


def fill_batch(
    *,
    batch: Batch,
    pairs: Sequence[int],
    annotators: Sequence[str],
    strata: Sequence[str] | None = None,
    overlap: int | None = None,
    quotas: Mapping[str, int] | None = None,
) -> Batch:
    """Save a new batch with an item for each pair id, in order, and assign them; see `assign_items`.

    `strata` names, for each pair, the stratum it was drawn from.
    """
    items = [
        Item(batch=batch, pair_id=pair, number=n, stratum=stratum)
        for n, (pair, stratum) in enumerate(zip(pairs, strata or [""] * len(pairs), strict=True), start=1)
    ]
    return assign_items(batch=batch, items=items, annotators=annotators, overlap=overlap, quotas=quotas)


def assign_items(
    *,
    batch: Batch,
    items: Sequence[Item],
    annotators: Sequence[str],
    overlap: int | None = None,
    quotas: Mapping[str, int] | None = None,
) -> Batch:
    """Save a new batch with new items, and assign them as its `handing_out` says.

    `quotas` names how many items the annotators named get at most.
    """
    project = batch.project
    batch.name = batch.name.strip()
    if not batch.name or project.batches.filter(name=batch.name).exists():
        raise PublicError(f"A batch needs a name of its own; {batch.name!r} is taken or empty.", field="name")
    people = annotators_called(project, annotators)
    batch.scheme = project.scheme
    batch.overlap = project.overlap if overlap is None else overlap
    try:
        asked = quotas or {}
        limits = {user.pk: asked[user.username] for user in people if user.username in asked}
        plan = assign(len(items), [user.pk for user in people], batch.overlap, seed=batch.seed, quotas=limits)
    except ValueError as error:
        message = f"{error}. Name more annotators, raise their quotas or lower the overlap."
        raise PublicError(message, field="overlap") from error
    batch.save()
    Item.objects.bulk_create(items, batch_size=1000)
    BatchAnnotator.objects.bulk_create(
        BatchAnnotator(batch=batch, annotator=user, quota=limits.get(user.pk)) for user in people
    )
    if batch.handing_out == HandingOut.AS_THEY_COME:
        places = [Assignment(item=item, position=0) for item in items for _ in range(batch.overlap)]
        Assignment.objects.bulk_create(places, batch_size=1000)
        return batch
    positions = {user.pk: 0 for user in people}
    assignments = []
    for item, chosen in zip(items, plan, strict=True):
        for user_id in chosen:
            positions[user_id] += 1
            assignments.append(Assignment(item=item, annotator_id=user_id, position=positions[user_id]))
    Assignment.objects.bulk_create(assignments, batch_size=1000)
    return batch


def annotators_called(project: Project, usernames: Sequence[str]) -> list[User]:
    """The annotators of a project by username. Raises PublicError naming the one that is none."""
    members = Membership.objects.filter(project=project, role=Role.ANNOTATOR, user__is_active=True)
    known = {member.user.username: member.user for member in members.select_related("user")}
    for username in usernames:
        if username not in known:
            raise PublicError(
                f"{username!r} is not an annotator of this project; add the person as one first.",
                field="annotators",
            )
    return [known[username] for username in dict.fromkeys(usernames)]


@transaction.atomic
def close_batch(*, batch: Batch) -> None:
    """Take no more answers to a batch. What was answered stays."""
    Batch.objects.filter(pk=batch.pk).update(state=BatchState.CLOSED)


@transaction.atomic
def reopen_batch(*, batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(state=BatchState.OPEN)
