"""Launching an extraction: by a preset with any of its parameters changed, or by matching."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any

from django import forms

from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from paragold.extraction.criteria import PARAMETERS, Choice, Criteria, CriteriaError, Flag
from paragold.extraction.kernels import NAMES
from paragold.extraction.presets import Preset
from projects.forms.spec_form import SpecForm


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter and its value in each preset, in the presets' order."""

    label: str
    meaning: str
    values: list[str]


def as_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and "/" in value and 100 % Fraction(value).denominator == 0:
        hundredths = Fraction(value) * 100
        return value if Fraction(value).denominator < 10 else f"0.{int(hundredths):02}"
    return "none" if value is None else str(value)


DEFAULTS = {field.name: None if field.default is MISSING else field.default for field in fields(Criteria)}


def parameter_rows(criteria: list[dict[str, Any]]) -> list[ParameterRow]:
    """The table of all parameters, one column for each of `criteria` (as `Criteria.settings()` gives it)."""
    return [
        # What was extracted before a parameter came was extracted with its default.
        ParameterRow(
            parameter.label,
            parameter.help,
            [as_text(settings.get(name, DEFAULTS[name])) for settings in criteria],
        )
        for name, parameter in PARAMETERS.items()
    ]


class ExtractionForm(forms.Form):
    """One field a parameter; the preset's values are what it begins with."""

    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after the preset. A taken name gets a number.",
    )

    preset_name = forms.CharField(
        label="Keep these parameters as a preset",
        max_length=40,
        required=False,
        help_text="A name of the project's own. A saved preset never changes; it can be deleted.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    confirmed = forms.BooleanField(
        label="Extract all the same",
        required=False,
        help_text="A run that is expected to store very many pairs has to be confirmed.",
    )
    kernel = forms.ChoiceField(
        choices=[("", "the fastest there is"), *((name, name) for name in NAMES)],
        required=False,
        help_text="What measures edit distances. The pairs are the same.",
    )
    sample = forms.IntegerField(
        label="Clusters of a dry run",
        required=False,
        min_value=1,
        max_value=1_000_000_000,
        help_text="Left empty, as many as a few seconds allow.",
    )
    seed = forms.IntegerField(
        label="Seed of the sample",
        required=False,
        initial=1,
        min_value=0,
        max_value=2_147_483_647,
        help_text="Another one draws other clusters.",
    )

    def __init__(self, *args: Any, preset: Preset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        self.fields["name"].widget.attrs["placeholder"] = preset.name
        for name, value in preset.criteria.settings().items():
            self.fields[name] = parameter_field(name, value)

    @property
    def parameters(self) -> list[forms.BoundField]:
        return [self[name] for name in PARAMETERS]

    @property
    def wrong_parameters(self) -> bool:
        """Whether the folded part of the page holds an error."""
        return any(self[name].errors for name in (*PARAMETERS, "kernel", "preset_name"))

    @property
    def parameters_valid(self) -> bool:
        """Whether the form was sent with parameters that can be used together."""
        return self.is_bound and not any(self[name].errors for name in PARAMETERS)

    def settings(self) -> dict[str, Any]:
        """The parameters that were sent, as text, for `launch_extraction`; the others are the preset's."""
        return {name: self.cleaned_data[name] for name in PARAMETERS if name in self.data}

    def asked(self) -> dict[str, Any]:
        """The arguments of `launch_extraction`."""
        given = {name: self.cleaned_data[name] for name in ("name", "kernel", "confirmed")}
        return given | {"preset": self.preset.name, "settings": self.settings()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent = {name: cleaned[name] for name in PARAMETERS if name in self.data and name not in self.errors}
        check_parameters(self, sent, self.preset.criteria.with_settings)
        return cleaned


def check_parameters(
    form: forms.Form, settings: dict[str, Any], build: Callable[[dict[str, Any]], object]
) -> None:
    """Make errors of a form's fields of what is wrong with them, each by itself and then together."""
    for name, value in settings.items():
        try:
            PARAMETERS[name].parse(value)
        except ValueError:
            form.add_error(name, f"{value!r} is not {PARAMETERS[name].allowed}.")
    if not form.errors:
        try:
            build(settings)
        except CriteriaError as error:
            form.add_error(error.name, str(error).removeprefix(f"{error.name}: "))


def parameter_field(name: str, value: object) -> forms.Field:
    """The field of a parameter that begins with `value`; what is typed into it stays text."""
    parameter = PARAMETERS[name]
    about: dict[str, Any] = {
        "label": parameter.label,
        "initial": as_text(str(value) if isinstance(value, Fraction) else value),
        "required": False,
    }
    if isinstance(parameter, (Choice, Flag)):
        names = parameter.names if isinstance(parameter, Choice) else ("no", "yes")
        choices = [(choice, choice) for choice in names]
        return forms.ChoiceField(choices=choices, help_text=f"{parameter.help}.", **about)
    return forms.CharField(
        max_length=40,
        help_text=f"{parameter.help}: {parameter.allowed}.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        **about,
    )


class MatchingForm(SpecForm):
    spec_class = ProjectMatchingSpec
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after method, threshold and scope. A taken name gets a number.",
    )
    confirmed = forms.BooleanField(
        label="Launch all the same",
        required=False,
        help_text="A run that is expected to store very many pairs has to be confirmed.",
    )
    field_order = ("scope", "clusters", "method")


class HeadlineMatchingForm(SpecForm):
    spec_class = ProjectHeadlineSpec
    leave_out = ("language",)
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after the method. A taken name gets a number.",
    )
