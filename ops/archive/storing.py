"""Storing a project's archive piece by piece: the project is visible when all of it is stored.

Rows wait in a project that nobody sees, as those of other imports do, so that nobody else waits for a long
transaction (docs/adr/0010-imports-are-staged.md). It becomes the project in one step at the end.
"""

from __future__ import annotations

import shutil
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, DataError, IntegrityError, models, transaction
from django.db.models import ProtectedError

from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import check_free

from .archive_file import ArchiveFile, parsed
from .checking import ROW_ERRORS, Cells, check_archive, project_values, row_error
from .tables import ROW_ATTRIBUTES, WITH_IDS, Table, renumbered, tables
from .writing import ROWS_AT_ONCE, files_of

STAGING = "~archive-"

Lines = list[tuple[int, list[Any]]]
"""(number of the line, values) of some rows."""


@dataclass(frozen=True, slots=True)
class ImportedProject:
    """The imported project, its number of rows, and the accounts that were used or made."""

    project: Project
    rows: int
    accounts_found: list[str]
    accounts_made: list[str]


class Piece(NamedTuple):
    """What is stored at once: `rows` rows of a table after `start`."""

    table: str
    start: int
    rows: int


def import_project(
    *, path: Path, slug: str = "", accounts: Mapping[str, str] | None = None
) -> ImportedProject:
    """Read an archive that `export_project` wrote, as a new project.

    `accounts` names an account here for a user of the archive (see `accounts_for`). Raises
    PublicError, naming file and line, for an archive that is damaged, was written by a newer version or would
    overwrite a project; then nothing is stored.
    """
    with ArchiveFile(path) as source:
        checked = check_archive(source)
        description = checked.description
        check_free(slug := slug or description["project"]["slug"])
        users, made = accounts_for(users=checked.users, chosen=accounts or {})
        staging = open_staging(User.objects.get(pk=users[description["project"]["created_by"]]))
        storing = Storing(source, staging, users)
        try:
            for piece in pieces(description):
                lines = storing.read(piece)
                with transaction.atomic():
                    storing.store(piece, lines)
            with transaction.atomic():
                storing.finish(description, slug)
        except BaseException:
            discard(staging.pk)
            forget_accounts(made)
            raise
        finally:
            storing.close()
    rows = sum(table["rows"] for table in description["tables"].values())
    there = User.objects.filter(pk__in=users.values()).exclude(username__in=made).order_by("username")
    return ImportedProject(staging, rows, list(there.values_list("username", flat=True)), made)


@transaction.atomic
def accounts_for(*, users: Iterable[str], chosen: Mapping[str, str]) -> tuple[dict[str, int], list[str]]:
    """The account here for each user of an archive, and the names of those that were missing and are made.

    `chosen` names another account than that of the same name. An account that is made cannot log in until an
    administrator gives it a password. Raises PublicError for an account that is not there, and where one
    would be used for two users: their answers would be taken for each other's.
    """
    names = {name: chosen.get(name, name) for name in users}
    here = dict(User.objects.filter(username__in=names.values()).values_list("username", "pk"))
    used: dict[str, str] = {}
    made = []
    for name, account in sorted(names.items()):
        if account in used:
            raise PublicError(
                f"The account {account!r} would be used for both {used[account]!r} and {name!r}."
            )
        used[account] = name
        if account in here:
            continue
        if account != name:
            raise PublicError(f"There is no account {account!r} here to use for {name!r}.")
        user = User(username=account, is_active=False)
        user.set_unusable_password()
        try:
            user.full_clean()
        except ValidationError as error:
            raise PublicError(
                f"No account {account!r} can be made: {'; '.join(error.messages)} Choose another for it."
            ) from error
        user.save()
        here[account] = user.pk
        made.append(account)
    return {name: here[account] for name, account in names.items()}, sorted(made)


def forget_accounts(names: Iterable[str]) -> None:
    """Remove accounts that were made for an import that came to nothing, unless they are in use by now."""
    for account in User.objects.filter(username__in=list(names), is_active=False, last_login=None):
        if not account.has_usable_password() and not account.memberships.exists():
            try:
                with transaction.atomic():
                    account.delete()
            except ProtectedError:
                continue


def open_staging(by: User) -> Project:
    """A project that rows wait in."""
    return Project.everything.create(
        slug=f"{STAGING}{uuid4().hex}", name="An archive", created_by=by, staging=True
    )


def discard(staging_id: int) -> None:
    """Remove a staging project with all its rows, without loading them."""
    staging = Project.everything.filter(pk=staging_id, staging=True).first()
    if staging is None:
        return
    empty(staging)
    staging.delete()


def empty(staging: Project) -> None:
    """Remove the rows of a staging project that came out of its archive."""
    for table in reversed(tables()):
        table.rows(staging).order_by()._raw_delete(DEFAULT_DB_ALIAS)


def pieces(description: dict[str, Any]) -> list[Piece]:
    """What an archive is stored in, one after the other."""
    return [Piece(*one) for one in description["pieces"]]


class Storing:
    """An archive on its way into a staging project. `users` are the accounts here, by the archive's names."""

    def __init__(self, source: ArchiveFile, staging: Project, users: Mapping[str, int]) -> None:
        self._source = source
        self._staging = staging
        self._users = users
        self._tables = {table.name: table for table in tables()}
        self._ids: dict[str, array[int]] = {}
        self._lines: Generator[tuple[int, bytes]] | None = None
        self._place = ("", 0)

    def close(self) -> None:
        """Close the archive."""
        if self._lines is not None:
            self._lines.close()
        self._source.close()

    def read(self, piece: Piece) -> Lines:
        """The rows of a piece as the archive has them; nothing is written.

        The next piece is read on from here: packed lines cannot be jumped over.
        """
        if self._lines is None or self._place != piece[:2]:
            if self._lines is not None:
                self._lines.close()
            self._lines = self._source.lines(f"{piece.table}.jsonl", start=piece.start + 1)
        self._place = (piece.table, piece.start + piece.rows)
        return [(number, parsed(line)) for number, line in islice(self._lines, piece.rows)]

    def store(self, piece: Piece, lines: Lines) -> None:
        """Store the rows of a piece, all before it being there. Call it in a transaction.

        Raises PublicError, naming the line, for rows that the database refuses; then roll back.
        """
        table = self._tables[piece.table]
        names = next(parsed(line) for _, line in self._source.lines(f"{table.name}.jsonl"))
        cells = Cells(table, names, users=self._users.__getitem__, renumber=self.renumber)
        fields = table.model._meta.concrete_fields
        own = next((one.attname for one in fields if one.related_model is Project), None)
        always = {own: self._staging.pk} if own else {}
        # A row that may point at one before it in the same table has to find that one stored.
        to_itself = any(one.related_model is table.model for one in fields)
        new = self._ids[table.name] = self._stored(table) if to_itself else array("q")
        waiting: Iterator[tuple[int, list[Any]]] = iter(lines)
        while rows := list(islice(waiting, 1 if to_itself else ROWS_AT_ONCE)):
            first, last = rows[0][0], rows[-1][0]
            try:
                made = [table.model(**cells.values(row), **always) for _, row in rows]
                with transaction.atomic():
                    _insert(table.model, made)
            except ROW_ERRORS as error:
                raise row_error(self._source, table.name, first, error) from error
            except (IntegrityError, DataError) as error:
                raise self._refused(table, first, last, error) from error
            if to_itself:
                new.extend(one.pk for one in made)
        # Read again from the database when all of it is in and needed.
        del self._ids[table.name]

    def _refused(self, table: Table, first: int, last: int, error: DatabaseError) -> PublicError:
        """What the database said of rows that it took together."""
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        why = str(error).split("\n", 1)[0]
        return PublicError(
            f"{self._source.name}: {table.name}.jsonl, {place}: the database refuses a row ({why}). Nothing "
            "was imported."
        )

    def _stored(self, table: Table) -> array[int]:
        return array("q", table.rows(self._staging).values_list("pk", flat=True))

    def renumber(self, model: str, number: int) -> int:
        """The id that a row of the archive got here. Raises ValueError for a row that is not there."""
        if model not in self._ids:
            self._ids[model] = self._stored(self._tables[model])
        if not 1 <= number <= len(self._ids[model]):
            raise ValueError(f"there is no {model} {number}")
        return self._ids[model][number - 1]

    def finish(self, description: dict[str, Any], slug: str) -> None:
        """Make the staging project the one of the archive. Call it in a transaction.

        Raises PublicError; then roll the transaction back.
        """
        check_free(slug)
        project = self._staging
        self._renumber_json()
        values = project_values(description["project"]) | {"slug": slug, "staging": False}
        for name, value in values.items():
            setattr(project, name, value)
        project.created_by_id = self._users[description["project"]["created_by"]]
        try:
            project.save()
            self._put_files(description)
        except (OSError, IntegrityError) as error:
            raise PublicError(f"{self._source.name}: {error}. Nothing was imported.") from error

    def _renumber_json(self) -> None:
        """Ids within JSON and texts, which may be those of rows that came in after their own."""
        for table in tables():
            beside = [one.attname for one in table.fields if one.attname in ROW_ATTRIBUTES]
            for name in (one.name for one in table.fields if f"{table.name}.{one.name}" in WITH_IDS):
                rows = list(table.rows(self._staging).values("pk", name, *beside))
                for place, row in enumerate(rows):
                    try:
                        new = renumbered(f"{table.name}.{name}", row[name], self.renumber, row)
                    except ROW_ERRORS as error:
                        raise row_error(self._source, table.name, place + 2, error) from error
                    if new != row[name]:
                        table.model._base_manager.filter(pk=row["pk"]).update(**{name: new})

    def _put_files(self, description: dict[str, Any]) -> None:
        """Only files that rows of the project name by their hash come in, each to the place of its hash."""
        for name, place in files_of(self._staging):
            if name in description["files"] and not storage.exists(place):
                partial = storage.workspace(place) / f"{place.name}.partial"
                with self._source.opened(name) as packed, partial.open("wb") as file:
                    shutil.copyfileobj(packed, file, 1 << 20)
                storage.put(partial, place)


def _insert(model: type[models.Model], rows: list[Any]) -> None:
    """Store rows as they are. Dates that Django would set to now are kept, at a query a row."""
    if any(
        getattr(one, "auto_now_add", False) or getattr(one, "auto_now", False) for one in model._meta.fields
    ):
        for row in rows:
            row.save_base(raw=True, force_insert=True)
    else:
        model._base_manager.bulk_create(rows)
