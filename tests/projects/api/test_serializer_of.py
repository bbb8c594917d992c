"""Serializers of answers made from dataclasses: fields by type, names, docstrings, nested objects."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db.models import TextChoices
from rest_framework import serializers

from projects.api.serializers import field_of, serializer_of


class Colour(TextChoices):
    RED = "red"


@dataclass(frozen=True)
class Part:
    """A part; `share` is None without one."""

    name: str
    share: float | None = None


@dataclass(frozen=True, kw_only=True)
class Whole:
    number: int
    ready: bool
    day: date
    at: datetime
    colour: Colour
    bounds: tuple[float, float] | None
    main: Part
    parts: list[Part]
    table: Any = None

    @property
    def count(self) -> int | None:
        return len(self.parts) or None


MATRIX = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
WHOLE = Whole(
    number=7, ready=True, day=date(2026, 1, 2), at=datetime(2026, 1, 2, 3, tzinfo=UTC), colour=Colour.RED,
    bounds=(0, 0.5), main=Part("a", 1), parts=[Part("b")], table=((1, 2),),
)  # fmt: skip


def test_fields_and_properties_become_json_by_their_types() -> None:
    names = ("number", "ready", "day", "at", "colour", "bounds", "main", "parts", "count")
    assert serializer_of(Whole, *names, table=MATRIX)(WHOLE).data == {
        "number": 7, "ready": True, "day": "2026-01-02", "at": "2026-01-02T03:00:00Z", "colour": "red",
        "bounds": [0.0, 0.5], "main": {"name": "a", "share": 1.0}, "parts": [{"name": "b", "share": None}],
        "count": 1, "table": [[1, 2]],
    }  # fmt: skip


def test_without_names_all_fields_are_shown() -> None:
    part = serializer_of(Part)
    assert list(part().fields) == ["name", "share"]
    assert (part.__name__, part.__doc__) == ("PartSerializer", "A part; `share` is null without one.")
    assert part().fields["share"].allow_null and not part().fields["name"].allow_null
    assert serializer_of(Part) is part  # one component of the OpenAPI document


def test_a_type_without_a_field_is_refused() -> None:
    with pytest.raises(KeyError):
        field_of(complex)
    with pytest.raises(KeyError):
        serializer_of(Part, "weight")
