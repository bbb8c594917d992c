"""What every request body, and every set of filters, has in common: unknown fields are refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from paragold.spec import LARGEST_SEED as LARGEST_SEED

LARGEST_ID = 2**63 - 1
M = TypeVar("M", bound=Model)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not have, naming each."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields, "field")
        return super().to_internal_value(data)


def refuse_unknown(given: Iterable[Any], known: Iterable[str], noun: str) -> None:
    """Raise ValidationError that names every unknown field or filter, and those there are."""
    names = ", ".join(sorted(known))
    there_are = f"There is no such {noun}; there are: {names}." if names else f"There are no {noun}s here."
    unknown = {str(name): [there_are] for name in sorted(map(str, set(given) - set(known)))}
    if unknown:
        raise ValidationError(unknown)


class WholeListSerializer(serializers.Serializer[Any]):
    """A list without further pages, in the shape of those that have them."""

    next = serializers.CharField(
        read_only=True, allow_null=True, default=None, help_text="Always null: there are no further pages."
    )


class StrictSchema(OpenApiSerializerExtension):
    """Says of the fields that a strict serializer has that there are no others."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema | {"additionalProperties": False}


class IdField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)


class SeedField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=LARGEST_SEED, **options)


class Usernames(serializers.ListField):
    child = serializers.CharField(max_length=150)

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_empty=False, max_length=1000, **options)


def found(rows: QuerySet[M], ids: Sequence[int], *, field: str) -> list[M]:
    """The rows of these ids, in that order. Raises ValidationError for one that is not among `rows`."""
    by_id: dict[int, M] = rows.in_bulk(list(ids))
    missing = [str(pk) for pk in ids if pk not in by_id]
    if missing:
        raise ValidationError({field: [f"Not in this project: {', '.join(missing)}."]})
    return [by_id[pk] for pk in dict.fromkeys(ids)]


def with_rows(fields: Mapping[str, Any], **rows: QuerySet[Any]) -> dict[str, Any]:
    """The fields with rows in place of ids, where any are given: `gold_set=project.gold_sets.all()`.

    A field that is a list of ids becomes a list of rows. Raises ValidationError as `found` does.
    """
    chosen = dict(fields)
    for name, known in rows.items():
        given = fields.get(name)
        if isinstance(given, list):
            chosen[name] = found(known, given, field=name)
        elif given is not None:
            chosen[name] = found(known, [given], field=name)[0]
    return chosen
