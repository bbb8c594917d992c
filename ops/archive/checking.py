"""What an archive says of itself, and its rows as the fields of the models have them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from pydantic import BaseModel

from projects.errors import PublicError
from projects.models import Project

from .archive_file import ArchiveFile
from .tables import Renumber, Table, tables
from .writing import OWN, VERSION

ROW_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, ValidationError)
"""What `Cells` raises for a row that cannot be one of the table."""


class _File(BaseModel):
    sha256: str


class _Table(_File):
    rows: int


class Description(BaseModel):
    """`archive.json`."""

    archive_version: Any
    project: dict[str, Any]
    tables: dict[str, _Table]
    files: dict[str, _File]


def check_archive(source: ArchiveFile) -> Description:
    """The description of an archive all of whose files are there and undamaged.

    Raises PublicError for any other, and for one that another version of Paragold has written. Rows are not
    looked at: they are checked when they are stored.
    """
    try:
        description = Description.model_validate(source.description(), strict=True)
    except ValueError as error:  # of pydantic, too
        first = str(error).split("\n")[1:3]
        why = ":".join(first) if first else error
        raise PublicError(f"{source.name}: archive.json is damaged ({why}).") from error
    version, described = description.archive_version, description.tables
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
    for name, table in described.items():
        source.check_sha256(f"{name}.jsonl", table.sha256)
    for name, file in description.files.items():
        source.check_sha256(name, file.sha256)
    try:
        project = Project(**project_values(description.project))
        project.clean_fields(exclude=["created_by"])
        project.clean()
    except ROW_ERRORS as error:
        raise PublicError(f"{source.name}: archive.json: {_message(error)}") from error
    return description


def project_values(values: dict[str, Any]) -> dict[str, Any]:
    """The project's own settings, as its fields have them."""
    fields = [one for one in Project._meta.concrete_fields if one.name not in OWN and not one.related_model]
    return {one.name: one.to_python(values[one.name]) for one in fields if one.name in values}


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
        self, table: Table, names: Sequence[str], *, users: Callable[[Any], int], renumber: Renumber
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

    def values(self, row: Any) -> dict[str, Any]:
        """The values of a row by attribute. Raises one of ROW_ERRORS."""
        if not isinstance(row, list) or len(row) != len(self._cells):
            raise ValueError(f"a list of {len(self._cells)} values was expected")
        values = {name: read(one) for (name, read), one in zip(self._cells, row, strict=True)}
        values |= {field.attname: field.get_default() for field in self._absent}
        if not self._table.holds(values):
            raise ValueError("an archive cannot contain running work")
        return values


def _reader(field: models.Field, users: Callable[[Any], int], renumber: Renumber) -> Callable[[Any], Any]:
    """What reads a value of the field as the model would check it, raising one of ROW_ERRORS."""
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
