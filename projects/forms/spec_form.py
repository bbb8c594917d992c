"""The parameters of a Spec as the fields of a form."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_noop as _

from paragold.spec import Parameter, Spec, SpecError, words_of
from paragold.text.encoder_files import doubt, not_installed, suitable
from projects.interface_language import in_language
from projects.models import Project

# More choices than this are shown as a menu.
MAX_RADIO_BUTTONS = 3
MAX_CHARACTERS_OF_WORDS = 100_000
# Texts that may be longer are written into an area.
LONG_TEXT = 2_000


class SpecForm(forms.Form):
    """A form with a field for each parameter of `spec_class`, beside those that a subclass declares.

    `spec` is there once the form is valid. What the Spec refuses is an error of its field.
    """

    spec_class: ClassVar[type[Spec]]
    leave_out: ClassVar[Collection[str]] = ()
    spec: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))
        self.fields = {
            shown_parameter.name: form_field(shown_parameter) for shown_parameter in self.shown_parameters()
        } | self.fields
        self.order_fields(list(self.field_order or ()))

    @classmethod
    def shown_parameters(cls) -> list[Parameter]:
        """The parameters that the form has fields for."""
        return [param for param in cls.spec_class.parameters() if param.name not in cls.leave_out]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        given = {
            shown_parameter.name: cleaned[shown_parameter.name]
            for shown_parameter in self.shown_parameters()
            if shown_parameter.name in cleaned
        }
        try:
            self.spec = self.spec_class(**given)
        except SpecError as error:
            for name, message in error.problems:
                self.add_error(name if name in self.fields else None, message)
        return cleaned

    def arguments(self) -> dict[str, Any]:
        """The cleaned values with the Spec as "spec" in place of its parameters, as services take them."""
        parameters = {shown_parameter.name for shown_parameter in self.shown_parameters()}
        others = {name: value for name, value in self.cleaned_data.items() if name not in parameters}
        return others | {"spec": self.spec}


class WordsField(forms.CharField):
    """A set of words, separated by spaces or commas."""

    def clean(self, value: Any) -> Any:
        return words_of([super().clean(value)])

    def prepare_value(self, value: Any) -> Any:
        return " ".join(sorted(value)) if isinstance(value, frozenset) else value


def fit_encoder(field: forms.Field, project: Project) -> None:
    """Begin with the encoder of this installation where it suits the project's language, and say if not."""
    field.initial = suitable(project.language)
    field.disabled = bool(reason := not_installed())
    field.help_text = reason or f"{field.help_text} {doubt(project.language)}".strip()


def form_field(parameter: Parameter) -> forms.Field:
    """Numbers outside their range are left to the Spec, which says what is allowed in all its faces."""
    about: dict[str, Any] = {
        "label": parameter.label,
        "help_text": parameter.help,
        "initial": parameter.default,
    }
    bounds = {"min": parameter.minimum, "max": parameter.maximum}
    number = {name: bound for name, bound in bounds.items() if bound is not None}
    # Several parameters shown as one: whoever leaves the field empty gets the default of each.
    own: list[tuple[str, str]] = [("", _("default"))] if parameter.default is None else []
    if own or parameter.optional:
        about["required"] = False
    if parameter.kind == "flag" and own:
        yes_or_no = [*own, ("yes", _("yes")), ("no", _("no"))]
        return forms.TypedChoiceField(
            choices=in_language(yes_or_no), coerce=lambda value: value == "yes", empty_value=None, **about
        )
    if parameter.kind == "flag":
        return forms.BooleanField(required=False, **about)
    if parameter.on_server:
        about["required"] = not own and "" not in dict(parameter.on_server)
        return forms.ChoiceField(choices=in_language([*own, *parameter.on_server]), **about)
    if parameter.kind == "choice":
        few = len(parameter.choices) <= MAX_RADIO_BUTTONS
        widget: Any = forms.RadioSelect if few else forms.Select
        return forms.ChoiceField(choices=in_language([*own, *parameter.choices]), widget=widget, **about)
    if parameter.kind == "choices":
        boxes = forms.CheckboxSelectMultiple
        about |= {"required": False, "initial": sorted(parameter.default or ())}
        return forms.MultipleChoiceField(choices=in_language(parameter.choices), widget=boxes, **about)
    if parameter.kind == "whole number":
        return forms.IntegerField(widget=forms.NumberInput(attrs=number), **about)
    if parameter.kind == "number":
        return forms.FloatField(widget=forms.NumberInput(attrs=number | {"step": "any"}), **about)
    if parameter.kind == "words":
        area = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
        return WordsField(required=False, max_length=MAX_CHARACTERS_OF_WORDS, widget=area, **about)
    if (parameter.max_length or 0) > LONG_TEXT:
        about["widget"] = forms.Textarea(attrs={"rows": 4})
    return forms.CharField(required=False, max_length=parameter.max_length, **about)
