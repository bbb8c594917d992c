"""The form that has a model answer a batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_noop as _

from annotation.models import Batch, BatchKind
from annotation.services.model_answers import kind_of
from jobs.launch_form import LaunchForm
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.spec import Parameter
from projects.forms.spec_form import form_field

OF_JUDGEMENTS = ("classifier", "scorer", "threshold", "partial_from")


SCORERS_OFFERED = _("A plug-in may add others, language models among them.")
ALIGNERS_OFFERED = _(
    "One that was not trained here learns from the sentences of the batch. A plug-in may add others, "
    "language models among them."
)


def own_parameters(scorer: str) -> list[Parameter]:
    """The parameters of a scorer, without the language, which is the project's."""
    declared = PAIR_SCORERS.get(scorer).parameters.parameters() if scorer in PAIR_SCORERS else ()
    return [parameter for parameter in declared if parameter.name != "language"]


class ModelForm(LaunchForm):
    """The models of one kind of batch: of judgements a classifier or a pair scorer, with the parameters that
    scorers of plug-ins have; of links an aligner."""

    def fit(self) -> None:
        batches: Any = self.fields["batch"]
        number = self.data.get("batch") or self.asked.get("batch") or ""
        named = batches.queryset.filter(pk__in=[number] if number.isdecimal() else [])
        batch = (named or batches.queryset.order_by("kind", "-pk")).first() or Batch(kind=BatchKind.JUDGE)
        batches.queryset = batches.queryset.filter(kind=batch.kind)
        linking = batch.kind == BatchKind.LINK
        if linking:
            self.page = replace(self.page, back=("link", _("Link")))
        for name in OF_JUDGEMENTS if linking else ("aligner",):
            self.fields.pop(name, None)
        name, none = ("aligner", []) if linking else ("scorer", [("", _("None: a classifier answers"))])
        about = ALIGNERS_OFFERED if linking else SCORERS_OFFERED
        self.fields[name] = forms.ChoiceField(
            choices=[*none, *kind_of(batch).choices(self.project)],
            required=linking,
            label=self.fields[name].label,
            help_text=about,
        )
        for scorer in () if linking else PAIR_SCORERS:
            for parameter in own_parameters(scorer.id):
                field = form_field(parameter)
                field.required, field.label = False, f"{scorer.id}: {parameter.label}"
                self.fields[parameter.name] = field

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Empty fields are left to the scorer."""
        names = [parameter.name for parameter in own_parameters(values.get("scorer") or "")]
        chosen = {name: values[name] for name in names if values.get(name) not in (None, "")}
        return super().arguments_of(values) | {"settings": chosen}
