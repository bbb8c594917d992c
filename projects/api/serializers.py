"""Serializers of requests, which refuse unknown fields by name; the parameters of a Spec are their fields."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from paragold.problems import PROBLEMS_SHOWN, further
from paragold.spec import LARGEST_SEED as LARGEST_SEED, Parameter, Spec, SpecError

LARGEST_ID = 2**63 - 1
MAX_WORD_LENGTH = 200
MAX_WORDS = 1000
MAX_PARAMETERS = 200
"""Entries of an object that names parameters or filters; which there are is checked after that."""
M = TypeVar("M", bound=Model)
ApiField = serializers.Field[Any, Any, Any, Any]


JSON_TYPES: tuple[tuple[type, tuple[type, ...]], ...] = (
    (serializers.BooleanField, (bool,)),
    (serializers.CharField, (str,)),
    (serializers.IntegerField, (int, float)),
    (serializers.FloatField, (int, float)),
)
"""The fields that the framework fills from values of other types, too, and the type of each in JSON."""


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not have, naming each, and values of another type than the document says.

    Forms and addresses carry texts only: with `texts` in its context a serializer reads numbers from them.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields, "field")
            if not (isinstance(data, QueryDict) or self.root.context.get("texts")):
                self._refuse_other_types(data)
        return super().to_internal_value(data)

    def _refuse_other_types(self, data: Mapping[str, Any]) -> None:
        refusals = {name: type_refusal(self.fields[name], value) for name, value in data.items()}
        errors = {name: [message] for name, message in refusals.items() if message}
        if errors:
            raise ValidationError(errors)


def type_refusal(field: ApiField, value: Any) -> str:
    """Why a value of JSON is of another type than its field, or an element of a list; empty if it is not.

    Objects within are checked by their own serializers.
    """
    if isinstance(value, list):
        child, longest = getattr(field, "child", None), getattr(field, "max_length", None)
        if child is None or (longest is not None and len(value) > longest):
            return ""  # one that is too long is refused for that, before its elements are looked at
        return next(filter(None, (type_refusal(child, element) for element in value)), "")
    types = next((types for kind, types in JSON_TYPES if isinstance(field, kind)), None)
    if (
        types is None
        or value is None
        or (isinstance(value, types) and isinstance(value, bool) == (bool in types))
    ):
        return ""
    return str(field.error_messages["invalid"])


class RowSerializer(serializers.ModelSerializer[M]):
    """Shows a row; none of its fields is written."""

    def get_extra_kwargs(self) -> dict[str, Any]:
        given: dict[str, Any] = super().get_extra_kwargs()
        return {name: given.get(name, {}) | {"read_only": True} for name in self.Meta.fields}


def refuse_unknown(given: Iterable[Any], known: Iterable[str], noun: str) -> None:
    """Raise ValidationError that names the first unknown fields or filters, and those there are."""
    available = set(known)
    unknown = [str(name) for name in given if name not in available]
    if not unknown:
        return
    names = ", ".join(sorted(available))
    there_are = gettext("There is no such %(noun)s; available: %(names)s.") % {"noun": noun, "names": names}
    if not names:
        there_are = gettext("There are no %(noun)ss here.") % {"noun": noun}
    errors: dict[str, Any] = {name: [there_are] for name in unknown[:PROBLEMS_SHOWN]}
    raise ValidationError(errors | more_problems(len(unknown) - len(errors)))


def more_problems(number: int) -> dict[str, Any]:
    """Beside the errors by field: so many others, which `projects.error_responses` counts by their code."""
    if not number:
        return {}
    counted = ErrorDetail(further(number), number)  # type: ignore[arg-type]  # a number as its code
    return {"non_field_errors": [counted]}


class ListField(serializers.ListField):
    """A list of a request: its length, which has a maximum, is checked before its elements.

    Elements after the first few wrong ones are not looked at.
    """

    max_length: int

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(max_length=max_length, **options)

    def run_child_validation(self, data: Any) -> Any:
        if len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        values: list[Any] = []
        errors: dict[Any, Any] = {}
        for number, element in enumerate(data):
            if len(errors) == PROBLEMS_SHOWN:
                errors[number] = [gettext("From here on the list was not checked.")]
                break
            try:
                values.append(self.child.run_validation(element))
            except ValidationError as error:
                errors[number] = error.detail
        if errors:
            raise ValidationError(errors)
        return values


class DictField(serializers.DictField):
    """An object of a request: the number of its entries, at most `max_length`, is checked before them."""

    default_error_messages = {"max_length": "Ensure this field has no more than {max_length} entries."}

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(**options)
        self.max_length = max_length

    def run_child_validation(self, data: Any) -> Any:
        if len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return super().run_child_validation(data)


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


class SpecSerializer(StrictSerializer):
    """A request with a field for each parameter of `spec_class`, beside those that a subclass declares.

    The checked values hold the Spec as "spec" instead of its parameters.
    """

    spec_class: ClassVar[type[Spec]]
    leave_out: ClassVar[Collection[str]] = ()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        shown = [param for param in self.spec_class.parameters() if param.name not in self.leave_out]
        return {part.name: api_field(part) for part in shown} | super().get_fields()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        values = dict(attrs)
        names = [param.name for param in self.spec_class.parameters() if param.name not in self.leave_out]
        try:
            given = {name: values.pop(name) for name in names if name in values}
            return values | {"spec": self.spec_class(**given)}
        except SpecError as error:
            raise ValidationError(
                {name or "non_field_errors": [message] for name, message in error.problems}
            ) from error


def api_default(parameter: Parameter) -> Any:
    """The default as JSON has it: an exact ratio as text."""
    return str(parameter.default) if parameter.kind == "ratio" else parameter.default


def api_field(parameter: Parameter) -> serializers.Field[Any, Any, Any, Any]:
    """The field of a parameter; without any default it may be left out or null."""
    about: dict[str, Any] = {"default": api_default(parameter), "help_text": parameter.explained()}
    if parameter.default is None:
        about = {"required": False, "allow_null": True, "help_text": parameter.explained()}
    bounds: dict[str, Any] = {"min_value": parameter.minimum, "max_value": parameter.maximum}
    if parameter.kind == "flag":
        return serializers.BooleanField(**about)
    if parameter.kind == "choice":
        return serializers.ChoiceField(choices=[value for value, _ in parameter.choices], **about)
    if parameter.kind == "whole number":
        return serializers.IntegerField(**bounds, **about)
    if parameter.kind == "number":
        return serializers.FloatField(**bounds, **about)
    if parameter.kind == "choices":
        choice = serializers.ChoiceField(choices=[value for value, _ in parameter.choices])
        return ListField(
            child=choice, max_length=len(parameter.choices), required=False, help_text=parameter.help
        )
    if parameter.kind == "words":
        word = serializers.CharField(max_length=MAX_WORD_LENGTH)
        limit = parameter.max_length or MAX_WORDS
        return ListField(child=word, max_length=limit, required=False, help_text=parameter.explained())
    return serializers.CharField(allow_blank=True, max_length=parameter.max_length, **about)


def rows_with_ids(rows: QuerySet[M], ids: Sequence[Any], *, field: str, key: str = "pk") -> list[M]:
    """The rows of these ids, or values of a unique `key`, in that order.

    Raises ValidationError for one that is not among `rows`.
    """
    by_id: dict[Any, M] = rows.in_bulk(list(ids), field_name=key)
    missing = [str(pk) for pk in ids if pk not in by_id]
    if missing:
        raise ValidationError(
            {field: [gettext("Not in this project: %(missing)s.") % {"missing": ", ".join(missing)}]}
        )
    return [by_id[pk] for pk in dict.fromkeys(ids)]


def with_rows(fields: Mapping[str, Any], key: str = "pk", /, **rows: QuerySet[Any]) -> dict[str, Any]:
    """The fields with rows in place of ids, where any are given: `gold_set=project.gold_sets.all()`.

    A field that is a list of ids becomes a list of rows. Raises ValidationError as `rows_with_ids` does.
    """
    chosen = dict(fields)
    for name, known in rows.items():
        given = fields.get(name)
        if isinstance(given, list):
            chosen[name] = rows_with_ids(known, given, field=name, key=key)
        elif given is not None:
            chosen[name] = rows_with_ids(known, [given], field=name, key=key)[0]
    return chosen
