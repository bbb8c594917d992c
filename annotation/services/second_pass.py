"""A second pass over the disputed items of a batch, by the annotators who differ on them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

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


@transaction.atomic
def start_second_pass(*, batch: Batch, by: User, anyway: bool = False) -> SecondPass:
    """Show every annotator the own items that are disputed once more.

    Raises PublicError when the batch is closed, when answers are missing (unless `anyway`: what is
    unanswered then waits until the pass has ended), when nothing is disputed, or when the batch has had its
    second pass.
    """
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("Only judging batches have a second pass; links are reviewed on their own page.")
    if batch.state != BatchState.OPEN:
        raise PublicError(f"{batch.name} is closed and takes no answers. Open it again first.")
    if SecondPass.objects.filter(batch=batch).exists():
        raise PublicError(f"{batch.name} has already had its second pass.")
    missing = Assignment.objects.filter(item__batch=batch, state=AssignmentState.OPEN).count()
    if missing and not anyway:
        raise PublicError(
            f"{missing} answers are missing. Wait for them, or start without them: they are then withheld "
            "until the second pass ends, and pairs they would make disputed get no second look."
        )
    disputed = list(disputed_items(batch.items.all()).order_by("pk").values_list("pk", flat=True))
    if not disputed:
        raise PublicError("There are no disagreements in this batch, so there is nothing to look at again.")
    started = SecondPass.objects.create(
        batch=batch,
        started_by=by,
        before=_figures(batch),
        signature=f"{SIGNATURE}|items:{batch.items.count()}|disputed:{len(disputed)}",
    )
    judged = Judgement.objects.filter(assignment__item__in=disputed)
    SecondLook.objects.bulk_create(
        [
            SecondLook(second_pass=started, assignment_id=assignment, first_label=label)
            for assignment, label in judged.values_list("assignment", "label")
        ],
        batch_size=1000,
    )
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
    running.ended_at, running.after = timezone.now(), _figures(batch)
    running.save()
    _record(batch, by, "second-pass-ended")
    return running


def revised(assignment: Assignment, label: str | None, *, skipped: bool) -> str | None:
    """The label that counts after an answer, None for none; stores a second look when the item has one.

    In the second pass the first answer counts where a person retracts or skips; skipping confirms it.
    Raises PublicError for an item that is not to be looked at again. To be called in the transaction that
    stores the answer.
    """
    second_pass = SecondPass.objects.filter(batch=assignment.item.batch_id).first()
    if second_pass is None:
        return label
    look = SecondLook.objects.filter(second_pass=second_pass, assignment=assignment).first()
    if second_pass.ended_at is None and look is None:
        raise PublicError("The batch is in its second pass: only disputed pairs are judged.")
    if look is None and not Judgement.objects.filter(assignment=assignment).exists():
        return label
    if look is None or second_pass.ended_at is not None:
        raise PublicError("The second pass has ended; your earlier answer counts.")
    look.label = label or (look.first_label if skipped else "")
    look.save(update_fields=["label"])
    assignment.state = AssignmentState.DONE
    assignment.save(update_fields=["state"])
    return look.label or look.first_label


def running_second_pass(batch: Batch) -> bool:
    return SecondPass.objects.filter(batch=batch, ended_at=None).exists()


def second_pass_summary(batch: Batch) -> dict[str, Any] | None:
    """The pass with its agreement before and now (after, once it has ended), looks and decided looks.

    `withheld` are open answers that annotators are not asked for while it runs.
    """
    second_pass = SecondPass.objects.filter(batch=batch).first()
    if second_pass is None:
        return None
    looks = second_pass.looks.all()
    return {
        "started_at": second_pass.started_at,
        "ended_at": second_pass.ended_at,
        "before": second_pass.before,
        "after": second_pass.after or _figures(batch),
        "looks": looks.count(),
        "decided": looks.exclude(label="").count(),
        "changed": looks.exclude(label="").exclude(label=F("first_label")).count(),
        "withheld": counted([batch])[batch.pk].withheld,
        "signature": second_pass.signature,
    }


def _figures(batch: Batch) -> dict[str, Any]:
    figures = figures_of(batch.items.all()).get(batch.pk, BatchFigures())
    present = figures.second_pass or figures.agreement or {}
    return {name: asdict(figure) for name, figure in present.items()}


def _record(batch: Batch, by: User, event: str) -> None:
    record(event, actor=by, project=batch.project, target=f"batch {batch.pk}: {batch.name}")
