"""Taking back what was made in a project: archive and restore it, or delete it for good.

What something frozen or later refers to is not deleted: `used_by` lists that. A deletion hides its object at
once; a job then removes the rows in pieces, so that nobody waits for a lock, and at its end the object and
its files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, reduce
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS, connection, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk, JobState
from jobs.services import ledger
from jobs.services.running import run_here
from projects import storage
from projects.errors import InUse, PublicError
from projects.models import Project, Removable
from projects.services.audit import record

JOB = ledger.REMOVAL
ROWS_AT_ONCE = 2_000
# Up to this number of pieces are removed while the caller waits.
PIECES_AT_ONCE = 3
# Others that wait to write to SQLite look at most so many seconds apart whether they can.
PAUSE_SECONDS = 0.1
RESUME_AFTER = timedelta(minutes=10)
USES_NAMED = 50

Rows = Callable[[Any], QuerySet[Any]]
Remove = Callable[[Any, int], int]


def nothing(obj: Any) -> Iterable[Any]:
    return ()


@dataclass
class Kind:
    """One kind of object.

    name: in addresses, as `dataset`; plural: the same in the API (default: with an "s"). noun: in sentences
    (default: the name).
    page, in_list: names of the addresses of its page (default: the name) and of the list that it is in
    (default: the plural).
    rows: the rows that go with it, as querysets in the order of removal, `piece` rows at a time.
    remove: a function that removes at most so many of these rows with all that hangs on them.
    ignored: relations by which others point at it without using it.
    also_used_by: objects that use it and are not found by a foreign key.
    parts: models whose rows are part of an object of the kind -> the lookup that leads to it.
    files: what was on disk of it alone, once its row is gone.
    project_path: how an object leads to its project.
    parameters: names under which jobs keep its id. answers: whether people have put work into it.
    """

    name: str
    model: type[Removable]
    plural: str = ""
    noun: str = ""
    page: str | Callable[[Any], str] = ""
    in_list: str | Callable[[Any], str] = ""
    project_path: tuple[str, ...] = ("project",)
    rows: tuple[Rows, ...] = ()
    remove: Remove | None = None
    piece: int = ROWS_AT_ONCE
    ignored: frozenset[str] = frozenset()
    also_used_by: Callable[[Any], Iterable[Any]] = nothing
    files: Callable[[Any], Iterable[Path]] = nothing
    parameters: tuple[str, ...] = ()
    parts: dict[type[models.Model], str] = field(default_factory=dict)
    hide: Callable[[Any], None] | None = None
    answers: Callable[[Any], bool] = lambda obj: False
    check: Callable[[Any], None] | None = None

    def __post_init__(self) -> None:
        self.plural = self.plural or f"{self.name}s"
        self.noun = self.noun or self.name.replace("-", " ")
        self.page = self.page or self.name
        self.in_list = self.in_list or self.plural

    def page_of(self, obj: Any) -> str:
        return self.page if isinstance(self.page, str) else self.page(obj)

    def list_of(self, obj: Any) -> str:
        return self.in_list if isinstance(self.in_list, str) else self.in_list(obj)


@cache
def removable_kinds() -> dict[str, Kind]:
    """All kinds by name, from the tuples that `settings.REMOVABLE_KINDS` names by dotted path."""
    return {kind.name: kind for path in settings.REMOVABLE_KINDS for kind in import_string(path)}


def kind_of(obj: Any) -> Kind:
    return next(kind for kind in removable_kinds().values() if kind.model is type(obj))


def project_of(obj: Any) -> Project:
    project: Project = reduce(getattr, kind_of(obj).project_path, obj)
    return project


def used_by(obj: Removable) -> list[Removable]:
    """What refers to the object and would lose what it was made from; archived ones among them."""
    users_by_key: dict[tuple[str, int], Removable] = {}
    for user in (*_referring(obj), *kind_of(obj).also_used_by(obj)):
        if user.deleted_at is None:
            users_by_key.setdefault((kind_of(user).name, user.pk), user)
    return [users_by_key[key] for key in sorted(users_by_key)]


def _referring(obj: Removable) -> Iterator[Any]:
    """Objects whose foreign keys protect it, and those that name it among others."""
    kinds = removable_kinds().values()
    users: dict[type[models.Model], str] = {kind.model: "" for kind in kinds}
    for kind in kinds:
        users |= kind.parts
    for relation in obj._meta.related_objects:
        model = relation.related_model
        protected = relation.many_to_many or relation.on_delete in (models.PROTECT, models.RESTRICT)
        if model not in users or not protected or relation.name in kind_of(obj).ignored:
            continue
        rows = model._base_manager.filter(**{relation.field.name: obj})
        for row in rows[: USES_NAMED + 1]:
            yield reduce(getattr, filter(None, users[model].split("__")), row)


def working(obj: Removable) -> list[Job]:
    """Jobs under way that make the object or work on it."""
    kind = kind_of(obj)
    named = Q(pk=getattr(obj, "job_id", None) or 0)
    for name in kind.parameters:
        named |= Q(**{f"parameters__{name}": obj.pk})
    return list(Job.objects.filter(named, project=project_of(obj), state__in=ACTIVE).order_by("pk"))


def check_removable(obj: Removable) -> None:
    """Raise InUse where something refers to the object, PublicError while a job works on it."""
    kind = kind_of(obj)
    if kind.check:
        kind.check(obj)
    active = working(obj)
    if active:
        raise PublicError(f"“{active[0].title}” is running. Cancel it first, then delete the {kind.noun}.")
    users = used_by(obj)
    if users:
        raise InUse(
            f"The {kind.noun} {obj} is used by {named_users(users)}. Delete those first, or archive this.",
            [{"kind": kind_of(user).name, "id": user.pk, "name": str(user)} for user in users[:USES_NAMED]],
        )


def named_users(users: Sequence[Removable]) -> str:
    names = [f"the {kind_of(user).noun} {user}" for user in users[:3]]
    more = f" and {len(users) - 3} more" if len(users) > 3 else ""
    return ", ".join(names) + more


def locked(obj: Removable) -> Any:
    """The object as it is stored now, its row locked. Raises PublicError where it is gone."""
    row = type(obj).objects.select_for_update(of=("self",)).filter(pk=obj.pk).order_by().first()
    if row is None:
        raise PublicError(f"The {kind_of(obj).noun} {obj} is deleted already.")
    return row


def keep(*objects: Removable | None) -> None:
    """Until this transaction ends nobody deletes the objects.

    Raises PublicError where one is deleted already. On SQLite a transaction keeps all other writers out.
    """
    for obj in objects:
        if obj is None:
            continue
        rows = type(obj).everything.filter(pk=obj.pk, deleted_at=None)
        if not locked_against_deletion(rows.order_by().values_list("pk")):
            raise PublicError(f"{obj} was deleted meanwhile. Choose another.")


def check_own(project: Project, *objects: Any, field: str = "") -> None:
    """Raise PublicError, naming the field, for an object of another project."""
    for obj in objects:
        if obj is not None and obj.project_id != project.pk:
            raise PublicError(f"{obj} belongs to another project.", field=field)


def keep_own(project: Project, *objects: Removable | None, field: str = "") -> None:
    """As `keep` and `check_own`, for the objects that a launch in a project is given."""
    check_own(project, *objects, field=field)
    keep(*objects)


def locked_against_deletion(rows: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows, locked against deletion by the weakest lock that does it; Django knows only stronger ones."""
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql + (" FOR KEY SHARE" if connection.vendor == "postgresql" else ""), parameters)
        locked_rows: list[tuple[Any, ...]] = cursor.fetchall()
    return locked_rows


@transaction.atomic
def set_archived(*, obj: Removable, by: User, archived: bool) -> None:
    """Hide the object from lists and choices, or show it there again; what uses it, and its page, stay."""
    row, kind = locked(obj), kind_of(obj)
    if archived and (active := working(row)):
        raise PublicError(f"“{active[0].title}” is running. Cancel it first, then archive the {kind.noun}.")
    if archived == (row.archived_at is not None):
        return
    row.archived_at = timezone.now() if archived else None
    row.save(update_fields=["archived_at"])
    obj.archived_at = row.archived_at
    if archived and kind.hide:
        kind.hide(row)
    _record("object-archived" if archived else "object-restored", row, by)


def delete(*, obj: Removable, by: User, confirmed: str | None = None) -> Job:
    """Delete the object with all that belongs to it alone; returns the job that removes the rows.

    A small one is gone when this returns. `confirmed` is its name, wherever people have put answers into it.
    Raises InUse where something refers to it, PublicError while a job works on it, and without `confirmed`.
    """
    kind = kind_of(obj)
    with transaction.atomic():
        row = locked(obj)
        answered = kind.answers(row)
        check_removable(row)
        if answered and confirmed != str(row):
            raise PublicError(
                f"People have answered in {row}. To delete their answers too, type its name.", field="confirm"
            )
        pieces = sum(-(-part(row).count() // kind.piece) for part in kind.rows)
        job = ledger.request_job(
            project=project_of(row),
            by=by,
            kind=JOB,
            title=f"Delete the {kind.noun} {row}"[:200],
            parameters={
                "kind": kind.name,
                "object": row.pk,
                "name": getattr(row, "name", ""),
                "units": "steps",
            },
            signature=JOB,
            chunks=[ledger.ChunkPlan(units=1, payload={})] * max(1, pieces),
        )
        _record("object-deleted", row, by)
        if kind.hide:
            kind.hide(row)
        fields: dict[str, Any] = {"deleted_at": timezone.now()}
        if hasattr(row, "name"):
            fields["name"] = f"deleted {row.pk}"  # so that its name is free at once
        type(row).everything.filter(pk=row.pk).update(**fields)
    if pieces > PIECES_AT_ONCE:
        ledger.hand_over(job)
        return job
    run_here(job=job)
    if job.state == JobState.FAILED:
        raise PublicError(job.error)
    return job


def resume_deletions() -> None:
    """Queue again the deletions that stopped before their end, since nobody sees what they delete.

    Those that failed wait for RESUME_AFTER first. An object that is in use is shown again, and stays.
    """
    stopped = Job.objects.filter(kind=JOB, project__deleted_at=None).filter(
        Q(state=JobState.CANCELLED) | Q(state=JobState.FAILED, finished_at__lt=timezone.now() - RESUME_AFTER)
    )
    for job in stopped:
        kind = removable_kinds()[job.parameters["kind"]]
        hidden = kind.model.everything.exclude(deleted_at=None)
        if hidden.filter(pk=job.parameters["object"]).exists():
            ledger.retry_job(job=job)


def _record(event: str, obj: Removable, by: User) -> None:
    record(event, actor=by, project=project_of(obj), target=f"{kind_of(obj).noun} {obj.pk}: {obj}")


def _object(job: Job) -> Any:
    """What a job removes, its row locked, so that pieces are removed one after the other; None once it is
    gone."""
    kind = removable_kinds()[job.parameters["kind"]]
    rows = kind.model.everything.select_for_update(of=("self",)).filter(pk=job.parameters["object"])
    return rows.order_by().first()


def _check_unused(job: Job, chunk: JobChunk) -> None:
    """Whoever was choosing the object while it was being deleted keeps it: it is shown again.

    Between the pieces of a large deletion others get to write, however quickly pieces follow each other.
    """
    if connection.vendor == "sqlite" and chunk.number >= PIECES_AT_ONCE:
        time.sleep(PAUSE_SECONDS)
    with transaction.atomic():
        obj = _object(job)
        users = used_by(obj) if obj is not None else []
        if users:
            name = {"name": job.parameters["name"]} if job.parameters["name"] else {}
            type(obj).everything.filter(pk=obj.pk).update(deleted_at=None, **name)
    if users:
        raise PublicError(f"It is used by {named_users(users)} since the deletion was requested.")


def _remove_piece(job: Job, result: None) -> dict[str, int]:
    obj = _object(job)
    if obj is None:
        return {}
    kind = kind_of(obj)
    if kind.remove:
        return {"rows": kind.remove(obj, kind.piece)}
    for part in kind.rows:
        # Without an order: sorting what is left for each piece would take longer than removing it.
        rows = part(obj).order_by()
        ids = list(rows.values_list("pk", flat=True)[: kind.piece])
        if ids:
            rows.model._base_manager.filter(pk__in=ids)._raw_delete(DEFAULT_DB_ALIAS)
            return {"rows": len(ids)}
    return {"rows": 0}


def _finish(job: Job) -> None:
    obj = _object(job)
    if obj is None:
        return
    own = getattr(obj, "job", None)
    delete_with_files(obj)
    if own is not None:
        own.delete()


def delete_with_files(obj: Removable) -> None:
    """Delete the row, and its files once the transaction is committed."""
    obj.delete()

    def remove_files() -> None:
        for path in kind_of(obj).files(obj):
            storage.delete(path)

    transaction.on_commit(remove_files)


RUNNER = Runner(compute=_check_unused, store=_remove_piece, finish=_finish)
