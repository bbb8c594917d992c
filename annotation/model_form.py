"""The form that has a model answer a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_noop as _

from jobs.launch_form import LaunchForm
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.spec import Parameter
from projects.forms.spec_form import form_field


def own_parameters(scorer: str) -> list[Parameter]:
    """The parameters of a scorer, without the language, which is the project's."""
    declared = PAIR_SCORERS.get(scorer).parameters.parameters() if scorer in PAIR_SCORERS else ()
    return [parameter for parameter in declared if parameter.name != "language"]


class ModelForm(LaunchForm):
    """A classifier or a pair scorer, with the parameters that scorers of plug-ins have."""

    def fit(self) -> None:
        about = self.fields["scorer"]
        self.fields["scorer"] = forms.ChoiceField(
            choices=[("", "None: a classifier answers"), *PAIR_SCORERS.choices()],
            required=False,
            label=about.label,
            help_text=_("A plug-in may add others, language models among them."),
        )
        for scorer in PAIR_SCORERS:
            for parameter in own_parameters(scorer.id):
                field = form_field(parameter)
                field.required, field.label = False, f"{scorer.id}: {parameter.label}"
                self.fields[parameter.name] = field

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Empty fields are left to the scorer."""
        names = [parameter.name for parameter in own_parameters(values.get("scorer") or "")]
        chosen = {name: values[name] for name in names if values.get(name) not in (None, "")}
        return super().arguments_of(values) | {"settings": chosen}
