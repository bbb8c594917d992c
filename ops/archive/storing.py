"""Storing a project's archive: the project is visible when all of it is stored.

Rows wait in a project that nobody sees, as those of other imports do, so that nobody else waits for a long
transaction (docs/adr/0010-imports-are-staged.md). It becomes the project in one step at the end.
"""

from __future__ import annotations

import shutil
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, DataError, IntegrityError, models, transaction
from django.db.models import ProtectedError

from corpus.services.uploads import leftovers_before
from paragold.formats.manifest import sha256_of
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record
from projects.services.projects import check_free

from .archive_file import ArchiveFile, parsed
from .checking import ROW_ERRORS, Cells, Description, check_archive, project_values, row_error
from .tables import ROW_ATTRIBUTES, WITH_IDS, Table, renumbered, tables
from .writing import ROWS_AT_ONCE, files_of

STAGING = "~archive-"
MAX_NAME_LENGTH = 150


@dataclass(frozen=True, slots=True)
class ImportedProject:
    """The imported project, its number of rows, and the accounts that were used or made."""

    project: Project
    rows: int
    accounts_found: list[str]
    accounts_made: list[str]


def import_project(
    *, path: Path, slug: str = "", accounts: Mapping[str, str] | None = None
) -> ImportedProject:
    """Read an archive that `export_project` wrote and that is trusted, as a new project.

    `accounts` names an account here for a user of the archive (see `Accounts`). Raises PublicError, naming
    file and line, for an archive that is damaged, was written by another version or would overwrite a
    project; then nothing is stored.
    """
    with ArchiveFile(path) as source:
        description = check_archive(source)
        check_free(slug := slug or project_values(description.project)["slug"])
        people = Accounts(accounts or {})
        staging: Project | None = None
        try:
            with transaction.atomic():
                staging = _open_staging(source, description, people)
            storing = _Storing(source, staging, people)
            for table in tables():
                if table.name in description.tables:
                    storing.store(table, description.tables[table.name].rows)
            with transaction.atomic():
                storing.finish(description, slug)
                record(
                    "archive-imported", actor=None, project=staging, target=path.name, sha256=sha256_of(path)
                )
        except BaseException:
            if staging is not None:
                discard(staging.pk)
            forget_accounts(people.made)
            raise
    rows = sum(table.rows for table in description.tables.values())
    there = User.objects.filter(pk__in=people.ids.values()).exclude(username__in=people.made)
    found = there.order_by("username").values_list("username", flat=True)
    return ImportedProject(staging, rows, list(found), sorted(people.made))


class Accounts:
    """The account here for each user of an archive: `ids` by the archive's names, found or made when needed.

    `chosen` names another account than that of the same name. Accounts that are `made` cannot log in until an
    administrator gives them a password.
    """

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self._used: dict[str, str] = {}
        self.ids: dict[str, int] = {}
        self.made: list[str] = []

    def id_of(self, name: Any) -> int:
        """The id of a user's account. Raises ValueError for what is no name, PublicError for an account that
        is not there, and for one that would be used for two users: their answers would be mixed up.
        """
        if name in self.ids:
            return self.ids[name]
        if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise ValueError(f"{str(name)[:80]!r} cannot be a user name")
        account = self._chosen.get(name, name)
        if account in self._used:
            raise PublicError(
                f"The account {account!r} would be used for both {self._used[account]!r} and {name!r}."
            )
        self._used[account] = name
        user = User.objects.filter(username=account).first()
        if user is None and account != name:
            raise PublicError(f"There is no account {account!r} here to use for {name!r}.")
        self.ids[name] = (user or self._make(account)).pk
        return self.ids[name]

    def _make(self, account: str) -> User:
        user = User(username=account, is_active=False)
        user.set_unusable_password()
        try:
            user.full_clean()
        except ValidationError as error:
            raise PublicError(
                f"No account {account!r} can be made: {'; '.join(error.messages)} Choose another for it."
            ) from error
        user.save()
        self.made.append(account)
        return user


def forget_accounts(names: Iterable[str]) -> None:
    """Remove accounts that were made for an import that came to nothing, unless they are in use by now."""
    for account in User.objects.filter(username__in=list(names), is_active=False, last_login=None):
        if not account.has_usable_password() and not account.memberships.exists():
            try:
                with transaction.atomic():
                    account.delete()
            except ProtectedError:
                continue


def _open_staging(source: ArchiveFile, description: Description, people: Accounts) -> Project:
    """A project that rows wait in."""
    try:
        by = people.id_of(description.project.get("created_by"))
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json: created_by: {error}.") from error
    return Project.everything.create(
        slug=f"{STAGING}{uuid4().hex}", name="An archive", created_by_id=by, staging=True
    )


def discard(staging_id: int) -> None:
    """Remove a staging project with all its rows, without loading them."""
    staging = Project.everything.filter(pk=staging_id, staging=True).first()
    if staging is None:
        return
    for table in reversed(tables()):
        table.rows(staging).order_by()._raw_delete(DEFAULT_DB_ALIAS)
    staging.delete()


def sweep_staging() -> None:
    """Remove what imports that were killed UPLOADS_DAYS ago or more have left."""
    limit = datetime.fromtimestamp(leftovers_before(), UTC)
    for left in Project.everything.filter(staging=True, slug__startswith=STAGING, created_at__lt=limit):
        discard(left.pk)


class _Storing:
    """An archive on its way into a staging project."""

    def __init__(self, source: ArchiveFile, staging: Project, people: Accounts) -> None:
        self._source = source
        self._staging = staging
        self._people = people
        self._tables = {table.name: table for table in tables()}
        self._ids: dict[str, array[int]] = {}

    def store(self, table: Table, expected: int) -> None:
        """Store the rows of a table, all earlier tables being there.

        Raises PublicError, naming the line, for rows that the models or the database refuse.
        """
        fields = table.model._meta.concrete_fields
        own = next((one.attname for one in fields if one.related_model is Project), None)
        always = {own: self._staging.pk} if own else {}
        # A row that may point at one before it in the same table has to find that one stored.
        to_itself = any(one.related_model is table.model for one in fields)
        new = self._ids[table.name] = array("q")
        stored = 0
        with closing(self._source.lines(f"{table.name}.jsonl")) as lines:
            cells = self._cells(table, lines)
            while rows := list(islice(lines, ROWS_AT_ONCE)):
                with transaction.atomic():
                    waiting = iter(rows)
                    while batch := list(islice(waiting, 1 if to_itself else ROWS_AT_ONCE)):
                        made = self._insert(table, cells, always, batch)
                        if to_itself:
                            new.extend(one.pk for one in made)
                stored += len(rows)
        if stored != expected:
            raise PublicError(
                f"{self._source.name}: {table.name}.jsonl has {stored:,} rows, but archive.json says "
                f"{expected:,}. Nothing was imported."
            )
        # Read again from the database when needed.
        del self._ids[table.name]

    def _cells(self, table: Table, lines: Iterator[tuple[int, bytes]]) -> Cells:
        try:
            names = parsed(next(lines, (1, b""))[1])
            return Cells(table, names, users=self._people.id_of, renumber=self.renumber)
        except ROW_ERRORS as error:
            raise row_error(self._source, table.name, 1, error) from error

    def _insert(
        self, table: Table, cells: Cells, always: Mapping[str, Any], rows: list[tuple[int, bytes]]
    ) -> list[Any]:
        """Store rows together."""
        made: list[Any] = []
        try:
            made.extend(table.model(**cells.values(parsed(line)), **always) for _, line in rows)
            with transaction.atomic():
                _insert(table.model, made)
        except ROW_ERRORS as error:
            line = rows[min(len(made), len(rows) - 1)][0]
            raise row_error(self._source, table.name, line, error) from error
        except (IntegrityError, DataError) as error:
            raise self._refused(table, rows[0][0], rows[-1][0], error) from error
        return made

    def _refused(self, table: Table, first: int, last: int, error: DatabaseError) -> PublicError:
        """What the database said of rows that it took together."""
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        why = str(error).split("\n", 1)[0]
        return PublicError(
            f"{self._source.name}: {table.name}.jsonl, {place}: the database refuses a row ({why}). Nothing "
            "was imported."
        )

    def renumber(self, model: str, number: int) -> int:
        """The id that a row of the archive got here. Raises ValueError for a row that is not there."""
        if model not in self._ids:
            rows = self._tables[model].rows(self._staging)
            self._ids[model] = array("q", rows.values_list("pk", flat=True))
        if type(number) is not int or not 1 <= number <= len(self._ids[model]):
            raise ValueError(f"there is no {model} {number}")
        return self._ids[model][number - 1]

    def finish(self, description: Description, slug: str) -> None:
        """Make the staging project the one of the archive. Call it in a transaction.

        Raises PublicError; then roll the transaction back.
        """
        check_free(slug)
        project = self._staging
        self._renumber_json()
        values = project_values(description.project) | {"slug": slug, "staging": False}
        for name, value in values.items():
            setattr(project, name, value)
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

    def _put_files(self, description: Description) -> None:
        """Only files that rows of the project name by their hash come in, each to the place of its hash."""
        for name, place in files_of(self._staging):
            if name in description.files and not storage.exists(place):
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
