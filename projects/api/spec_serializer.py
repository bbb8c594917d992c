"""The parameters of a Spec as the fields of a request."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from paragold.spec import Parameter, Spec, SpecError

from .serializers import StrictSerializer

MAX_WORD_LENGTH = 200


class SpecSerializer(StrictSerializer):
    """A request with a field for each parameter of `spec_class`, beside those that a subclass declares.

    The checked values hold the Spec as "spec" instead of its parameters.
    """

    spec_class: ClassVar[type[Spec]]
    leave_out: ClassVar[Collection[str]] = ()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        shown = [one for one in self.spec_class.parameters() if one.name not in self.leave_out]
        return {one.name: api_field(one) for one in shown} | super().get_fields()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        values = dict(attrs)
        names = [one.name for one in self.spec_class.parameters() if one.name not in self.leave_out]
        try:
            given = {name: values.pop(name) for name in names if name in values}
            return values | {"spec": self.spec_class(**given)}
        except SpecError as error:
            raise ValidationError(
                {name or "non_field_errors": [message] for name, message in error.problems}
            ) from error


def api_field(parameter: Parameter) -> serializers.Field[Any, Any, Any, Any]:
    """The field of a parameter; without any default it may be left out or null."""
    about: dict[str, Any] = {"default": parameter.default, "help_text": parameter.explained()}
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
        return serializers.ListField(child=choice, required=False, help_text=parameter.help)
    if parameter.kind == "words":
        word = serializers.CharField(max_length=MAX_WORD_LENGTH)
        return serializers.ListField(child=word, required=False, help_text=parameter.explained())
    return serializers.CharField(allow_blank=True, **about)
