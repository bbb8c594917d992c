"""What makes the values of a table's row from those of an archive, each checked on the way."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from corpus.models import CorpusImport
from jobs.models import ACTIVE, Job
from projects.models import AuditEntry

from .json_checking import check_json
from .references import WITH_IDS, renumbered
from .tables import ENDED, NOT_ARCHIVED_JOBS, OWN_ACTIONS, Table

Users = Callable[[str], int]
"""Name in the archive -> id of the account here. Raises ValueError."""
Renumber = Callable[[str, int], int]
"""(table, number of the row) -> its id here. Raises ValueError."""
WRONG = (ValueError, TypeError, KeyError, IndexError, AttributeError, ValidationError)
"""What `Cells` raises for a row that cannot be one of the table."""


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
        """The values of a row by attribute. Raises one of WRONG."""
        if not isinstance(row, list) or len(row) != len(self._cells):
            raise ValueError(f"a list of {len(self._cells)} values was expected")
        values = {name: read(one) for (name, read), one in zip(self._cells, row, strict=True)}
        values |= {field.attname: field.get_default() for field in self._absent}
        _check_ended(self._model, values)
        return values

    def check(self, values: dict[str, Any], renumber: Renumber) -> None:
        """Raise one of WRONG when JSON is not as its column has it, or an id within it leads nowhere."""
        for name, label in self._json:
            check_json(label, values[name], values)
        for name, label in self._with_ids:
            renumbered(label, values[name], renumber, values)


def words(error: Exception) -> str:
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
    validators = field.validators
    choices = {value for value, _ in field.flatchoices} if field.choices else None

    def read(raw: Any) -> Any:
        value = field.to_python(raw)
        if value in field.empty_values:
            return value
        if choices is not None and value not in choices:
            raise ValueError(f"{field.name} cannot be {value!r}")
        if isinstance(value, datetime) and timezone.is_naive(value):
            raise ValueError(f"{field.name} is a time without a zone")
        for validate in validators:
            validate(value)
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
