"""Storing a project's archive in one transaction, as a new project.

Archives come from people who are trusted: a damaged one is refused by the checksums of the zip format, wrong
values by the fields of the models and by the database.
"""

from __future__ import annotations

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

_WRONG = (
    *(*DAMAGED_ZIP, ValueError, TypeError, LookupError),
    *(FieldDoesNotExist, ValidationError, DatabaseError),
)
"""What a damaged file raises, and rows that are none of their table."""


def import_project(*, path: Path, slug: str = "", accounts: Mapping[str, str] | None = None) -> ArchiveImport:
    """Read an archive that `export_project` wrote and that is trusted, as a new project.

    `accounts` names an account here for a user of the archive, where it is not that of the same name. Raises
    PublicError, naming file and line, for an archive that is damaged, was written by another version or would
    overwrite a project; then nothing is stored.
    """
    coming = ArchiveImport(path, accounts or {})
    with transaction.atomic():
        coming.store(slug)
        sha256 = sha256_of(path)
        record("archive-imported", actor=None, project=coming.project, target=path.name, sha256=sha256)
    return coming


class ArchiveImport:
    """An archive on its way in; afterwards the `project`, its `rows`, and the accounts of its users.

    Accounts that are made cannot log in until an administrator gives them a password.
    """

    project: Project

    def __init__(self, path: Path, accounts: Mapping[str, str]) -> None:
        self.rows = 0
        self.accounts_found: list[str] = []
        self.accounts_made: list[str] = []
        self._path = path
        self._place = DESCRIPTION
        self._accounts = accounts
        self._users: dict[str, int] = {}
        self._ids: dict[str, array[int]] = {}

    def store(self, slug: str) -> None:
        """Store it all. Raises PublicError for what models and database refuse, naming the place."""
        try:
            with zipfile.ZipFile(self._path) as source:
                if damaged := source.testzip():
                    raise zipfile.BadZipFile(f"{damaged} is damaged")
                description = json.loads(source.read(DESCRIPTION))
                version, described = description["archive_version"], description["tables"]
                unknown = sorted(set(described) - {table.name for table in tables()})
                if version != VERSION or unknown:
                    raise PublicError(
                        "%(path)s was written by another version of Paragold (archive version "
                        "%(version)s, here %(present)s; unknown tables: %(unknown)s). Import it with "
                        "the version that wrote it.",
                        path=self._path,
                        version=version,
                        present=VERSION,
                        unknown=", ".join(unknown) or "none",
                    )
                self._store_project(description["project"], slug)
                for table in tables():
                    if table.name in described:
                        self._store_table(table, source)
                self._renumber_json()
                for name, place in files_of(self.project):
                    self._place = name
                    if name in description["files"] and not storage.exists(place):
                        partial = storage.workspace(place) / f"{place.name}.partial"
                        with source.open(name) as packed, partial.open("wb") as file:
                            shutil.copyfileobj(packed, file, 1 << 20)
                        storage.put(partial, place)
        except _WRONG as error:
            why = "; ".join(error.messages) if isinstance(error, ValidationError) else str(error).strip()
            raise PublicError(
                "%(path)s: %(place)s: %(why)s (nothing was imported)",
                path=self._path,
                place=self._place,
                why=why,
            ) from error

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
            raise PublicError(
                "The account %(account)r would be used for %(name)r and somebody else.",
                account=account,
                name=name,
            )
        user = User.objects.filter(username=account).first()
        if user is None and account != name:
            raise PublicError(
                "There is no account %(account)r here to use for %(name)r.", account=account, name=name
            )
        (self.accounts_found if user else self.accounts_made).append(account)
        if user is None:
            user = User(username=account, is_active=False)
            user.set_unusable_password()
            user.full_clean()
            user.save()
        self._users[name] = user.pk
        return self._users[name]

    def _store_table(self, table: Table, source: zipfile.ZipFile) -> None:
        """Store the rows of a table, all earlier tables being there."""
        fields = table.model._meta.concrete_fields
        own = {f.attname: self.project.pk for f in fields if f.related_model is Project and not f.null}
        # Dates that Django would set to now are kept; rows may point at earlier ones of their table.
        is_single = any(getattr(f, "auto_now_add", False) or f.related_model is table.model for f in fields)
        ids = self._ids[table.name] = array("q")
        self._place = f"{table.name}.jsonl, line 1"
        with source.open(f"{table.name}.jsonl") as file:
            names = json.loads(file.readline())
            readers = [self._reader(table.model._meta.get_field(name)) for name in names]
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
