"""Forms of training an aligner, of applying one, and of experiments; the services do what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop as _

from alignment.paper_tables import paper_choices
from annotation.services.drawing import default_datasets
from jobs.launch_form import LaunchForm
from paragold.aligners.aligner import Aligner
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, all_parameters
from paragold.spec import Parameter, SpecError
from projects.forms.spec_form import form_field

TAUGHT = "-taught"
"""How the choice of an aligner that learns from gold links ends, beside the same one without."""


def offer(field: Any, choices: Iterable[tuple[str, str, Aligner]]) -> list[tuple[str, str]]:
    """Give a field those choices (value, label, aligner) that are installed; id and hint of the others."""
    missing = []
    field.choices = []
    for value, label, method in choices:
        if hint := method.install_hint():
            missing.append((method.id, hint))
        else:
            # What the label says in brackets, and of how it trains, is in the manual.
            field.choices += [(value, label.partition(" (")[0].partition(". ")[0])]
    return missing


class TrainingForm(LaunchForm):
    """An aligner, what it is trained on, and a field for each parameter that any of the aligners has."""

    aligner = forms.ChoiceField(widget=forms.RadioSelect, initial=DEFAULT_ALIGNER)

    def fit(self) -> None:
        trained = [method for method in ALIGNERS if method.learns_from_pairs]
        offered = ((method.id, method.label, method) for method in trained)
        self.installable = offer(self.fields["aligner"], offered)
        if "datasets" in self.fields:
            chosen, reason = default_datasets(self.project)
            self.fields["datasets"].initial, self.fields["datasets"].help_text = chosen, reason
        self.parameters = all_parameters()
        for parameter in self.parameters:
            self.fields[parameter.name] = form_field(parameter)
            self.fields[parameter.name].required = False
        # Begin with what the project's languages ask for, and disable what has no effect here.
        for method in trained:
            for name, value in method.settings_for(*self.project.languages).items():
                self.fields[name].initial = value
            for name, doubt in method.doubts(*self.project.languages).items():
                self.fields[name].help_text += f" {doubt}"
            for name, reason in method.without_effect(*self.project.languages).items():
                field = self.fields[name]
                field.disabled, field.help_text = True, reason
                if isinstance(field, forms.BooleanField):
                    field.initial = False

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if aligner := fields.get("aligner"):
            own = _own_parameters(aligner)
            for parameter in self.parameters:
                given = fields.get(parameter.name) not in (None, "")
                if parameter.default is None and parameter.name not in own and given:
                    self.add_error(
                        parameter.name,
                        gettext("%(aligner)s has no such choice. Leave it empty.") % {"aligner": aligner},
                    )
        return fields

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Empty fields are left to the aligner."""
        aligner = values.get("aligner") or DEFAULT_ALIGNER
        chosen = {
            name: values[name] for name in _own_parameters(aligner) if values.get(name) not in (None, "")
        }
        return super().arguments_of(values) | {"settings": {"aligner": aligner, **chosen}}


def _own_parameters(aligner: str) -> list[str]:
    return [parameter.name for parameter in ALIGNERS.get(aligner).parameters.parameters()]


class ApplicationForm(LaunchForm):
    """What an aligner is applied to is a dataset or gold links."""

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if not self.errors and (fields.get("dataset") is None) == (fields.get("gold_set") is None):
            raise forms.ValidationError(gettext("Choose either a dataset or gold links."))
        return fields


EXPERIMENT_PARAMETERS = ("linking", "lexicon", "model", "identical", "one_language")
"""Parameters that the form of an experiment sets for all of its aligners that have them."""


def parameters_of_plugins() -> dict[str, tuple[str, Parameter]]:
    """The parameters of the aligners of plug-ins, each with its aligner, by the names of their fields."""
    return {
        f"{method.id}.{parameter.name}": (method.id, parameter)
        for method in ALIGNERS
        if ALIGNERS.plugin(method.id)
        for parameter in method.parameters.parameters()
    }


class ExperimentForm(LaunchForm):
    """`?table=` fills it as for the table of a paper."""

    note = _("Fewer than 50 test pairs decide nothing.")

    def fit(self) -> None:
        aligners: Any = forms.MultipleChoiceField(
            widget=forms.CheckboxSelectMultiple,
            initial=[DEFAULT_ALIGNER, "identity"],
            help_text=_("A row of the table for each aligner and training set."),
        )
        self.installable = offer(aligners, experiment_choices())
        self.fields["aligners"] = aligners
        if "datasets" in self.fields:
            chosen, reason = default_datasets(self.project)
            self.fields["datasets"].initial = chosen
            if "table" not in self.asked:
                about = gettext("Each aligner is trained on each of them.")
                self.fields["datasets"].help_text = f"{about} {reason}".strip()
        for parameter in all_parameters():
            if parameter.name in EXPERIMENT_PARAMETERS:
                self.fields[parameter.name] = form_field(replace(parameter, default=None))
        for name, (aligner, parameter) in parameters_of_plugins().items():
            self.fields[name] = form_field(replace(parameter, label=f"{aligner}: {parameter.label}"))
            self.fields[name].required = False
        for name, value in paper_choices(self.project, self.asked.get("table", "")).items():
            if name in self.fields:
                self.fields[name].initial = value

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        taught = [name for name in fields.get("aligners", ()) if name.endswith(TAUGHT)]
        if fields.get("other_gold") and not taught:
            self.add_error("other_gold", gettext("Choose an aligner that is trained on gold links, too."))
        if taught and not fields.get("taught_by"):
            learning = ", ".join(name.removesuffix(TAUGHT) for name in taught)
            self.add_error(
                "taught_by",
                gettext("Choose the gold links that %(learning)s learns from.") % {"learning": learning},
            )
        for name, (aligner, parameter) in parameters_of_plugins().items():
            try:
                given = fields.get(name)
                if given not in (None, ""):
                    ALIGNERS.get(aligner).parameters(**{parameter.name: given})
            except SpecError as error:
                self.add_error(name, str(error))
        return fields

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        names = [*EXPERIMENT_PARAMETERS, *parameters_of_plugins()]
        chosen = {name: values[name] for name in names if values.get(name) not in (None, "")}
        return super().arguments_of(values) | {"settings": chosen}


def experiment_choices() -> Iterable[tuple[str, str, Aligner]]:
    """Value and label of every aligner that an experiment can have, and the aligner."""
    for method in ALIGNERS:
        if method.learns_from_gold:
            rules = gettext("%(method)s, not trained on gold links") % {"method": method.id}
            yield method.id, rules, method
            yield (
                f"{method.id}{TAUGHT}",
                gettext("%(method)s, trained on gold links") % {"method": method.id},
                method,
            )
        else:
            yield method.id, method.label, method
