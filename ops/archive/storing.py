"""Storing a project's archive in one transaction, as a new project.

Archives come from people who are trusted: a damaged one is refused, a hostile one is not looked for.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from array import array
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import DatabaseError, transaction

from paragold.formats.publishing import sha256_of
from paragold.sources.archives import DAMAGED_ZIP
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record
from projects.services.projects import check_free

from .tables import ROW_ATTRIBUTES, WITH_IDS, Table, renumbered, tables
from .writing import DESCRIPTION, OWN, ROWS_AT_ONCE, VERSION, files_of

_WRONG = (ValueError, TypeError, LookupError, FieldDoesNotExist, ValidationError, DatabaseError, OSError)
"""What rows raise that are none of their table, and files that cannot be written."""


def import_project(*, path: Path, slug: str = "", accounts: Mapping[str, str] | None = None) -> ArchiveImport:
    """Read an archive that `export_project` wrote and that is trusted, as a new project.

    `accounts` names an account here for a user of the archive, where it is not that of the same name. Raises
    PublicError, naming file and line, for an archive that is damaged, was written by another version or would
    overwrite a project; then nothing is stored.
    """
    source, description = _opened(path)
    sha256 = sha256_of(path)
    with source, transaction.atomic():
        coming = ArchiveImport(source, path, accounts or {})
        coming.store(description, slug)
        record("archive-imported", actor=None, project=coming.project, target=path.name, sha256=sha256)
    return coming


def _opened(path: Path) -> tuple[zipfile.ZipFile, dict[str, Any]]:
    """An undamaged archive, and what archive.json in it says. Raises PublicError for any other file."""
    try:
        source = zipfile.ZipFile(path)
        description: dict[str, Any] = json.loads(source.read(DESCRIPTION))
        version, described = description["archive_version"], description["tables"]
        hashes = {f"{name}.jsonl": table["sha256"] for name, table in described.items()}
        hashes |= {name: file["sha256"] for name, file in description["files"].items()}
    except (*DAMAGED_ZIP, ValueError, TypeError, LookupError) as error:
        raise PublicError(f"{path} cannot be read as a project archive: {error}.") from error
    unknown = sorted(set(described) - {table.name for table in tables()})
    if version != VERSION or unknown:
        raise PublicError(
            f"{path} was written by another version of Paragold (archive version {version}, here {VERSION}; "
            f"unknown tables: {', '.join(unknown) or 'none'}). Import it with the version that wrote it."
        )
    for name, sha256 in hashes.items():
        try:
            with source.open(name) as file:
                actual = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a ZipExtFile
        except (*DAMAGED_ZIP, KeyError) as error:
            raise PublicError(f"{path} is damaged: {name} is missing or cannot be read ({error}).") from error
        if actual != sha256:
            raise PublicError(f"{path} is damaged: {name} has another sha256 than {DESCRIPTION} says.")
    return source, description


class ArchiveImport:
    """An archive on its way in; afterwards the `project`, its `rows`, and the accounts of its users.

    Accounts that are made cannot log in until an administrator gives them a password.
    """

    project: Project

    def __init__(self, source: zipfile.ZipFile, path: Path, accounts: Mapping[str, str]) -> None:
        self.rows = 0
        self.accounts_found: list[str] = []
        self.accounts_made: list[str] = []
        self._source = source
        self._path = path
        self._place = DESCRIPTION
        self._accounts = accounts
        self._users: dict[str, int] = {}
        self._ids: dict[str, array[int]] = {}

    def store(self, description: dict[str, Any], slug: str) -> None:
        """Store it all. Raises PublicError for what models and database refuse, naming the place."""
        try:
            self._store_project(description["project"], slug)
            for table in tables():
                if table.name in description["tables"]:
                    self._store_table(table)
            self._renumber_json()
            for name, place in files_of(self.project):
                if name in description["files"] and not storage.exists(place):
                    partial = storage.workspace(place) / f"{place.name}.partial"
                    with self._source.open(name) as packed, partial.open("wb") as file:
                        shutil.copyfileobj(packed, file, 1 << 20)
                    storage.put(partial, place)
        except _WRONG as error:
            why = "; ".join(error.messages) if isinstance(error, ValidationError) else str(error).strip()
            raise PublicError(f"{self._path}: {self._place}: {why} (nothing was imported)") from error

    def _store_project(self, given: dict[str, Any], slug: str) -> None:
        fields = [
            field for field in Project._meta.concrete_fields if field.name in given and field.name not in OWN
        ]
        values = {
            field.name: field.to_python(given[field.name]) for field in fields if not field.related_model
        }
        check_free(slug := slug or values["slug"])
        creator = self._user(given["created_by"])
        self.project = Project(**values | {"slug": slug, "created_by_id": creator})
        self.project.full_clean()
        self.project.save_base(raw=True, force_insert=True)

    def _user(self, name: str) -> int:
        """The id of the account of a user of the archive. Raises PublicError for an account that is not
        there, and for one that would be used for two users: their answers would be mixed up.
        """
        if name in self._users:
            return self._users[name]
        account = self._accounts.get(name, name)
        if account in self.accounts_found + self.accounts_made:
            raise PublicError(f"The account {account!r} would be used for {name!r} and somebody else.")
        user = User.objects.filter(username=account).first()
        if user is None and account != name:
            raise PublicError(f"There is no account {account!r} here to use for {name!r}.")
        (self.accounts_found if user else self.accounts_made).append(account)
        if user is None:
            user = User(username=account, is_active=False)
            user.set_unusable_password()
            user.full_clean()
            user.save()
        self._users[name] = user.pk
        return self._users[name]

    def _store_table(self, table: Table) -> None:
        """Store the rows of a table, all earlier tables being there."""
        fields = table.model._meta.concrete_fields
        own = {f.attname: self.project.pk for f in fields if f.related_model is Project and not f.null}
        # Dates that Django would set to now are kept; rows may point at earlier ones of their table.
        is_single = any(getattr(f, "auto_now_add", False) or f.related_model is table.model for f in fields)
        ids = self._ids[table.name] = array("q")
        with self._source.open(f"{table.name}.jsonl") as file:
            self._place = f"{table.name}.jsonl, line 1"
            readers = [self._reader(table.model._meta.get_field(name)) for name in json.loads(next(file))]
            lines = enumerate(file, start=2)
            while batch := list(islice(lines, ROWS_AT_ONCE)):
                made = []
                for number, line in batch:
                    self._place = f"{table.name}.jsonl, line {number}"
                    values = zip(readers, json.loads(line), strict=True)
                    made.append(table.model(**dict(read(value) for read, value in values), **own))
                    if is_single:
                        made[-1].save_base(raw=True, force_insert=True)
                        ids.append(made[-1].pk)
                self.rows += len(made)
                if not is_single:
                    self._place = f"{table.name}.jsonl, lines {batch[0][0]} to {number}"
                    ids.extend(row.pk for row in table.model._base_manager.bulk_create(made))

    def _reader(self, field: Any) -> Callable[[Any], tuple[str, Any]]:
        """What reads a value of the field as the model checks it: the attribute and its value."""
        name, empty, target = field.attname, field.empty_values, field.related_model
        if target is User:
            return lambda raw: (name, None if raw is None else self._user(raw))
        if target is not None:
            label = str(target._meta.label)
            return lambda raw: (name, None if raw is None else self._renumber(label, raw))
        return lambda raw: (name, raw if raw in empty else field.clean(raw, None))

    def _renumber(self, model: str, number: int) -> int:
        """The id that a row of the archive got here."""
        if not 1 <= number <= len(self._ids[model]):
            raise ValueError(f"there is no {model} {number}")
        return self._ids[model][number - 1]

    def _renumber_json(self) -> None:
        """Ids within JSON and texts, which may be those of rows that came in after their own."""
        for table in tables():
            beside = [field.attname for field in table.fields if field.attname in ROW_ATTRIBUTES]
            for name in (field.name for field in table.fields if f"{table.name}.{field.name}" in WITH_IDS):
                rows = list(table.rows(self.project).values("pk", name, *beside))
                for line, row in enumerate(rows, start=2):
                    self._place = f"{table.name}.jsonl, line {line}"
                    new = renumbered(f"{table.name}.{name}", row[name], self._renumber, row)
                    if new != row[name]:
                        table.model._base_manager.filter(pk=row["pk"]).update(**{name: new})
