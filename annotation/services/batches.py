"""Filling batches with items, adding chosen ones, assigning and closing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from annotation.models import (
    Answer,
    Assignment,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    HandingOut,
    Item,
)
from corpus.models import Article, CandidatePair, Cluster, CorpusImport, Sentence
from corpus.services.pair_storage import refresh_statistics
from corpus.services.pairs import ROWS_AT_ONCE, GivenPair, store_given_pairs
from jobs.services import retention
from paragold.sampling.sampling import assign, in_random_order
from paragold.sampling.strategy import CHOSEN
from projects.errors import PublicError
from projects.models import Membership, Project, Role
from projects.services.audit import record

from .answers import write_lock


def fill_batch(
    *,
    batch: Batch,
    pairs: Sequence[int],
    annotators: Sequence[str],
    strata: Sequence[str] | None = None,
    known: Mapping[int, str] | None = None,
    overlap: int | None = None,
    quotas: Mapping[str, int] | None = None,
    own_order: bool = False,
) -> Batch:
    """Save a new batch with an item for each pair id, in order, and assign them; see `assign_items`.

    `strata` names, for each pair, the stratum it was drawn from; `known` the right label of control items.
    """
    right = known or {}
    items = [
        Item(batch=batch, pair_id=pair, number=n, stratum=stratum, known_label=right.get(pair, ""))
        for n, (pair, stratum) in enumerate(zip(pairs, strata or [""] * len(pairs), strict=True), start=1)
    ]
    return assign_items(
        batch=batch, items=items, annotators=annotators, overlap=overlap, quotas=quotas, own_order=own_order
    )


def assign_items(
    *,
    batch: Batch,
    items: Sequence[Item],
    annotators: Sequence[str],
    overlap: int | None = None,
    quotas: Mapping[str, int] | None = None,
    own_order: bool = False,
) -> Batch:
    """Save a new batch with new items, and assign them as its `handing_out` says.

    `quotas` names how many items the annotators named get at most. With `own_order` each gets them in a
    random order of their own, by the seed and their username. Raises PublicError for `own_order` where items
    are handed out on demand.
    """
    project = batch.project
    if own_order and batch.handing_out == HandingOut.AS_THEY_COME:
        raise PublicError(
            "Items that are assigned on demand come in the order of the batch. Assign them at once, or leave "
            "out the own order.",
            field="own_order",
        )
    batch.name = batch.name.strip()
    if not batch.name or project.batches.filter(name=batch.name).exists():
        raise PublicError(
            "Choose another name: %(batch)r is in use or empty.", field="name", batch=batch.name
        )
    people = annotators_called(project, annotators)
    batch.scheme = project.scheme
    if own_order:
        batch.sampling = {**batch.sampling, "own_order": True}
    batch.overlap = project.overlap if overlap is None else overlap
    try:
        by_name = quotas or {}
        limits = {user.pk: by_name[user.username] for user in people if user.username in by_name}
        plan = assign(len(items), [user.pk for user in people], batch.overlap, seed=batch.seed, quotas=limits)
    except ValueError as error:
        raise PublicError(
            "%(error)s. Choose more annotators, raise their quotas or lower the overlap.",
            field="overlap",
            error=error,
        ) from error
    batch.save()
    Item.objects.bulk_create(items, batch_size=1000)
    BatchAnnotator.objects.bulk_create(
        BatchAnnotator(batch=batch, annotator=user, quota=limits.get(user.pk)) for user in people
    )
    if batch.handing_out == HandingOut.AS_THEY_COME:
        places = _untaken_places(batch, items)
    else:
        places = _assigned_places(items, plan, {user.pk: 0 for user in people})
        if own_order:
            _shuffle(places, people, seed=batch.seed)
    Assignment.objects.bulk_create(places, batch_size=1000)
    refresh_statistics(Item, Assignment)
    return batch


def _shuffle(places: Sequence[Assignment], people: Sequence[User], *, seed: int) -> None:
    """Give the places of each person their positions in another random order."""
    for user in people:
        own = {f"{user.username} {place.position}": place for place in places if place.person == user.pk}
        for position, key in enumerate(in_random_order(own, seed=seed), start=1):
            own[key].position = position


def hand_to_all(*, batch: Batch, annotators: Sequence[str]) -> None:
    """Have each of the annotators answer every item of a batch that nobody was asked to answer yet.

    Raises PublicError where somebody was, and for who is no annotator.
    """
    if Assignment.objects.filter(item__batch=batch).exists():
        raise PublicError("%(batch)s has its annotators already; name none.", field="annotators", batch=batch)
    people = annotators_called(batch.project, annotators)
    items = list(batch.items.all())
    BatchAnnotator.objects.bulk_create(BatchAnnotator(batch=batch, annotator=user) for user in people)
    plan = [[user.pk for user in people]] * len(items)
    places = _assigned_places(items, plan, {user.pk: 0 for user in people})
    Assignment.objects.bulk_create(places, batch_size=1000)
    batch.overlap = len(people)
    batch.save(update_fields=["overlap"])
    refresh_statistics(Assignment)


def _untaken_places(batch: Batch, items: Sequence[Item]) -> list[Assignment]:
    return [Assignment(item=item, position=0) for item in items for _ in range(batch.overlap)]


def _assigned_places(
    items: Sequence[Item], plan: Sequence[Sequence[int]], positions: dict[int, int]
) -> list[Assignment]:
    """The places of the people (user ids) whom `plan` has for each item, after the last position of each."""
    places = []
    for item, chosen in zip(items, plan, strict=True):
        for pk in chosen:
            positions[pk] += 1
            places.append(Assignment(item=item, annotator_id=pk, position=positions[pk]))
    return places


def annotators_called(project: Project, usernames: Sequence[str]) -> list[User]:
    """The annotators of a project by username. Raises PublicError naming the one that is none."""
    members = Membership.objects.filter(project=project, role=Role.ANNOTATOR, user__is_active=True)
    known = {member.user.username: member.user for member in members.select_related("user")}
    for username in usernames:
        if username not in known:
            raise PublicError(
                "%(username)r is not an annotator of this project; add this person as an annotator first.",
                field="annotators",
                username=username,
            )
    return [known[username] for username in dict.fromkeys(usernames)]


def active_annotators(batch: Batch) -> list[User]:
    """The batch's annotators who are not paused and still annotate the project, by id."""
    people = User.objects.filter(
        pk__in=batch.annotators.filter(paused=False).values("annotator"),
        memberships__project=batch.project_id,
        memberships__role=Role.ANNOTATOR,
        is_active=True,
    )
    return list(people.order_by("pk"))


def room_of(batch: Batch, people: Sequence[User]) -> dict[int, int]:
    """How many more items those of the people get who have a quota."""
    quotas = batch.annotators.filter(annotator__in=people, quota__isnull=False)
    held = Count("annotator__assignments", filter=Q(annotator__assignments__item__batch=batch))
    rows = quotas.order_by().annotate(held=held).values_list("annotator", "quota", "held")
    return {user: max(0, quota - count) for user, quota, count in rows if quota is not None}


@transaction.atomic
def close_batch(*, batch: Batch) -> None:
    """Take no more answers to a batch. What was answered stays."""
    Batch.objects.filter(pk=batch.pk).update(state=BatchState.CLOSED)


@transaction.atomic
def reopen_batch(*, batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(state=BatchState.OPEN)


@transaction.atomic
def show_decisions(*, batch: Batch, shown: bool) -> None:
    """Whether annotators see decisions that differ from their answers, while the batch is closed."""
    Batch.objects.filter(pk=batch.pk).update(shows_decisions=shown)


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
    source: CorpusImport,
    name: str,
    kind: str,
    scheme: str,
    pairs: Iterable[GivenPair],
    sides: tuple[str, str],
    format_name: str,
    signature: str,
) -> Batch:
    """Store pairs of an import and make a batch without assignments of them, an item for each in order."""
    stored = store_given_pairs(
        source=source, name=name, pairs=pairs, sides=sides, format_name=format_name, signature=signature
    )
    batch = Batch.objects.create(
        project=source.project,
        name=name,
        kind=kind,
        corpus_import=stored.source,
        scheme=scheme,
        overlap=1,
        seed=1,
        created_by=source.imported_by,
    )
    for start in range(0, len(stored.pairs), ROWS_AT_ONCE):
        block = enumerate(stored.pairs[start : start + ROWS_AT_ONCE], start=start + 1)
        Item.objects.bulk_create(Item(batch=batch, pair_id=pair, number=number) for number, pair in block)
    refresh_statistics(Cluster, Article, Sentence, CandidatePair, Item)
    return batch


def batches_that_grow(project: Project) -> QuerySet[Batch]:
    """The batches that pairs can be added to: open judging batches with annotators, before a second pass."""
    batches = Batch.objects.current().filter(project=project, kind=BatchKind.JUDGE, state=BatchState.OPEN)
    batches = batches.filter(trial=False)
    return batches.filter(annotators__isnull=False, second_pass=None).distinct()


@write_lock()
def add_to_batch(*, batch: Batch, by: User, pairs: Sequence[int]) -> set[int]:
    """Add pairs that somebody chose to an open batch, and assign them as the others are; returns those added.

    Texts that the batch holds already are left out. As they were not drawn, estimates leave the new items
    out. Raises PublicError where the annotators' quotas do not suffice.
    """
    batch = Batch.objects.select_for_update(of=("self",)).select_related("project").get(pk=batch.pk)
    if not batches_that_grow(batch.project).filter(pk=batch.pk).exists():
        raise PublicError(
            "Nothing can be added to %(batch)s: it is closed, or its second pass has begun.", batch=batch
        )
    items_there = Item.everything.filter(batch=batch)
    there = set(items_there.values_list("pair__content_key", flat=True))
    new = {}
    for pk, key in CandidatePair.objects.filter(pk__in=pairs, project=batch.project).values_list(
        "pk", "content_key"
    ):
        if key not in there:
            there.add(key)
            new[pk] = key
    last = items_there.aggregate(last=Max("number"))["last"] or 0
    items = [
        Item(batch=batch, pair_id=pk, number=number, stratum=CHOSEN)
        for number, pk in enumerate(sorted(new), start=last + 1)
    ]
    Item.objects.bulk_create(items)
    if batch.handing_out == HandingOut.AS_THEY_COME:
        places = _untaken_places(batch, items)
    else:
        places = _assigned(batch, items, seed=batch.seed + last)
    Assignment.objects.bulk_create(places)
    target = f"batch {batch.pk}: {batch}"
    record("pairs-added", actor=by, project=batch.project, target=target, pairs=len(items))
    return set(new)


def _assigned(batch: Batch, items: list[Item], *, seed: int) -> list[Assignment]:
    """The items for the annotators of the batch who are not paused, after the items that each has."""
    people = active_annotators(batch)
    ids = [user.pk for user in people]
    try:
        plan = assign(len(items), ids, batch.overlap, seed=seed, quotas=room_of(batch, people))
    except ValueError as error:
        raise PublicError(
            "%(error)s. Raise the quotas, or add annotators.", field="batch", error=error
        ) from error
    held = Assignment.objects.filter(item__batch=batch, annotator__in=people).order_by()
    last = held.values_list("annotator").annotate(last=Max("position"))
    return _assigned_places(items, plan, dict.fromkeys(ids, 0) | dict(last))


@transaction.atomic
def flag(item: Item, by: User, flagged: bool = True) -> None:
    """Set or remove the managers' flag, which annotators do not see."""
    Item.objects.filter(pk=item.pk).update(flagged=flagged)
    item.flagged = flagged


def delete_empty(batch: Batch, by: User) -> None:
    """Delete a batch in which nobody has answered. Raises PublicError for others."""
    if Answer.objects.filter(assignment__item__batch=batch).exists():
        raise PublicError("%(batch)s holds answers: delete it on its own page.", batch=batch)
    retention.delete(obj=batch, by=by)
