"""Whether a file is a project archive that can come in: all of it is read, and nothing is written."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from projects.errors import PublicError
from projects.models import Project

from .archive_file import ArchiveFile, parsed
from .cross_checks import CrossChecks
from .json_columns import DESCRIPTION, SCHEMAS, check, check_json
from .tables import WITH_IDS, Renumber, Table, renumbered, tables
from .writing import OWN, VERSION

MAX_NAME_LENGTH = 150
# What is stored at once: so many rows at most, and so many bytes unless one row has more.
ROWS_A_PIECE = 20_000
PIECE_BYTES = 32 << 20

ROW_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, ValidationError)
"""What `Cells` raises for a row that cannot be one of the table."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What an archive says of itself, and the people its rows name, sorted.

    The description has `pieces` as well: (table, first row, number of rows) of what is stored at once.
    """

    description: dict[str, Any]
    users: list[str]


def check_archive(source: ArchiveFile, progress: Callable[[float], None] = lambda share: None) -> Checked:
    """Read all of an archive. `progress` takes the share that is done, 0 to 1.

    Raises PublicError, naming file and line, for an archive that is damaged, was written by a newer version,
    or has a row that no project has. What only the database can find, such as rows that
    must be unique, is found when they are stored.
    """
    description = _description(source)
    total, done = max(1, sum(source.sizes.values())), 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        progress(min(1.0, done / total))

    checking = _Checking(source, description, report)
    for table in tables():
        if table.name in description["tables"]:
            checking.table(table)
    for name, file in description["files"].items():
        if source.sha256(name) != file["sha256"]:
            raise source.changed(name)
        report(source.sizes[name])
    return Checked(description | {"pieces": checking.pieces}, sorted(checking.users))


def _description(source: ArchiveFile) -> dict[str, Any]:
    """`archive.json`, of the shape it must have."""
    try:
        description: dict[str, Any] = source.description()
        check("it", DESCRIPTION, description)
    except ValueError as error:
        raise PublicError(f"{source.name}: archive.json is damaged ({error}).") from error
    version, described = description["archive_version"], description["tables"]
    if type(version) is int and version < VERSION:
        raise PublicError(
            f"{source.name} was written by an older version of Paragold (archive version {version}; this one "
            f"reads version {VERSION}). Import it into an installation of that older version."
        )
    unknown = sorted(set(described) - {table.name for table in tables()})
    if version != VERSION or unknown:
        what = f"unknown tables ({', '.join(unknown)})" if unknown else f"version {version}"
        raise PublicError(
            f"{source.name} has {what}: it comes from another version of Paragold. Update this one."
        )
    for name in (*(f"{table}.jsonl" for table in described), *description["files"]):
        if name not in source.sizes:
            raise PublicError(f"{source.name} is damaged: {name} is missing.")
    try:
        project = Project(**project_values(description["project"]))
        project.clean_fields(exclude=["created_by"])
        project.clean()
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json: {_message(error)}") from error
    return description


def project_values(values: dict[str, Any]) -> dict[str, Any]:
    """The project's own settings, as its fields have them."""
    fields = [one for one in Project._meta.concrete_fields if one.name not in OWN and not one.related_model]
    return {one.name: one.to_python(values[one.name]) for one in fields if one.name in values}


class _Checking:
    """The rows of each table, and which people they name."""

    def __init__(
        self, source: ArchiveFile, description: dict[str, Any], report: Callable[[int], None]
    ) -> None:
        self._source = source
        self._tables = description["tables"]
        self._report = report
        self._cross_checks = CrossChecks()
        self.users: set[str] = {description["project"]["created_by"]}
        self.pieces: list[tuple[str, int, int]] = []

    def _user(self, name: Any) -> int:
        if name not in self.users:
            if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME_LENGTH:
                raise ValueError(f"{str(name)[:80]!r} cannot be a user name")
            self.users.add(name)
        return 0

    def table(self, table: Table) -> None:
        """Hold a table's file against its hash, and each of its rows against the fields."""
        name, expected = f"{table.name}.jsonl", self._tables[table.name]
        digest = hashlib.sha256()
        here = start = size = 0
        cells: Cells | None = None

        def earlier(label: str, number: Any) -> int:
            """A row before this one."""
            return _existing(label, number, here if label == table.name else self._rows(label))

        def anywhere(label: str, number: Any) -> int:
            return _existing(label, number, self._rows(label))

        with closing(self._source.lines(name)) as lines:
            for number, line in lines:
                digest.update(line)
                self._report(len(line))
                try:
                    row = parsed(line)
                    if cells is None:
                        cells = Cells(table, row, users=self._user, renumber=earlier)
                        continue
                    values = cells.values(row)
                    cells.check(values, anywhere)
                    self._cross_checks.check(table.name, values)
                except ROW_ERRORS as error:
                    if self._source.sha256(name) != expected["sha256"]:
                        break
                    raise row_error(self._source, table.name, number, error) from error
                if here > start and (here - start == ROWS_A_PIECE or size + len(line) > PIECE_BYTES):
                    self.pieces.append((table.name, start, here - start))
                    start, size = here, 0
                here += 1
                size += len(line)
        if digest.hexdigest() != expected["sha256"]:
            raise self._source.changed(name)
        if cells is None or here != expected["rows"]:
            raise PublicError(
                f"{self._source.name}: {name} has {here:,} rows, but archive.json says {expected['rows']:,}."
            )
        if here > start:
            self.pieces.append((table.name, start, here - start))

    def _rows(self, label: str) -> int:
        return int(self._tables[label]["rows"]) if label in self._tables else 0


def _existing(label: str, number: Any, rows: int) -> int:
    if type(number) is not int or not 1 <= number <= rows:
        raise ValueError(f"there is no {label} {number}")
    return number


def row_error(source: ArchiveFile, table: str, line: int, error: Exception) -> PublicError:
    return PublicError(f"{source.name}: {table}.jsonl, line {line}: {_message(error)}. Nothing was imported.")


def _message(error: Exception) -> str:
    """What is wrong with a row, for people to read."""
    return "; ".join(error.messages) if isinstance(error, ValidationError) else str(error)


class Cells:
    """Reads rows of `table` whose values are in the order of `names`.

    `users` and `renumber` give the ids of accounts and of other rows here; they raise ValueError for others.
    Raises ValueError for names that the table does not have, and for missing ones without a default.
    """

    def __init__(
        self, table: Table, names: Sequence[str], *, users: Callable[[str], int], renumber: Renumber
    ) -> None:
        fields = {field.name: field for field in table.fields}
        if unknown := sorted(set(names) - set(fields)):
            raise ValueError(f"fields that are not known here ({', '.join(unknown)})")
        if len(set(names)) < len(names):
            raise ValueError("a field is named twice")
        self._absent = [field for name, field in fields.items() if name not in names]
        if missing := [
            field.name
            for field in self._absent
            if not (field.null or field.has_default() or (field.blank and field.empty_strings_allowed))
        ]:
            raise ValueError(f"the fields {', '.join(missing)} are missing")
        self._table = table
        self._cells = [(fields[name].attname, _reader(fields[name], users, renumber)) for name in names]
        labels = {name: f"{table.name}.{name}" for name in fields}
        self._json = [(name, label) for name, label in labels.items() if label in SCHEMAS]
        # Ids within JSON may be those of later rows: they are looked at here, and changed at the end.
        self._with_ids = [(name, label) for name, label in labels.items() if label in WITH_IDS]

    def values(self, row: Any) -> dict[str, Any]:
        """The values of a row by attribute. Raises one of ROW_ERRORS."""
        if not isinstance(row, list) or len(row) != len(self._cells):
            raise ValueError(f"a list of {len(self._cells)} values was expected")
        values = {name: read(one) for (name, read), one in zip(self._cells, row, strict=True)}
        values |= {field.attname: field.get_default() for field in self._absent}
        if not self._table.holds(values):
            raise ValueError("an archive cannot contain running work")
        return values

    def check(self, values: dict[str, Any], renumber: Renumber) -> None:
        """Raise one of ROW_ERRORS when JSON is not as its column has it, or an id within it leads nowhere."""
        for name, label in self._json:
            check_json(label, values[name], values)
        for name, label in self._with_ids:
            renumbered(label, values[name], renumber, values)


def _reader(field: models.Field, users: Callable[[str], int], renumber: Renumber) -> Callable[[Any], Any]:
    """What reads a value of the field, raising one of ROW_ERRORS."""
    may_be_null = field.null or isinstance(field, models.JSONField)
    is_binary, is_time = isinstance(field, models.BinaryField), isinstance(field, models.DateTimeField)
    target, to_python, empty_values = field.related_model, field.to_python, field.empty_values
    choices = {value for value, _ in field.flatchoices}

    def read(raw: Any) -> Any:
        if raw is None:
            if not may_be_null:
                raise ValueError(f"{field.name} is empty")
            return None
        if target is not None:
            return users(raw) if target is User else renumber(target._meta.label, raw)
        if is_binary:
            return base64.b64decode(raw, validate=True)
        value = to_python(raw)
        if value in empty_values:
            return value
        if choices and value not in choices:
            raise ValueError(f"{field.name} cannot be {value!r}")
        if is_time and timezone.is_naive(value):
            raise ValueError(f"{field.name} is a time without a time zone")
        field.run_validators(value)
        return value

    return read
