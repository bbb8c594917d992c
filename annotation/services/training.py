"""Pairs whose right label is known: trainings made of them, and control items within other batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchKind,
    BatchState,
    GoldSet,
    Item,
    Judgement,
    TrainingTry,
)
from corpus.models import CandidatePair
from jobs.services.removal import keep
from paragold.metrics.label_agreement import Estimate, estimate
from paragold.sampling.sampling import in_random_order, sample_strata
from paragold.statistics import wilson_interval
from projects.errors import PublicError
from projects.models import Membership, Project, Role

from .answers import write_lock
from .batches import annotators_called, assign_items
from .decisions import latest_decisions
from .pseudonyms import pseudonyms


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """Right labels by the key of the pair's texts (in hex), with the id of the pair; `source` in words."""

    labels: Mapping[str, tuple[int, str]]
    source: str


def known_answers(
    *,
    project: Project,
    gold_set: GoldSet | None = None,
    expert_batch: Batch | None = None,
    expert: User | None = None,
) -> KnownAnswers:
    """The labels of a gold set, or of an expert in a closed batch: the expert's decisions and, elsewhere, the
    expert's judgements.

    Raises PublicError where neither or both are chosen, and for those of another scheme.
    """
    if (gold_set is None) == (expert_batch is None or expert is None):
        raise PublicError(
            "Choose where the right answers come from: a gold set, or a closed batch and its expert.",
            field="gold_set",
        )
    source: Any = gold_set or expert_batch
    keep(source)
    if source.project_id != project.pk or source.scheme != project.scheme:
        raise PublicError(
            "%(source)s is of another project, or has other labels than the project now has.",
            field="gold_set" if gold_set else "expert_batch",
            source=source,
        )
    if gold_set is not None:
        labels = dict(gold_set.judgements.values_list("item__pair", "label"))
        return KnownAnswers(_by_text(labels), str(gold_set))
    assert expert_batch is not None and expert is not None  # noqa: S101 - tells the type checker
    if expert_batch.kind != BatchKind.JUDGE or expert_batch.state != BatchState.CLOSED:
        raise PublicError(
            "%(expert_batch)s is open, or not for judging. Close it first.",
            field="expert_batch",
            expert_batch=expert_batch,
        )
    judged = Judgement.objects.filter(
        assignment__item__in=expert_batch.items.order_by(), assignment__annotator=expert
    )
    labels = dict(judged.values_list("assignment__item", "label"))
    decided = latest_decisions(expert_batch.items.all())
    labels |= {item: made.label for item, made in decided.items() if made.adjudicator_id == expert.pk}
    pairs = dict(expert_batch.items.filter(pk__in=labels).values_list("pk", "pair"))
    if not pairs:
        raise PublicError(
            "%(expert)s has judged or decided nothing in %(expert_batch)s.",
            field="expert",
            expert=expert.get_username(),
            expert_batch=expert_batch,
        )
    name = pseudonyms(project, [expert.pk])[expert.pk]
    return KnownAnswers(
        _by_text({pairs[item]: label for item, label in labels.items()}), f"{name} in {expert_batch}"
    )


def _by_text(labels: Mapping[int, str]) -> dict[str, tuple[int, str]]:
    rows = CandidatePair.objects.filter(pk__in=labels).order_by("pk").values_list("content_key", "pk")
    return {key.hex: (pk, labels[pk]) for key, pk in rows}


def _texts_of(items: QuerySet[Item]) -> set[str]:
    """The keys (in hex) of the texts of their pairs; items without a pair have none."""
    return {key.hex for key in items.order_by().values_list("pair__content_key", flat=True) if key}


def control_items(
    *, known: KnownAnswers, count: int, people: Iterable[User], seed: int
) -> dict[str, tuple[int, str]]:
    """`count` pairs with their right labels, at random, of those whose texts are in no training and were
    never given to any of the people. Raises PublicError where there are too few."""
    used = Q(assignments__annotator__in=list(people)) | ~Q(batch__measure="")
    seen = _texts_of(Item.everything.filter(used))
    unseen = [key for key in known.labels if key not in seen]
    if count > len(unseen):
        raise PublicError(
            "%(count)s control items requested, but only %(available)s pairs of %(source)s are in no "
            "training and were never given to these annotators.",
            field="control",
            count=count,
            available=len(unseen),
            source=known.source,
        )
    return {key: known.labels[key] for key in in_random_order(unseen, seed=seed)[:count]}


@transaction.atomic
def draw_training(
    *,
    project: Project,
    by: User | None,
    name: str,
    size: int,
    annotators: Sequence[str],
    measure: str,
    threshold: float,
    seed: int,
    gold_set: GoldSet | None = None,
    expert_batch: Batch | None = None,
    expert: User | None = None,
) -> Batch:
    """Draw `size` pairs with known answers, as many of each label as there are, for all of the annotators
    (usernames), who get them in an order of their own.

    `threshold`, 0 to 1: the minimum of the `measure`, accuracy or kappa, to pass. See `known_answers` for the
    others. Raises PublicError where there are too few pairs.
    """
    known = known_answers(project=project, gold_set=gold_set, expert_batch=expert_batch, expert=expert)
    controls = Item.everything.exclude(known_label="").filter(batch__project=project, batch__measure="")
    hidden = _texts_of(controls)
    strata = {key: label for key, (_pair, label) in known.labels.items() if key not in hidden}
    if size > len(strata):
        raise PublicError(
            "%(size)s pairs requested, but only %(available)s of %(source)s are known and no control items.",
            field="size",
            size=size,
            available=len(strata),
            source=known.source,
        )
    chosen = sample_strata(strata, size, seed=seed, allocation="equal")
    batch = Batch(
        project=project,
        name=name,
        kind=BatchKind.JUDGE,
        created_by=by,
        seed=seed,
        trial=True,
        measure=measure,
        threshold=threshold,
        sampling={"known_from": known.source},
    )
    items = [
        Item(batch=batch, pair_id=known.labels[key][0], known_label=known.labels[key][1], number=number)
        for number, key in enumerate(in_random_order(chosen, seed=seed), start=1)
    ]
    people = [user.get_username() for user in annotators_called(project, annotators)]
    return assign_items(batch=batch, items=items, annotators=people, overlap=len(people), own_order=True)


@write_lock()
def start_try(*, batch: Batch, by: User) -> int:
    """Give an annotator the pairs of a training, or give them again in another order once all are answered;
    returns the number of the try. One that is begun goes on.

    Raises PermissionDenied for who does not annotate the project, PublicError for a batch that is no training
    or is closed.
    """
    if not Membership.objects.filter(project=batch.project_id, user=by, role=Role.ANNOTATOR).exists():
        raise PermissionDenied(_("Only annotators of the project can do its trainings."))
    if not batch.measure or batch.state != BatchState.OPEN:
        raise PublicError("%(batch)s is no training, or is closed.", batch=batch.name)
    BatchAnnotator.objects.get_or_create(batch=batch, annotator=by)
    BatchAnnotator.objects.select_for_update().get(batch=batch, annotator=by)
    mine = Assignment.objects.of(by).filter(item__batch=batch).order_by()
    number = TrainingTry.objects.filter(batch=batch, annotator=by).count() + 1
    if mine.filter(state=AssignmentState.OPEN).exists():
        return number
    items = Item.everything.filter(batch=batch).values_list("number", "pk")
    keys = {f"{by.get_username()} {number} {place}": pk for place, pk in items}
    order = [keys[key] for key in in_random_order(keys, seed=batch.seed)]
    places = {place.item_id: place for place in mine}
    Judgement.objects.filter(assignment__in=mine).delete()
    for position, item in enumerate(order, start=1):
        place = places.get(item) or Assignment(item_id=item, annotator=by)
        # What was answered stays in the history; an answer that is on its way is one to an older version.
        place.version += bool(place.pk)
        place.position, place.state = position, AssignmentState.OPEN
        place.flagged, place.comment, place.milliseconds, place.answered_at = False, "", 0, None
        place.save()
    return number


def waiting_for_training(user: User, training: Batch) -> list[Batch]:
    """The user's open batches that require a training."""
    rows = Batch.objects.assigned_to(user).current().filter(requires=training, state=BatchState.OPEN)
    return list(rows.order_by("pk"))


def mistakes_of(user: User, batch: Batch) -> list[Assignment]:
    """The pairs of a training that the user has answered otherwise than is right, with their sentences."""
    mine = Assignment.objects.of(user).filter(item__batch=batch, judgement__isnull=False)
    rows = mine.with_sentences().select_related("judgement").order_by("position")
    return [place for place in rows if place.judgement.label != place.item.known_label]


def control_report(*, project: Project, batches: Sequence[Batch]) -> list[dict[str, Any]]:
    """Accuracy on the control items of batches, a row by annotator (pseudonym) and ISO week of the answer,
    after one over all weeks, whose `week` is ""."""
    answers = Assignment.objects.filter(
        item__batch__in=[batch.pk for batch in batches if not batch.measure],
        judgement__isnull=False,
        annotator__isnull=False,
    ).exclude(item__known_label="")
    rows = answers.order_by("answered_at").values_list(
        "annotator", "answered_at", "item__known_label", "judgement__label"
    )
    counts: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    for person, at, known, given in rows:
        for week in ("", f"{localtime(at):%G-W%V}" if at else "-"):
            counts[person, week][0] += known == given
            counts[person, week][1] += 1
    names = pseudonyms(project, {person for person, _ in counts})
    return [
        {"annotator": names[person], "week": week, "right": right, "accuracy": accuracy(right, items)}
        for (person, week), (right, items) in sorted(counts.items())
    ]


def accuracy(right: int, items: int) -> Estimate:
    """The share of right answers with Wilson's 95 % interval."""
    low, high = wilson_interval(right, items)
    return estimate(right / items, items, low=low, high=high)
