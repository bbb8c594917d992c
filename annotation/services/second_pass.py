"""A second pass over the disputed items of a batch, by the annotators who differ on them.

Judgements and links have the same: a manager starts and ends it, each of the own disputed answers is a
`SecondLook`, and until that is done the first answer counts. How links are compared and kept is in
alignment/services/second_pass.py, which the settings name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    BatchState,
    Judgement,
    SecondLook,
    SecondPass,
)
from projects.errors import PublicError
from projects.services.audit import record

from .batch_figures import BatchFigures, disputed_items, figures_of
from .progress import counted

SIGNATURE = "second-pass|version:1|own-disputed-items"


@dataclass(frozen=True, slots=True)
class PassKind:
    """What the second pass of one kind of batch does.

    looks: the disputed answers of a batch that nobody has decided, unsaved and without their pass; figures:
    the agreement now, estimates by name; changed: how many of the looks that are done have another answer.
    """

    looks: Callable[[Batch], list[SecondLook]]
    figures: Callable[[Batch], dict[str, Any]]
    changed: Callable[[QuerySet[SecondLook]], int]


def _judgement_looks(batch: Batch) -> list[SecondLook]:
    items = disputed_items(batch.items.filter(decisions=None)).order_by().values("pk")
    judged = Judgement.objects.filter(assignment__item__in=items).order_by("assignment")
    return [
        SecondLook(assignment_id=assignment, first_label=label)
        for assignment, label in judged.values_list("assignment", "label")
    ]


def _judgement_figures(batch: Batch) -> dict[str, Any]:
    figures = figures_of(batch.items.all()).get(batch.pk, BatchFigures())
    return figures.second_pass or figures.agreement or {}


def _judgements_changed(done: QuerySet[SecondLook]) -> int:
    return done.exclude(label=F("first_label")).count()


JUDGEMENTS = PassKind(_judgement_looks, _judgement_figures, _judgements_changed)


def kind_of(batch: Batch) -> PassKind:
    """Raises PublicError for clusters, which have no second pass."""
    if batch.kind == BatchKind.SPLIT:
        raise PublicError("Only batches of judgements and links have a second pass.")
    links: PassKind = import_string(settings.LINK_SECOND_LOOKS)
    return links if batch.kind == BatchKind.LINK else JUDGEMENTS


@transaction.atomic
def start_second_pass(*, batch: Batch, by: User, anyway: bool = False) -> SecondPass:
    """Show every annotator the own items that are disputed once more.

    Raises PublicError when the batch is closed, when answers are missing (unless `anyway`: what is
    unanswered then waits until the pass has ended), when nothing is disputed, or when the batch has had its
    second pass.
    """
    kind = kind_of(batch)
    if batch.state != BatchState.OPEN:
        raise PublicError("%(batch)s is closed and takes no answers. Open it again first.", batch=batch.name)
    if SecondPass.objects.filter(batch=batch).exists():
        raise PublicError("%(batch)s has already had its second pass.", batch=batch.name)
    missing = Assignment.objects.filter(item__batch=batch, state=AssignmentState.OPEN).count()
    if missing and not anyway:
        raise PublicError(
            "%(missing)s answers are missing. Wait for them, or start without them: they are then "
            "withheld until the second pass ends, and pairs they would make disputed get no second "
            "look.",
            missing=missing,
        )
    looks = kind.looks(batch)
    if not looks:
        raise PublicError(
            "There are no disagreements in this batch that nobody has decided, so there is nothing to look "
            "at again."
        )
    answers = Assignment.objects.filter(pk__in=[look.assignment_id for look in looks]).order_by()
    disputed = answers.values("item").distinct().count()
    started = SecondPass.objects.create(
        batch=batch,
        started_by=by,
        before=kind.figures(batch),
        signature=f"{SIGNATURE}|items:{batch.items.count()}|disputed:{disputed}",
    )
    for look in looks:
        look.second_pass = started
    SecondLook.objects.bulk_create(looks, batch_size=1000)
    # A page that was opened before would answer for the first pass: its version is now stale.
    Assignment.objects.filter(second_look__second_pass=started).update(version=F("version") + 1)
    _record(batch, by, "second-pass-started")
    return started


@transaction.atomic
def end_second_pass(*, batch: Batch, by: User) -> SecondPass:
    """End it: without a second look, the first answer counts. Stores the agreement after it."""
    running = SecondPass.objects.select_for_update().filter(batch=batch, ended_at=None).first()
    if running is None:
        raise PublicError("No second pass of this batch is running.")
    running.ended_at, running.after = timezone.now(), kind_of(batch).figures(batch)
    running.save()
    _record(batch, by, "second-pass-ended")
    return running


def revised(assignment: Assignment, label: str | None, *, skipped: bool) -> str | None:
    """The label that counts after an answer, None for none; stores a second look when the item has one.

    In the second pass the first answer counts where a person retracts or skips; skipping confirms it.
    To be called in the transaction that stores the answer; raises as `look_for`.
    """
    look = look_for(assignment, lambda: Judgement.objects.filter(assignment=assignment).exists())
    if look is None:
        return label
    look.label = label or (look.first_label if skipped else "")
    keep_look(look, assignment, done=bool(look.label))
    return look.label or look.first_label


def look_for(assignment: Assignment, is_answered: Callable[[], bool]) -> SecondLook | None:
    """The second look that an answer is given in; None for a first answer, which is stored as ever.

    `is_answered` says whether the assignment had an answer before. Raises PublicError for an item that is not
    to be looked at again.
    """
    second_pass = SecondPass.objects.filter(batch=assignment.item.batch_id).first()
    if second_pass is None:
        return None
    look = SecondLook.objects.filter(second_pass=second_pass, assignment=assignment).first()
    if second_pass.ended_at is None and look is None:
        raise PublicError("The batch is in its second pass: only disputed pairs can be answered.")
    if look is None and not is_answered():
        return None
    if look is None or second_pass.ended_at is not None:
        raise PublicError("The second pass has ended; your earlier answer counts.")
    return look


def keep_look(look: SecondLook, assignment: Assignment, *, done: bool) -> None:
    """Store a look; its assignment stays answered, if only by the first answer."""
    look.done = done
    look.save(update_fields=["done", "label", "links"])
    assignment.state = AssignmentState.DONE
    assignment.save(update_fields=["state"])


def running_second_pass(batch: Batch) -> bool:
    return SecondPass.objects.filter(batch=batch, ended_at=None).exists()


def second_pass_summary(batch: Batch) -> dict[str, Any] | None:
    """The pass with its agreement before and now (after, once it has ended), looks and decided looks.

    `withheld` are open answers that annotators are not asked for while it runs.
    """
    second_pass = SecondPass.objects.filter(batch=batch).first()
    if second_pass is None:
        return None
    kind = kind_of(batch)
    looks = second_pass.looks.all()
    done = looks.filter(done=True)
    return {
        "started_at": second_pass.started_at,
        "ended_at": second_pass.ended_at,
        "before": second_pass.before,
        "after": second_pass.after or kind.figures(batch),
        "looks": looks.count(),
        "decided": done.count(),
        "changed": kind.changed(done),
        "withheld": counted([batch])[batch.pk].withheld,
        "signature": second_pass.signature,
    }


def _record(batch: Batch, by: User, event: str) -> None:
    record(event, actor=by, project=batch.project, target=f"batch {batch.pk}: {batch.name}")
