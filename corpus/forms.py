"""Forms of the corpus: files of articles, parameters of extractions and matchings, datasets."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _

from corpus.models import Dataset, HeldOut
from corpus.services.method_settings import as_text
from paragold.extraction.presets import Preset
from paragold.spec import Parameter, Spec, SpecError, allowed
from projects.interface_language import in_language

ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("utf-16", _("UTF-16 with a byte order mark")),
    ("utf-16-le", "UTF-16, little-endian"),
    ("utf-16-be", "UTF-16, big-endian"),
    ("iso-8859-1", _("Latin-1 (ISO 8859-1)")),
    ("windows-1252", _("Western European (Windows-1252)")),
    ("iso-8859-2", _("Central European (ISO 8859-2)")),
    ("windows-1250", _("Central European (Windows-1250)")),
    ("iso-8859-5", _("Cyrillic (ISO 8859-5)")),
    ("windows-1251", _("Cyrillic (Windows-1251)")),
    ("koi8-r", _("Cyrillic (KOI8-R)")),
    ("windows-1253", _("Greek (Windows-1253)")),
    ("windows-1254", _("Turkish (Windows-1254)")),
    ("windows-1255", _("Hebrew (Windows-1255)")),
    ("windows-1256", _("Arabic (Windows-1256)")),
    ("gb18030", _("Chinese (GB 18030)")),
    ("big5", _("Chinese (Big5)")),
    ("shift_jis", _("Japanese (Shift JIS)")),
    ("euc-jp", _("Japanese (EUC-JP)")),
    ("euc-kr", _("Korean (EUC-KR)")),
)


RECOMMENDED_HELD_OUT = 0.2


class ExtractionForm(forms.Form):
    """One field a parameter; the preset's values are what it begins with."""

    name = forms.CharField(
        max_length=70,
        required=False,
        help_text=_("Leave empty to use the preset's name. A number is added to a name in use."),
    )

    preset_name = forms.CharField(
        label=_("Save these parameters as a preset"),
        max_length=40,
        required=False,
        help_text=_("A name not used in this project. A saved preset never changes; it can be deleted."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    confirmed = forms.BooleanField(
        label=_("Confirm extraction"),
        required=False,
        help_text=_("Confirm that you want to store very many pairs."),
    )
    sample = forms.IntegerField(
        label=_("Clusters of a dry run"),
        required=False,
        min_value=1,
        max_value=1_000_000_000,
        help_text=_("Leave empty to examine as many as a few seconds allow."),
    )
    seed = forms.IntegerField(
        label=_("Seed of the sample"),
        required=False,
        initial=1,
        min_value=0,
        max_value=2_147_483_647,
        help_text=_("Another seed draws other clusters."),
    )

    def __init__(self, *args: Any, preset: Preset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        self.fields["name"].widget.attrs["placeholder"] = preset.name
        fields = parameter_fields(preset.criteria)
        self.fields |= fields
        self.names = list(fields)

    @property
    def parameters(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names]

    @property
    def wrong_parameters(self) -> bool:
        """Whether the folded part of the page holds an error."""
        return any(self[name].errors for name in (*self.names, "preset_name"))

    @property
    def parameters_valid(self) -> bool:
        """Whether the form was sent with parameters that can be used together."""
        return self.is_bound and not any(self[name].errors for name in self.names)

    def settings(self) -> dict[str, Any]:
        """The parameters that were sent, as text, for `launch_extraction`; the others are the preset's."""
        return {name: self.cleaned_data[name] for name in self.names if name in self.data}

    def arguments(self) -> dict[str, Any]:
        """The arguments of `launch_extraction`."""
        given = {name: self.cleaned_data[name] for name in ("name", "confirmed")}
        return given | {"preset": self.preset.name, "settings": self.settings()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent = {name: cleaned[name] for name in self.names if name in self.data and name not in self.errors}
        check_parameters(self, sent, self.preset.criteria)
        return cleaned


def check_parameters(form: forms.Form, settings: dict[str, Any], base: Spec) -> None:
    """Make errors of a form's fields of what is wrong with them, each by itself and then together."""
    try:
        base.replace(**settings)
    except SpecError as error:
        for name, message in error.problems:
            form.add_error(name, message)


def parameter_fields(values: Spec) -> dict[str, forms.Field]:
    """A field for each parameter, which begins with its value; what is typed into it stays text.

    There is none for the language, which is the project's.
    """
    return {
        param.name: _parameter_field(param, getattr(values, param.name))
        for param in values.parameters()
        if param.name != "language"
    }


def _parameter_field(parameter: Parameter, value: object) -> forms.Field:
    about: dict[str, Any] = {
        "label": parameter.label,
        "initial": as_text(str(value) if isinstance(value, Fraction) else value),
        "required": False,
    }
    if parameter.kind in ("choice", "flag"):
        choices = parameter.choices or [("no", _("no")), ("yes", _("yes"))]
        return forms.ChoiceField(choices=in_language(choices), help_text=f"{parameter.help}.", **about)
    return forms.CharField(
        max_length=40,
        help_text=f"{parameter.help}. " + gettext("Allowed: %(allowed)s.") % {"allowed": allowed(parameter)},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        **about,
    )


def dataset_label(dataset: Dataset) -> str:
    return f"{dataset.name} ({dataset.size:,} pairs)"


APART = "apart"


class PresetsForm(forms.Form):
    """Several datasets at once: presets that are chosen out of what one extraction found."""

    prefix = "several"
    presets = forms.MultipleChoiceField(
        label=_("Datasets"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )
    held_out = forms.ChoiceField(
        label=_("Clusters"),
        choices=in_language(
            [*HeldOut.choices, (APART, _("One dataset for held-out clusters and one for the rest"))]
        ),
        initial=HeldOut.ALL,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, offered: Iterable[str], any_held_out: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = list(offered)
        presets, held_out = self.fields["presets"], self.fields["held_out"]
        assert isinstance(presets, forms.MultipleChoiceField)  # noqa: S101 - tells the type checker
        presets.choices = [(name, name) for name in names]
        presets.initial = names
        if not any_held_out:
            held_out.widget = forms.HiddenInput()

    def clusters(self) -> list[str]:
        """The choices of clusters, as `freeze_presets` takes them."""
        chosen = self.cleaned_data["held_out"]
        return [HeldOut.ONLY, HeldOut.REST] if chosen == APART else [chosen]
