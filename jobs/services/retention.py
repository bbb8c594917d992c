"""What is deleted or archived: hidden at once, restored on request, removed for good when its days are over.

Deleted objects wait in the bin of their project for UNDO_DAYS, deleted projects among the deleted projects.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs.models import Job, JobState
from jobs.services import ledger, removal
from jobs.services.removal import Kind, kind_of, locked, project_of, removable_kinds
from jobs.services.running import run_here
from projects.errors import PublicError
from projects.models import Project, Removable
from projects.services.audit import record


def due_before() -> datetime:
    """What was deleted by then is removed for good."""
    return timezone.now() - timedelta(days=settings.UNDO_DAYS)


def kept_until(deleted: Any) -> datetime:
    """Until when a deleted object or project can be restored."""
    deleted_at: datetime = deleted.deleted_at or timezone.now()
    return deleted_at + timedelta(days=settings.UNDO_DAYS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A deleted or archived object in the bin."""

    object: Any
    kind: Kind

    @property
    def at(self) -> datetime:
        """When it came here."""
        at: datetime = self.object.deleted_at or self.object.archived_at
        return at

    @property
    def until(self) -> datetime | None:
        return kept_until(self.object) if self.object.deleted_at else None


def bin_of(project: Project, *, kind: str = "", pk: int | None = None) -> list[Entry]:
    """What is deleted or archived in a project, the newest first; of one kind, or one object.

    Without what is being removed.
    """
    named = {"pk": pk} if pk is not None else {}
    going = project.jobs.filter(kind=removal.JOB).values_list("parameters__kind", "parameters__object")
    being_removed = set(going)
    entries = []
    for of in removable_kinds().values():
        if kind not in ("", of.name):
            continue
        own = {field.name for field in of.model._meta.fields if _leads_to_removable(field)}
        rows = of.model.everything.filter(**{"__".join(of.project_path): project}, **named)
        away = rows.exclude(deleted_at=None) | rows.exclude(archived_at=None)
        entries += [
            Entry(row, of)
            for row in away.select_related("__".join(of.project_path), "deleted_by", *own)
            if row.deleted_at is None or (of.name, row.pk) not in being_removed
        ]
    return sorted(entries, key=lambda entry: (entry.at, entry.object.pk), reverse=True)


def _leads_to_removable(field: Any) -> bool:
    """Whether it is a key to another such object, which its name may name."""
    return bool(field.many_to_one and issubclass(field.related_model, Removable))


@transaction.atomic
def archive(*, obj: Removable, by: User) -> None:
    """Hide the object from lists and choices; what uses it, and its page, stay."""
    row, kind = locked(obj), kind_of(obj)
    if active := removal.working(row):
        raise PublicError(
            "“%(job)s” is running. Cancel it first, then archive the %(noun)s.",
            job=active[0].title,
            noun=kind.noun,
        )
    if row.archived_at is not None:
        return
    row.archived_at = timezone.now()
    row.save(update_fields=["archived_at"])
    obj.archived_at = row.archived_at
    if kind.hide:
        kind.hide(row)
    _record("object-archived", row, by)


def delete(*, obj: Removable, by: User, confirmed: str | None = None) -> Job | None:
    """Delete the object with all that belongs to it alone: it waits in the bin, hidden from everything else.

    Where nothing waits there (`waits_in_bin`) it is removed for good, a small one before this returns; then
    it returns the job. `confirmed` is its name, wherever people have put answers into it. Raises InUse where
    something refers to it, PublicError while a job works on it, and without `confirmed`.
    """
    kind = kind_of(obj)
    with transaction.atomic():
        row = locked(obj)
        answered = kind.answers(row)
        removal.check_removable(row)
        _check_confirmed(row, confirmed, answered=answered)
        removal.removals(row).delete()  # of an earlier deletion that ended because it was in use
        _record("object-deleted", row, by)
        if kind.hide:
            kind.hide(row)
        type(row).everything.filter(pk=row.pk).update(deleted_at=timezone.now(), deleted_by=by)
        job = None if kind.waits_in_bin else removal.request_removal(row, by)
    return job and _begun(job)


@transaction.atomic
def restore(*, obj: Removable, by: User) -> None:
    """Show a deleted or archived object again, in lists and choices too.

    Raises PublicError once its removal has begun, where what it was made from is deleted, and where its name
    is taken by now.
    """
    row, kind = _row_in_bin(obj), kind_of(obj)
    if row.deleted_at is not None:
        for entry in bin_of(project_of(row)):
            later = entry.until is not None and entry.at >= row.deleted_at
            if later and row in removal.used_by(entry.object, in_bin=True):
                raise PublicError(
                    "The %(noun)s %(row)s was made from the %(other_noun)s %(other)s, which is deleted "
                    "too. Restore that first.",
                    noun=kind.noun,
                    row=row,
                    other_noun=entry.kind.noun,
                    other=entry.object,
                )
    try:
        with transaction.atomic():
            type(row).everything.filter(pk=row.pk).update(deleted_at=None, deleted_by=None, archived_at=None)
    except IntegrityError as error:
        raise PublicError(
            "There is another %(noun)s %(row)s by now. Delete that one first.", noun=kind.noun, row=row
        ) from error
    obj.deleted_at = obj.deleted_by = obj.archived_at = None
    _record("object-restored", row, by)


def remove(*, obj: Removable, by: User | None, confirmed: str | None = None) -> Job:
    """Remove a deleted object for good; a small one is gone when this returns. Returns the job.

    Without `by` its days are over, and a worker does all of it. Raises as `delete`, and InUse while something
    in the bin was made from it.
    """
    with transaction.atomic():
        row = _row_in_bin(obj)
        if row.deleted_at is None:
            raise PublicError("The %(noun)s %(row)s is not deleted.", noun=kind_of(row).noun, row=row)
        if by is not None:
            _check_confirmed(row, confirmed, answered=kind_of(row).answers(row))
        job = removal.request_removal(row, by)
        _record("object-removed", row, by)
        if by is None:
            ledger.hand_over(job)
    return job if by is None else _begun(job)


def sweep() -> None:
    """Remove what is due, and go on with removals that stopped before their end.

    Those that failed wait for RESUME_AFTER first. What uses something else goes before it.
    """
    for job in removal.stopped_removals():
        ended = job.finished_at or job.requested_at
        if job.state == JobState.CANCELLED or ended < timezone.now() - removal.RESUME_AFTER:
            ledger.retry_job(job=job)
    due: list[Any] = []
    for kind in removable_kinds().values():
        path = "__".join(kind.project_path)
        rows = kind.model.everything.filter(**{"deleted_at__lte": due_before(), f"{path}__deleted_at": None})
        due += rows.select_related(path)
    for row in sorted(due, key=lambda row: row.deleted_at):
        if not removal.removals(row).exists():
            try:
                remove(obj=row, by=None)
            except PublicError:
                continue  # what was made from it is being removed; it is tried again in a minute


def _row_in_bin(obj: Removable) -> Any:
    """The object as it is stored now, its row locked. Raises PublicError where it is gone or on its way."""
    kind = kind_of(obj)
    rows = type(obj).everything.select_for_update(of=("self",)).filter(pk=obj.pk)
    row = rows.exclude(deleted_at=None, archived_at=None).order_by().first()
    if row is None or (row.deleted_at is not None and removal.removals(row).exists()):
        raise PublicError("The %(noun)s %(obj)s is no longer in the bin.", noun=kind.noun, obj=obj)
    return row


def _check_confirmed(row: Removable, confirmed: str | None, *, answered: bool) -> None:
    if answered and confirmed != str(row):
        raise PublicError(
            "People have answered in %(row)s. To delete their answers too, type its name.",
            field="confirm",
            row=row,
        )


def _begun(job: Job) -> Job:
    """A removal of a few pieces is done here, a larger one by a worker. Raises PublicError where it fails."""
    if job.chunks.count() > removal.PIECES_AT_ONCE:
        ledger.hand_over(job)
        return job
    run_here(job=job)
    if job.state == JobState.FAILED:
        raise PublicError(job.error)
    return job


def _record(event: str, obj: Removable, by: User | None) -> None:
    record(event, actor=by, project=project_of(obj), target=f"{kind_of(obj).noun} {obj.pk}: {obj}")
