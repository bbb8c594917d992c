"""The kinds of objects that can be deleted, what uses an object, and the job that removes a deleted one.

What something frozen or later refers to is not deleted: `used_by` lists that. The job removes the rows in
pieces, so that nobody waits for a lock, and at its end the object and its files. `retention` says when.
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
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk, JobState
from jobs.services import ledger
from projects import storage
from projects.errors import InUse, PublicError
from projects.models import Project, Removable

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
    shared: whether the rest of the project reads its rows, which therefore cannot be hidden until they go.
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
    shared: bool = False

    def __post_init__(self) -> None:
        self.plural = self.plural or f"{self.name}s"
        self.noun = self.noun or self.name.replace("-", " ")
        self.page = self.page or self.name
        self.in_list = self.in_list or self.plural

    def page_of(self, obj: Any) -> str:
        return self.page if isinstance(self.page, str) else self.page(obj)

    def list_of(self, obj: Any) -> str:
        return self.in_list if isinstance(self.in_list, str) else self.in_list(obj)

    @property
    def waits_in_bin(self) -> bool:
        """Whether what is deleted of it can be restored for UNDO_DAYS."""
        return bool(settings.UNDO_DAYS) and not self.shared


@cache
def removable_kinds() -> dict[str, Kind]:
    """All kinds by name, from the tuples that `settings.REMOVABLE_KINDS` names by dotted path."""
    return {kind.name: kind for path in settings.REMOVABLE_KINDS for kind in import_string(path)}


def kind_of(obj: Any) -> Kind:
    return next(kind for kind in removable_kinds().values() if kind.model is type(obj))


def project_of(obj: Any) -> Project:
    project: Project = reduce(getattr, kind_of(obj).project_path, obj)
    return project


def used_by(obj: Removable, *, in_bin: bool = False) -> list[Removable]:
    """What refers to the object and would lose what it was made from, archived ones among them; or those of
    them that are deleted and wait in the bin."""
    users_by_key: dict[tuple[str, int], Removable] = {}
    for user in (*_referring(obj, in_bin), *kind_of(obj).also_used_by(obj)):
        if (user.deleted_at is not None) == in_bin:
            users_by_key.setdefault((kind_of(user).name, user.pk), user)
    return [users_by_key[key] for key in sorted(users_by_key)]


def _referring(obj: Removable, in_bin: bool) -> Iterator[Any]:
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
        path = users[model]
        hidden = f"{path}__deleted_at__isnull" if path else "deleted_at__isnull"
        rows = model._base_manager.filter(**{relation.field.name: obj, hidden: not in_bin})
        for row in rows[: USES_NAMED + 1]:
            yield reduce(getattr, filter(None, path.split("__")), row)


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
        raise PublicError(
            "“%(job)s” is running. Cancel it first, then delete the %(noun)s.",
            job=active[0].title,
            noun=kind.noun,
        )
    users = used_by(obj)
    if users:
        raise InUse(
            "The %(noun)s %(obj)s is used by %(users)s. Delete those first, or archive this.",
            _listed(users),
            noun=kind.noun,
            obj=obj,
            users=named_users(users),
        )
    if not kind.waits_in_bin:
        check_unused_in_bin(obj)


def check_unused_in_bin(obj: Removable) -> None:
    """Raise InUse while something in the bin was made from the object: it could not be restored."""
    users = used_by(obj, in_bin=True)
    if users:
        raise InUse(
            "In the bin is what was made from the %(noun)s %(obj)s: %(users)s. Restore it, or delete it for "
            "good there first.",
            _listed(users),
            noun=kind_of(obj).noun,
            obj=obj,
            users=named_users(users),
        )


def _listed(users: Sequence[Removable]) -> list[dict[str, Any]]:
    return [{"kind": kind_of(user).name, "id": user.pk, "name": str(user)} for user in users[:USES_NAMED]]


def named_users(users: Sequence[Removable]) -> str:
    names = [_("the %(noun)s %(name)s") % {"noun": kind_of(user).noun, "name": user} for user in users[:3]]
    more = _(" and %(count)s more") % {"count": len(users) - 3} if len(users) > 3 else ""
    return ", ".join(names) + more


def locked(obj: Removable) -> Any:
    """The object as it is stored now, its row locked. Raises PublicError where it is gone."""
    row = type(obj).objects.select_for_update(of=("self",)).filter(pk=obj.pk).order_by().first()
    if row is None:
        raise PublicError("The %(noun)s %(obj)s is deleted already.", noun=kind_of(obj).noun, obj=obj)
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
            raise PublicError("%(obj)s was deleted meanwhile. Choose another.", obj=obj)


def check_own(project: Project, *objects: Any, field: str = "") -> None:
    """Raise PublicError, naming the field, for an object of another project."""
    for obj in objects:
        if obj is not None and obj.project_id != project.pk:
            raise PublicError("%(obj)s belongs to another project.", field=field, obj=obj)


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


def request_removal(obj: Removable, by: User | None) -> Job:
    """Write the job that removes a hidden object; call it in a transaction that holds the object's row.

    Raises InUse while something in the bin was made from it.
    """
    kind = kind_of(obj)
    check_unused_in_bin(obj)
    pieces = sum(-(-part(obj).count() // kind.piece) for part in kind.rows)
    return ledger.request_job(
        project=project_of(obj),
        by=by,
        kind=JOB,
        title=f"Delete the {kind.noun} {obj}"[:200],
        parameters={"kind": kind.name, "object": obj.pk, "units": "steps"},
        signature=JOB,
        chunks=[ledger.ChunkPlan(units=1, payload={})] * max(1, pieces),
    )


def removals(obj: Removable) -> QuerySet[Job]:
    """The jobs that remove the object."""
    return Job.objects.filter(
        project=project_of(obj), kind=JOB, parameters__kind=kind_of(obj).name, parameters__object=obj.pk
    )


def stopped_removals() -> list[Job]:
    """Those that stopped before their end, while their object is hidden; not of deleted projects."""
    stopped = Job.objects.filter(
        kind=JOB, state__in=(JobState.CANCELLED, JobState.FAILED), project__deleted_at=None
    )
    return [job for job in stopped if _hidden(job).exists()]


def _hidden(job: Job) -> QuerySet[Any]:
    model = removable_kinds()[job.parameters["kind"]].model
    return model.everything.filter(pk=job.parameters["object"]).exclude(deleted_at=None)


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
            type(obj).everything.filter(pk=obj.pk).update(deleted_at=None, deleted_by=None)
    if users:
        raise PublicError(
            "It is used by %(users)s since the deletion was requested.", users=named_users(users)
        )


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
