"""Reading a project's archive into an installation: all of it or nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from corpus.errors import PublicError
from corpus.models import Project

from .references import WITH_IDS, renumbered
from .tables import Table, tables
from .writing import OWN, ROWS_AT_ONCE, VERSION, files_of

PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class ImportedProject:
    """What came in: rows by table, and whose accounts were found or made."""

    project: Project
    rows: Mapping[str, int]
    accounts_found: list[str]
    accounts_made: list[str]


def import_project(
    *, path: Path, slug: str = "", accounts: Mapping[str, str] | None = None
) -> ImportedProject:
    """Read an archive that `export_project` wrote, as a new project.

    `accounts` says which account here stands for a user of the archive. Anybody else is taken to be the
    account of the same name; where there is none, one is made that cannot log in until an administrator
    gives it a password. Raises PublicError, naming file and line, for an archive that is damaged, was
    written by a newer version or would overwrite a project; then nothing is stored.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            description = _checked(archive, path)
            reading = _Reading(archive, path, dict(accounts or {}))
            with transaction.atomic():
                project = reading.project(description, slug)
                rows = {
                    name: reading.table(table, project)
                    for table in tables()
                    if (name := table.name) in description["tables"]
                }
                reading.renumber_json(project)
                _put_files(archive, description, project)
    except (OSError, zipfile.BadZipFile) as error:
        raise PublicError(f"{path} cannot be read as a project archive: {error}.") from error
    return ImportedProject(project, rows, sorted(reading.found), sorted(reading.made))


def _checked(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    """`archive.json`, after every file was held against its hash."""
    names = set(archive.namelist())
    if "archive.json" not in names:
        raise PublicError(f"{path} is no project archive: it holds no archive.json.")
    try:
        description: dict[str, Any] = json.loads(archive.read("archive.json"))
        version, listed = description["archive_version"], _listed(description)
        description["project"]["slug"], description["project"]["created_by"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PublicError(f"{path}: archive.json is damaged ({error}).") from error
    known = {table.name for table in tables()}
    unknown = sorted(set(description["tables"]) - known)
    if version != VERSION or unknown:
        what = f"unknown tables ({', '.join(unknown)})" if unknown else f"version {version}"
        raise PublicError(f"{path} has {what}: it comes from another version of Paragold. Update this one.")
    for name, sha256 in listed.items():
        if name not in names:
            raise PublicError(f"{path} is damaged: {name} is missing.")
        with archive.open(name) as file:
            if _digest(file) != sha256:
                raise PublicError(f"{path} is damaged: {name} has another sha256 than archive.json says.")
    return description


def _listed(description: dict[str, Any]) -> dict[str, str]:
    found = {f"{name}.jsonl": table["sha256"] for name, table in description["tables"].items()}
    return found | {name: one["sha256"] for name, one in description["files"].items()}


def _digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := file.read(PIECE):
        digest.update(piece)
    return digest.hexdigest()


@dataclass(slots=True)
class _Reading:
    """An archive on its way into the database; `ids` are those that rows got here, by table and place."""

    archive: zipfile.ZipFile
    path: Path
    accounts: dict[str, str]
    ids: dict[str, array[int]] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    found: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)

    def project(self, description: dict[str, Any], slug: str) -> Project:
        values = dict(description["project"])
        values["slug"] = slug or values["slug"]
        if Project.everything.filter(slug=values["slug"]).exists():
            raise PublicError(
                f"There is a project {values['slug']!r} already. Give the new one another name, with --slug."
            )
        project = Project(**_project_values(values))
        project.created_by = self.user(values["created_by"])
        try:
            project.clean_fields()
        except ValidationError as error:
            raise PublicError(f"{self.path}: archive.json: {'; '.join(error.messages)}") from error
        project.save_base(raw=True, force_insert=True)
        return project

    def table(self, table: Table, project: Project) -> int:
        """Store all rows; returns their number."""
        new = self.ids[table.name] = array("q")
        names, lines = self._lines(table)
        setters = self._setters(table, names)
        fields = table.model._meta.concrete_fields
        own = next((one.attname for one in fields if one.related_model is Project), None)
        # A row that may point at one before it in the same table has to find that one stored.
        at_once = 1 if any(one.related_model is table.model for one in fields) else ROWS_AT_ONCE
        while rows := list(islice(lines, at_once)):
            made = []
            for number, row in rows:
                try:
                    values = {name: read(one) for (name, read), one in zip(setters, row, strict=True)}
                except (ValueError, TypeError, IndexError, ValidationError) as error:
                    raise self._error(table, number, error) from error
                made.append(table.model(**values, **({own: project.pk} if own else {})))
            try:
                _insert(table.model, made)
            except IntegrityError as error:
                raise self._error(table, rows[0][0], error) from error
            new.extend(one.pk for one in made)
        return len(new)

    def _lines(self, table: Table) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
        """The names of the fields, and (line, values) of each row."""
        file = self.archive.open(f"{table.name}.jsonl")
        known = {one.name for one in table.fields}
        names = json.loads(file.readline())
        if unknown := sorted(set(names) - known):
            raise PublicError(
                f"{self.path}: {table.name} has fields that are not known here ({', '.join(unknown)}). "
                "It was written by a newer version of Paragold: update this one."
            )
        return names, ((number, json.loads(line)) for number, line in enumerate(file, start=2))

    def _setters(self, table: Table, names: list[str]) -> list[tuple[str, Callable[[Any], Any]]]:
        fields = {one.name: one for one in table.fields}
        return [self._setter(fields[name]) for name in names]

    def _setter(self, one: models.Field) -> tuple[str, Callable[[Any], Any]]:
        """The attribute that a field fills, and what makes its value from that of the archive."""
        target = one.related_model
        if target is User:
            return one.attname, lambda value: None if value is None else self.user(value).pk
        if target is not None:
            label = str(target._meta.label)
            return one.attname, lambda value: None if value is None else self.renumber(label, value)
        read = base64.b64decode if isinstance(one, models.BinaryField) else one.to_python
        return one.attname, lambda value: None if value is None else read(value)

    def renumber_json(self, project: Project) -> None:
        """Ids within JSON and texts, which may be those of rows that came in after their own."""
        for table in tables():
            for name in (one.name for one in table.fields if f"{table.name}.{one.name}" in WITH_IDS):
                rows = list(table.rows(project).values_list("pk", name))
                for pk, value in rows:
                    try:
                        new = renumbered(f"{table.name}.{name}", value, self.renumber)
                    except (ValueError, TypeError, KeyError, AttributeError) as error:
                        raise self._error(table, self.ids[table.name].index(pk) + 2, error) from error
                    if new != value:
                        table.model._base_manager.filter(pk=pk).update(**{name: new})

    def renumber(self, model: str, number: int) -> int:
        if not 1 <= number <= len(self.ids[model]):
            raise ValueError(f"there is no {model} {number}")
        return self.ids[model][number - 1]

    def user(self, name: str) -> User:
        """The account that stands for a user of the archive."""
        if name not in self.users:
            here = self.accounts.get(name, name)
            account = User.objects.filter(username=here).first()
            if account is None and name in self.accounts:
                raise PublicError(f"There is no account {here!r} here, which was to stand for {name!r}.")
            if account is None:
                account = _account(here)
                self.made.add(here)
            else:
                self.found.add(here)
            self.users[name] = account
        return self.users[name]

    def _error(self, table: Table, line: int, error: Exception) -> PublicError:
        return PublicError(f"{self.path}: {table.name}.jsonl, line {line}: {error}. Nothing was imported.")


def _account(name: str) -> User:
    """A new account that cannot log in."""
    account = User(username=name, is_active=False)
    account.set_unusable_password()
    try:
        account.full_clean()
    except ValidationError as error:
        raise PublicError(f"{name!r} cannot be a user name: {'; '.join(error.messages)}") from error
    account.save()
    return account


def _project_values(values: dict[str, Any]) -> dict[str, Any]:
    fields = [one for one in Project._meta.concrete_fields if one.name not in OWN and not one.related_model]
    return {one.name: one.to_python(values[one.name]) for one in fields if one.name in values}


def _insert(model: type[models.Model], rows: list[Any]) -> None:
    """Store rows as they are. Dates that Django would set to now are kept, at a query a row."""
    if any(
        getattr(one, "auto_now_add", False) or getattr(one, "auto_now", False) for one in model._meta.fields
    ):
        for row in rows:
            row.save_base(raw=True, force_insert=True)
    else:
        model._base_manager.bulk_create(rows)


def _put_files(archive: zipfile.ZipFile, description: dict[str, Any], project: Project) -> None:
    """Only files that rows of the project name by their hash come in, each to the place of its hash."""
    for name, place in files_of(project):
        if name in description["files"] and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            partial = place.with_name(f"{place.name}.partial")
            partial.write_bytes(archive.read(name))
            partial.replace(place)
