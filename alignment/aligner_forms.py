"""Forms of training an aligner, of applying one, and of experiments; the services do what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet

from alignment.forms import GoldLinksField
from alignment.models import GoldAlignmentSet
from alignment.services.trained_aligners.launching import training_rate
from annotation.forms import OrderedForm
from annotation.services.drawing import default_datasets
from corpus.forms import dataset_label
from corpus.models import Dataset
from jobs.forms import check_confirmed
from jobs.launch_form import LaunchForm
from jobs.services.launch_cost import Rate
from paragold.aligners.aligner import Aligner
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, all_parameters
from paragold.spec import SpecError
from projects.forms.spec_form import form_field
from projects.models import Project

TAUGHT = "-taught"
"""How the choice of an aligner that learns from gold links ends, beside the same one without."""


class DatasetsField(forms.ModelMultipleChoiceField):
    """Datasets to train on, each with its pairs and the time that a training on it takes; `words` come first
    in the help."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, project: Project, words: str = "", **kwargs: Any) -> None:
        chosen, reason = default_datasets(project)
        self.rate = training_rate([DEFAULT_ALIGNER])
        help_text = f"{words.format(reason=reason) or reason} {self.rate.origin}".strip()
        datasets = project.datasets.current()
        super().__init__(datasets, required=False, initial=chosen, help_text=help_text, **kwargs)

    def label_from_instance(self, obj: Dataset) -> str:
        return dataset_label(obj, self.rate)


class GoldTextsField(forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({obj.counts['pairs']:,} pairs)"


def taught_by_field(gold: QuerySet[GoldAlignmentSet], help_text: str) -> GoldLinksField:
    learning = ", ".join(method.id for method in ALIGNERS if method.learns_from_gold)
    label = f"Gold links that {learning} learns from"
    return GoldLinksField(gold, required=False, empty_label="None", label=label, help_text=help_text)


def other_gold_field(gold: QuerySet[GoldAlignmentSet]) -> GoldTextsField:
    return GoldTextsField(
        gold,
        required=False,
        label="Other gold links, used only if they help",
        help_text="Cross-validation on the gold links chosen above decides whether each of these sets is "
        "used, and how strongly. Pairs that share a sentence with those gold links are left out.",
    )


class AlignerRadios(forms.RadioSelect):
    """Shows the choices that `reasons` names as well, but lets nobody choose them."""

    reasons: Mapping[str, str] = MappingProxyType({})

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.reasons:
            option["attrs"]["disabled"] = True
        return option


class AlignerBoxes(AlignerRadios, forms.CheckboxSelectMultiple):
    """The same, for some of the choices."""


def offer(field: Any, choices: Iterable[tuple[str, str, Aligner]]) -> None:
    """Give a field its choices: value, label, aligner. What is missing says what installs it."""
    offered = [(value, label, method.install_hint()) for value, label, method in choices]
    field.widget.reasons = {value: hint for value, *_, hint in offered if hint}
    field.choices = [
        (value, f"{label}. Not installed: {hint}" if hint else label) for value, label, hint in offered
    ]


class TrainingForm(LaunchForm):
    """An aligner, what it is trained on, and a field for each parameter that any of the aligners has."""

    aligner = forms.ChoiceField(widget=AlignerRadios, initial=DEFAULT_ALIGNER)

    def fit(self) -> None:
        trained = [method for method in ALIGNERS if method.learns_from_pairs]
        offer(self.fields["aligner"], ((method.id, method.label, method) for method in trained))
        if "datasets" in self.fields:
            chosen, reason = default_datasets(self.project)
            self.fields["datasets"].initial, self.fields["datasets"].help_text = chosen, reason
        self.parameters = all_parameters()
        for parameter in self.parameters:
            self.fields[parameter.name] = form_field(parameter)
            self.fields[parameter.name].required = False
        # Begin with what the project's language asks for, and disable what has no effect here.
        for method in trained:
            for name, value in method.settings_for(self.project.language).items():
                self.fields[name].initial = value
            for name, reason in method.without_effect(self.project.language).items():
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
                    self.add_error(parameter.name, f"{aligner} has no such choice. Leave it empty.")
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
            raise forms.ValidationError("Choose either a dataset or gold links.")
        return fields


class TrainingCost(NamedTuple):
    """How many trainings, on how many pairs in all, in how many seconds."""

    trainings: int
    pairs: int
    seconds: float
    rate: Rate


EXPERIMENT_PARAMETERS = ("linking", "lexicon", "model", "identical", "one_language")
"""Parameters that the form of an experiment sets for all of its aligners that have them."""
EXPERIMENT_SECTIONS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("What is trained", "A row of the table for each aligner and training set."): (
        "datasets", "aligners", *EXPERIMENT_PARAMETERS, "taught_by", "other_gold",
    ),
    ("What it is tested on", "A table for each test set; fewer than 50 pairs decide nothing."): (
        "gold_sets", "test_sentences", "held_out_sentences",
    ),
    ("Name", ""): ("name",),
}  # fmt: skip


class ExperimentForm(OrderedForm):
    aligners = forms.MultipleChoiceField(widget=AlignerBoxes, initial=[DEFAULT_ALIGNER, "identity"])
    test_sentences = forms.BooleanField(
        required=False,
        initial=True,
        label="Train on the sentences of the gold sets too, never on their links",
        help_text="GIZA++ always does. Off: test sentences are new to the aligner.",
    )
    held_out_sentences = forms.BooleanField(
        required=False,
        label="Also on test sentences of held-out clusters",
        help_text="Off (recommended): nothing of held-out clusters is used for training.",
    )
    name = forms.CharField(max_length=80, required=False, help_text="Leave empty to number the experiments.")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        gold = project.gold_alignment_sets.current()
        self.fields["gold_sets"] = GoldTextsField(gold, label="Test sets", initial=list(gold[:1]))
        words = "Each aligner is trained on each of them. {reason} Times are for one aligner."
        self.fields["datasets"] = DatasetsField(project, words, label="Training sets")
        self.fields["taught_by"] = taught_by_field(gold, "Test pairs among them are held out in five folds.")
        self.fields["other_gold"] = other_gold_field(gold)
        offer(self.fields["aligners"], experiment_choices())
        for param in all_parameters():
            if param.name in EXPERIMENT_PARAMETERS:
                self.fields[param.name] = form_field(replace(param, default=None))
        # By aligner of a plug-in: the parameters by the names of their fields.
        self.of_plugins = {
            method.id: {f"{method.id}.{param.name}": param for param in method.parameters.parameters()}
            for method in ALIGNERS
            if ALIGNERS.plugin(method.id)
        }
        for parameters in self.of_plugins.values():
            for field, parameter in parameters.items():
                self.fields[field] = form_field(parameter)
                self.fields[field].required = False

    def _chosen_parameters(self, aligner: str) -> dict[str, Any]:
        """The parameters that were chosen for an aligner; those left open are its own."""
        fields = {name: parameter.name for name, parameter in self.of_plugins.get(aligner, {}).items()}
        if aligner not in self.of_plugins:
            own = {param.name for param in ALIGNERS.get(aligner).parameters.parameters()}
            fields = {name: name for name in EXPERIMENT_PARAMETERS if name in own}
        given = {name: self.cleaned_data.get(field) for field, name in fields.items()}
        return {name: value for name, value in given.items() if value not in (None, "")}

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        taught = [name for name in fields.get("aligners", ()) if name.endswith(TAUGHT)]
        if fields.get("other_gold") and not taught:
            self.add_error("other_gold", "Choose an aligner that is trained on gold links, too.")
        if taught and not fields.get("taught_by"):
            learning = ", ".join(name.removesuffix(TAUGHT) for name in taught)
            self.add_error("taught_by", f"Choose the gold links that {learning} learns from.")
        for aligner in self.of_plugins:
            try:
                ALIGNERS.get(aligner).parameters(**self._chosen_parameters(aligner))
            except SpecError as error:
                for name, message in error.problems:
                    self.add_error(f"{aligner}.{name}" if name else None, message)
        if not self.errors and (cost := self.cost()):
            work = f"Training {cost.trainings} aligners on {cost.pairs:,} pairs in all"
            check_confirmed(self, work, cost.seconds)
        return fields

    def cost(self) -> TrainingCost | None:
        """What the choices cost: those sent, else the preselected ones; None where they cannot be."""
        if self.is_bound:
            if set(self.errors) - {"confirmed"}:
                return None
            datasets = self.cleaned_data["datasets"]
            names = [name.removesuffix(TAUGHT) for name in self.cleaned_data["aligners"]]
        else:
            datasets, names = (
                self.get_initial_for_field(self.fields[field], field) for field in ("datasets", "aligners")
            )
        trained = [name for name in names if ALIGNERS.get(name).learns_from_pairs]
        pairs = len(trained) * sum(dataset.size for dataset in datasets)
        rate = training_rate(sorted(set(trained)) or [DEFAULT_ALIGNER])
        seconds = rate.seconds(pairs) if trained else 0
        trainings = len(names) - len(trained) + len(trained) * len(datasets)
        return TrainingCost(trainings, pairs, seconds, rate)

    @property
    def sections(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The fields by what they decide: a heading, what it changes, the fields; a confirmation is last."""
        of_plugins = {
            (f"Parameters of {aligner}", f"Used if {aligner} is chosen above."): tuple(parameters)
            for aligner, parameters in self.of_plugins.items()
            if parameters
        }
        (trained, names), *others = EXPERIMENT_SECTIONS.items()
        sections = {trained: names, **of_plugins, **dict(others)}
        placed = {name for names in sections.values() for name in names}
        shown = [
            (heading, words, [self[name] for name in names if name in self.fields])
            for (heading, words), names in sections.items()
        ]
        rest = [self[name] for name in self.fields if name not in placed]
        return [*shown, *([("Confirm", "", rest)] if rest else [])]

    def arguments(self) -> dict[str, Any]:
        """The arguments of `launch_experiment` apart from who asks."""
        fields = self.cleaned_data
        gold_set = fields["taught_by"]
        others = [field for field in fields["other_gold"] if field != gold_set]
        taught = {"taught_by": gold_set, **({"other_gold": others} if others else {})}
        aligners = []
        for name in fields["aligners"]:
            aligner = name.removesuffix(TAUGHT)
            learned = taught if name.endswith(TAUGHT) else {}
            aligners.append({"aligner": aligner, **self._chosen_parameters(aligner), **learned})
        return {
            "name": fields["name"],
            "datasets": list(fields["datasets"]),
            "gold_sets": list(fields["gold_sets"]),
            "aligners": aligners,
            "test_sentences": fields["test_sentences"],
            "held_out_sentences": fields["held_out_sentences"],
        }


def experiment_choices() -> Iterable[tuple[str, str, Aligner]]:
    """Value and label of every aligner that an experiment can have, and the aligner."""
    for method in ALIGNERS:
        if method.learns_from_gold:
            rules = f"{method.id}, with fixed rules (not trained on gold links)"
            yield method.id, rules, method
            yield f"{method.id}{TAUGHT}", f"{method.id}, trained on gold links", method
        else:
            yield method.id, method.label, method
