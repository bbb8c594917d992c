"""Filling batches with items, assigning them, closing and opening them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import (
    Assignment,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    HandingOut,
    Item,
)
from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import ROWS_AT_ONCE, GivenPair, store_given_pairs
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
        raise PublicError(f"Choose another name: {batch.name!r} is in use or empty.", field="name")
    people = annotators_called(project, annotators)
    batch.scheme = project.scheme
    batch.overlap = project.overlap if overlap is None else overlap
    try:
        asked = quotas or {}
        limits = {user.pk: asked[user.username] for user in people if user.username in asked}
        plan = assign(len(items), [user.pk for user in people], batch.overlap, seed=batch.seed, quotas=limits)
    except ValueError as error:
        message = f"{error}. Choose more annotators, raise their quotas or lower the overlap."
        raise PublicError(message, field="overlap") from error
    batch.save()
    Item.objects.bulk_create(items, batch_size=1000)
    BatchAnnotator.objects.bulk_create(
        BatchAnnotator(batch=batch, annotator=user, quota=limits.get(user.pk)) for user in people
    )
    if batch.handing_out == HandingOut.AS_THEY_COME:
        places = [Assignment(item=item, position=0) for item in items for _ in range(batch.overlap)]
        Assignment.objects.bulk_create(places, batch_size=1000)
        refresh_statistics(Item, Assignment)
        return batch
    positions = {user.pk: 0 for user in people}
    assignments = []
    for item, chosen in zip(items, plan, strict=True):
        for user_id in chosen:
            positions[user_id] += 1
            assignments.append(Assignment(item=item, annotator_id=user_id, position=positions[user_id]))
    Assignment.objects.bulk_create(assignments, batch_size=1000)
    refresh_statistics(Item, Assignment)
    return batch


def annotators_called(project: Project, usernames: Sequence[str]) -> list[User]:
    """The annotators of a project by username. Raises PublicError naming the one that is none."""
    members = Membership.objects.filter(project=project, role=Role.ANNOTATOR, user__is_active=True)
    known = {member.user.username: member.user for member in members.select_related("user")}
    for username in usernames:
        if username not in known:
            raise PublicError(
                f"{username!r} is not an annotator of this project; add this person as an annotator first.",
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


@transaction.atomic
def ask_phenomena(*, batch: Batch, scope: str) -> None:
    """Have annotators count phenomena in the pairs of a `PhenomenaScope` from now on.

    What was counted stays. Raises PublicError for a batch of links.
    """
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("Phenomena are counted while judging, not while linking words.")
    Batch.objects.filter(pk=batch.pk).update(count_phenomena=scope)


def batch_of_given_pairs(
    *,
    project: Project,
    by: User | None,
    name: str,
    kind: str,
    scheme: str,
    pairs: Iterable[GivenPair],
    sides: tuple[str, str],
    filename: str,
    sha256: str,
    format_name: str,
    signature: str,
) -> Batch:
    """Store pairs of a file and make a batch without assignments of them, an item for each in their order."""
    stored = store_given_pairs(
        project=project,
        by=by,
        name=name,
        pairs=pairs,
        sides=sides,
        filename=filename,
        sha256=sha256,
        format_name=format_name,
        signature=signature,
    )
    batch = Batch.objects.create(
        project=project,
        name=name,
        kind=kind,
        corpus_import=stored.source,
        scheme=scheme,
        overlap=1,
        seed=1,
        created_by=by,
    )
    Item.objects.bulk_create(
        (Item(batch=batch, pair_id=pair, number=number) for number, pair in enumerate(stored.pairs, start=1)),
        batch_size=ROWS_AT_ONCE,
    )
    refresh_statistics(Cluster, Article, Sentence, CandidatePair, Item)
    return batch
