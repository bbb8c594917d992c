"""Whether a file is a project archive that can come in: all of it is read, and nothing is written."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, models
from django.utils import timezone

from corpus.models import CorpusImport
from jobs.models import ACTIVE, Job
from projects.errors import PublicError
from projects.models import AuditEntry, Project

from .archive_file import ArchiveFile, parsed
from .cross_checks import CrossChecks
from .json_columns import check_json
from .tables import ENDED, NOT_ARCHIVED_JOBS, OWN_ACTIONS, WITH_IDS, Table, renumbered, tables
from .writing import OWN, VERSION

PIECE = 1 << 20
LONGEST_NAME = 150
# What is stored at once: so many rows at most, and so many bytes unless one row has more.
ROWS_A_PIECE = 20_000
PIECE_BYTES = 32 << 20

Users = Callable[[str], int]
"""Name in the archive -> id of the account here. Raises ValueError."""
Renumber = Callable[[str, int], int]
"""(table, number of the row) -> its id here. Raises ValueError."""
ROW_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, ValidationError)
"""What `Cells` raises for a row that cannot be one of the table."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What an archive says of itself, and the people its rows name, sorted.

    The description has `pieces` as well: for each table the numbers of rows that are stored at once.
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
    description.pop("pieces", None)
    total, done = max(1, sum(source.sizes.values())), 0

    def report(size: int) -> None:
        nonlocal done
        done += size
        progress(min(1.0, done / total))

    rows = {name: one["rows"] for name, one in description["tables"].items()}
    checking = _Checking(source, rows, report)
    try:
        checking.user(description["project"]["created_by"])
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json: {message_of(error)}") from error
    for table in tables():
        if table.name in rows:
            checking.table(table, description["tables"][table.name]["sha256"])
    description["pieces"] = checking.pieces
    for name, file in description["files"].items():
        if digest_of(source, name) != file["sha256"]:
            raise _changed(source, name)
        report(source.sizes[name])
    return Checked(description, sorted(checking.users))


def _description(source: ArchiveFile) -> dict[str, Any]:
    """`archive.json`, of the shape it must have."""
    try:
        description: dict[str, Any] = source.description()
        version = description["archive_version"]
        described, files = description["tables"], description["files"]
        for name, table in described.items():
            if type(table["rows"]) is not int or table["rows"] < 0:
                raise ValueError(f"{name} has {table['rows']!r} rows")
        listed = [f"{name}.jsonl" for name, table in described.items() if str(table["sha256"])]
        listed += [name for name, file in files.items() if str(file["sha256"])]
        own = description["project"]
        if not isinstance(own["slug"], str) or not isinstance(own["created_by"], str):
            raise ValueError("the project has no name")
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json is damaged ({error}).") from error
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
    for name in listed:
        if name not in source.sizes:
            raise PublicError(f"{source.name} is damaged: {name} is missing.")
    try:
        project = Project(**project_values(own))
        project.clean_fields(exclude=["created_by"])
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json: {message_of(error)}") from error
    return description


def project_values(values: dict[str, Any]) -> dict[str, Any]:
    """The project's own settings, as its fields have them."""
    fields = [one for one in Project._meta.concrete_fields if one.name not in OWN and not one.related_model]
    return {one.name: one.to_python(values[one.name]) for one in fields if one.name in values}


class _Checking:
    """The rows of each table, and which people they name."""

    def __init__(self, source: ArchiveFile, rows: dict[str, int], report: Callable[[int], None]) -> None:
        self._source = source
        self._rows = rows
        self._report = report
        self._cross_checks = CrossChecks()
        self.users: set[str] = set()
        self.pieces: dict[str, list[int]] = {}

    def user(self, name: Any) -> int:
        if name not in self.users:
            if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME:
                raise ValueError(f"{str(name)[:80]!r} cannot be a user name")
            self.users.add(name)
        return 0

    def table(self, table: Table, sha256: str) -> None:
        """Hold a table's file against its hash, and each of its rows against the fields."""
        name = f"{table.name}.jsonl"
        digest, here, read = hashlib.sha256(), 0, 0
        cells: Cells | None = None
        pieces = self.pieces[table.name] = [0]
        room = PIECE_BYTES

        def earlier(label: str, given: Any) -> int:
            """A row before this one."""
            return self._number(label, given, here if label == table.name else self._rows.get(label, 0))

        def anywhere(label: str, given: Any) -> int:
            return self._number(label, given, self._rows.get(label, 0))

        with closing(self._source.lines(name)) as lines:
            for number, line in lines:
                digest.update(line)
                read += len(line)
                if read > PIECE:
                    self._report(read)
                    read = 0
                try:
                    row = parsed(line)
                    if cells is None:
                        cells = Cells(table, row, users=self.user, renumber=earlier)
                        continue
                    values = cells.values(row)
                    cells.check(values, anywhere)
                    self._cross_checks.check(table.name, values)
                except ROW_ERRORS as error:
                    if digest_of(self._source, name) != sha256:
                        break
                    raise row_error(self._source, table.name, number, error) from error
                here += 1
                if pieces[-1] == ROWS_A_PIECE or (pieces[-1] and len(line) > room):
                    pieces.append(0)
                    room = PIECE_BYTES
                pieces[-1] += 1
                room -= len(line)
        if digest.hexdigest() != sha256:
            raise _changed(self._source, name)
        if cells is None or here != self._rows[table.name]:
            raise PublicError(
                f"{self._source.name}: {name} has {here:,} rows, but archive.json says "
                f"{self._rows[table.name]:,}."
            )
        self._report(read)

    def _number(self, label: str, number: Any, rows: int) -> int:
        if type(number) is not int or not 1 <= number <= rows:
            raise ValueError(f"there is no {label} {number}")
        return number


def row_error(source: ArchiveFile, table: str, line: int, error: Exception) -> PublicError:
    return PublicError(
        f"{source.name}: {table}.jsonl, line {line}: {message_of(error)}. Nothing was imported."
    )


def refused_rows(
    source: ArchiveFile, table: str, lines: tuple[int, int], error: DatabaseError
) -> PublicError:
    """What the database said of rows that it took together, from the first of `lines` to the last."""
    first, last = lines
    place = f"line {first}" if first == last else f"lines {first} to {last}"
    why = str(error).split("\n", 1)[0]
    return PublicError(
        f"{source.name}: {table}.jsonl, {place}: the database refuses a row ({why}). Nothing was imported."
    )


def digest_of(source: ArchiveFile, name: str) -> str:
    """The SHA-256 of a whole file."""
    digest = hashlib.sha256()
    with source.opened(name) as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _changed(source: ArchiveFile, name: str) -> PublicError:
    return PublicError(f"{source.name} is damaged: {name} has another sha256 than archive.json says.")


class Cells:
    """Reads rows of `table` whose values are in the order of `names`.

    Raises ValueError for names that the table does not have, and for missing ones without a default.
    """

    def __init__(self, table: Table, names: Sequence[str], *, users: Users, renumber: Renumber) -> None:
        fields = {field.name: field for field in table.fields}
        if unknown := sorted(set(names) - set(fields)):
            raise ValueError(f"fields that are not known here ({', '.join(unknown)})")
        if len(set(names)) < len(names):
            raise ValueError("a field is named twice")
        self._absent = [field for name, field in fields.items() if name not in names]
        if missing := [field.name for field in self._absent if not _has_default(field)]:
            raise ValueError(f"the fields {', '.join(missing)} are missing")
        self._model = table.model
        self._cells = [(fields[name].attname, _reader(fields[name], users, renumber)) for name in names]
        self._json = [
            (name, f"{table.name}.{name}") for name in fields if isinstance(fields[name], models.JSONField)
        ]
        # Ids within JSON may be those of later rows: they are looked at here, and changed at the end.
        self._with_ids = [
            (fields[name].attname, label) for name in fields if (label := f"{table.name}.{name}") in WITH_IDS
        ]

    def values(self, row: Any) -> dict[str, Any]:
        """The values of a row by attribute. Raises one of ROW_ERRORS."""
        if not isinstance(row, list) or len(row) != len(self._cells):
            raise ValueError(f"a list of {len(self._cells)} values was expected")
        values = {name: read(one) for (name, read), one in zip(self._cells, row, strict=True)}
        values |= {field.attname: field.get_default() for field in self._absent}
        _check_ended(self._model, values)
        return values

    def check(self, values: dict[str, Any], renumber: Renumber) -> None:
        """Raise one of ROW_ERRORS when JSON is not as its column has it, or an id within it leads nowhere."""
        for name, label in self._json:
            check_json(label, values[name], values)
        for name, label in self._with_ids:
            renumbered(label, values[name], renumber, values)


def message_of(error: Exception) -> str:
    """What is wrong with a row, for people to read."""
    return "; ".join(error.messages) if isinstance(error, ValidationError) else str(error)


def _has_default(field: models.Field) -> bool:
    return field.null or field.has_default() or (field.blank and field.empty_strings_allowed)


def _reader(field: models.Field, users: Users, renumber: Renumber) -> Callable[[Any], Any]:
    target = field.related_model
    read: Callable[[Any], Any]
    if target is User:
        read = users
    elif target is not None:
        label = str(target._meta.label)

        def read(number: Any) -> int:
            return renumber(label, number)
    elif isinstance(field, models.BinaryField):

        def read(text: Any) -> bytes:
            return base64.b64decode(text, validate=True)
    else:
        read = _plain_reader(field)

    def filled(value: Any) -> Any:
        if value is not None:
            return read(value)
        if not field.null and not isinstance(field, models.JSONField):
            raise ValueError(f"{field.name} is empty")
        return None

    return filled


def _plain_reader(field: models.Field) -> Callable[[Any], Any]:
    choices = {value for value, _ in field.flatchoices} if field.choices else None

    def read(raw: Any) -> Any:
        value = field.to_python(raw)
        if value in field.empty_values:
            return value
        if choices is not None and value not in choices:
            raise ValueError(f"{field.name} cannot be {value!r}")
        if isinstance(value, datetime) and timezone.is_naive(value):
            raise ValueError(f"{field.name} is a time without a zone")
        field.run_validators(value)
        return value

    return read


def _check_ended(model: type[models.Model], values: dict[str, Any]) -> None:
    """An archive holds no work that is under way, no object that is being deleted, nothing about archives."""
    if model is Job:
        wrong = values["state"] in ACTIVE or values["kind"] in NOT_ARCHIVED_JOBS
    elif model is CorpusImport:
        wrong = values["state"] not in ENDED
    else:
        wrong = model is AuditEntry and values["action"] in OWN_ACTIONS
    if wrong or values.get("deleted_at") is not None:
        raise ValueError("no archive holds work that is under way")
