"""Forms of training an aligner, of applying one, and of experiments; the services do what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.db.models import QuerySet

from alignment.forms import GoldLinksField
from alignment.models import AlignerRun, TrainedAligner
from alignment.services.trained_aligners.launching import training_rate
from annotation.forms import OrderedForm, dataset_label
from annotation.services.drawing import default_datasets
from corpus.models import Dataset
from corpus.services.presets import presets_of
from jobs.forms import check_confirmed
from jobs.services.launch_cost import Rate
from paragold.aligners.method import AlignerMethod
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, all_parameters, symmetrised
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.extraction.criteria import PARAMETERS, Ratio, WholeNumber
from paragold.extraction.presets import RECOMMENDED
from projects.forms.spec_form import form_field
from projects.models import Project

CLIMBED_PARAMETERS = [
    (name, parameter.label)
    for name, parameter in PARAMETERS.items()
    if isinstance(parameter, WholeNumber | Ratio)
]
TAUGHT = "-taught"
"""How the choice of an aligner that learns from gold links ends, beside the same one without."""


class DatasetsField(forms.ModelMultipleChoiceField):
    """Datasets to train on, each with its pairs and the time that a training on it takes."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, datasets: QuerySet[Dataset], *, rate: Rate, **kwargs: Any) -> None:
        super().__init__(datasets, **kwargs)
        self.rate = rate

    def label_from_instance(self, obj: Dataset) -> str:
        return dataset_label(obj, self.rate)


class GoldTextsField(forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({obj.counts['pairs']:,} pairs)"


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


def offer(field: Any, choices: Iterable[tuple[str, str, AlignerMethod]]) -> None:
    """Give a field its choices: value, label, aligner. What is missing says what installs it."""
    offered = [(value, label, method.install_hint()) for value, label, method in choices]
    field.widget.reasons = {value: hint for value, _, hint in offered if hint}
    field.choices = [
        (value, f"{label}. Not installed here: {hint}" if hint else label) for value, label, hint in offered
    ]


class TrainingForm(OrderedForm):
    """An aligner, what it is trained on, and a field for each parameter that any of the aligners has."""

    aligner = forms.ChoiceField(widget=AlignerRadios, initial=DEFAULT_ALIGNER)
    name = forms.CharField(
        max_length=80,
        required=False,
        help_text="Empty: that of the aligner. A name that exists gets its next version.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        trained = [method for method in ALIGNERS if method.learns_from_pairs]
        offer(self.fields["aligner"], ((method.id, method.label, method) for method in trained))
        chosen, reason = default_datasets(project)
        rate = training_rate([DEFAULT_ALIGNER])
        self.fields["datasets"] = DatasetsField(
            project.datasets.current(),
            rate=rate,
            required=False,
            initial=[one.pk for one in chosen],
            help_text=f"{reason} {rate.origin}".strip(),
        )
        gold = project.gold_alignment_sets.current()
        learning = ", ".join(method.id for method in trained if method.learns_from_gold)
        self.fields["gold_set"] = GoldLinksField(
            gold,
            required=False,
            empty_label="None: fixed rules",
            label=f"Gold links that {learning} learns from",
            help_text="Their sentences are read as well.",
        )
        self.fields["texts"] = GoldTextsField(
            gold,
            required=False,
            label="Sentences of gold sets",
            help_text="Read as training text; their links are not.",
        )
        if not gold:
            del self.fields["gold_set"], self.fields["texts"]
        self.parameters = all_parameters()
        for parameter in self.parameters:
            self.fields[parameter.name] = form_field(parameter)
            self.fields[parameter.name].required = False
        self.more = tuple(parameter.name for parameter in self.parameters)
        self.order = ("aligner", "datasets", "gold_set", "texts", "name", *self.more)
        self._fit_to_language(project.language)

    def _fit_to_language(self, language: str) -> None:
        """Begin with what the project's language asks for, and disable what has no effect here."""
        for method in ALIGNERS:
            if method.learns_from_pairs:
                for name, value in method.settings_for(language).items():
                    self.fields[name].initial = value
                for name, reason in method.without_effect(language).items():
                    field = self.fields[name]
                    field.disabled, field.help_text = True, reason
                    if isinstance(field, forms.BooleanField):
                        field.initial = False

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or self.cleaned_data
        if "aligner" in fields:
            for name in self._not_of(fields["aligner"]):
                if fields.get(name) not in (None, ""):
                    self.add_error(name, f"{fields['aligner']} does not have this choice. Leave it empty.")
        if not self.errors:
            pairs = sum(dataset.size for dataset in fields["datasets"])
            seconds = training_rate([fields["aligner"]]).seconds(pairs)
            check_confirmed(self, f"Training on {pairs:,} pairs", seconds)
        return fields

    def _not_of(self, aligner: str) -> list[str]:
        """The fields that may be left empty, of parameters that an aligner does not have."""
        own = {one.name for one in ALIGNERS.get(aligner).parameters.parameters()}
        return [one.name for one in self.parameters if one.default is None and one.name not in own]

    def asked(self) -> dict[str, Any]:
        """The arguments of `launch_training` apart from who asks; empty fields are left to the aligner."""
        fields = self.cleaned_data
        own = {one.name for one in ALIGNERS.get(fields["aligner"]).parameters.parameters()}
        chosen = {name: fields[name] for name in self.more if name in own and fields[name] not in (None, "")}
        return {
            "name": fields["name"],
            "settings": {"aligner": fields["aligner"], **chosen},
            "datasets": list(fields["datasets"]),
            "texts": list(fields.get("texts", ())),
            "gold_set": fields.get("gold_set"),
        }


class ApplyForm(OrderedForm):
    """What is not aligned yet: `dataset:7` or `gold:3`."""

    target = forms.ChoiceField(label="Pairs of")

    def __init__(self, *args: Any, trained: TrainedAligner, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs = AlignerRun.objects.filter(trained=trained)
        project = trained.project
        datasets = project.datasets.current().exclude(pk__in=runs.exclude(dataset=None).values("dataset"))
        gold = project.gold_alignment_sets.current().exclude(
            pk__in=runs.exclude(gold_set=None).values("gold_set")
        )
        target: Any = self.fields["target"]
        target.choices = [
            *((f"gold:{one.pk}", f"{one}, gold links: scored as well") for one in gold),
            *((f"dataset:{one.pk}", f"{one}, {one.size:,} pairs") for one in datasets),
        ]
        self.possible = bool(datasets or gold)
        self.trained = trained

    def asked(self) -> dict[str, Any]:
        """The arguments of `apply_aligner` that name the pairs."""
        kind, _, number = self.cleaned_data["target"].partition(":")
        project = self.trained.project
        if kind == "gold":
            return {"gold_set": project.gold_alignment_sets.get(pk=number)}
        return {"dataset": project.datasets.get(pk=number)}


class ExperimentForm(OrderedForm):
    order = ("datasets", "gold_sets", "aligners", "symmetrisations", "taught_by", "name")
    more = ("sizes", "test_sentences")

    aligners = forms.MultipleChoiceField(widget=AlignerBoxes, initial=[DEFAULT_ALIGNER, "identity"])
    symmetrisations = forms.MultipleChoiceField(
        choices=[(name, name) for name in SYMMETRISATIONS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Symmetrisation",
        help_text="How aligners that draw links in both directions make one set of them: a training for "
        "each. None chosen: each aligner's own way.",
    )
    name = forms.CharField(max_length=80, required=False, help_text="Empty: experiment and a number.")
    sizes = forms.CharField(
        required=False,
        label="Learning curve: numbers of pairs",
        help_text="Such as 500 1000 2000: each dataset is drawn on for that many pairs too.",
    )
    test_sentences = forms.BooleanField(
        required=False,
        initial=True,
        label="Read the sentences of the gold sets as training text, never their links",
        help_text="As GIZA++ has to; without it the aligner meets them for the first time.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen, reason = default_datasets(project)
        rate = training_rate([DEFAULT_ALIGNER])
        self.fields["datasets"] = DatasetsField(
            project.datasets.current(),
            rate=rate,
            required=False,
            label="Training sets",
            initial=chosen,
            help_text=f"{reason} Times are for each aligner. {rate.origin}".strip(),
        )
        gold = project.gold_alignment_sets.current()
        self.fields["gold_sets"] = GoldTextsField(gold, label="Test sets", initial=list(gold[:1]))
        learning = ", ".join(method.id for method in ALIGNERS if method.learns_from_gold)
        self.fields["taught_by"] = GoldTextsField(
            gold,
            required=False,
            label=f"Gold links that {learning} learns from",
            help_text="A training for each. Test pairs that are among them are held out in five folds.",
        )
        offer(self.fields["aligners"], (choice[:3] for choice in experiment_choices()))

    def clean_sizes(self) -> list[int]:
        words = self.cleaned_data["sizes"].replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
            raise forms.ValidationError("Write whole numbers, separated by spaces.")
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        taught = [name for name in fields.get("aligners", ()) if name.endswith(TAUGHT)]
        if taught and not fields.get("taught_by"):
            learning = ", ".join(name.removesuffix(TAUGHT) for name in taught)
            self.add_error("taught_by", f"Choose the gold links that {learning} learns from.")
        if not self.errors:
            asked = self.asked()
            names = [one["aligner"] for one in symmetrised(asked["aligners"], asked["symmetrisations"])]
            trained = [name for name in names if ALIGNERS.get(name).learns_from_pairs]
            trainings = len(trained)
            pairs = trainings * sum(
                dataset.size + sum(min(size, dataset.size) for size in fields["sizes"])
                for dataset in fields["datasets"]
            )
            seconds = training_rate(sorted(set(trained))).seconds(pairs) if trained else 0
            check_confirmed(self, f"Training {trainings} aligners on {pairs:,} pairs in all", seconds)
        return fields

    def asked(self) -> dict[str, Any]:
        """The arguments of `launch_experiment` apart from who asks."""
        fields = self.cleaned_data
        choices = {value: settings for value, _, _, settings in experiment_choices()}
        aligners: list[dict[str, Any]] = []
        for name in fields["aligners"]:
            if name.endswith(TAUGHT):
                aligners += [choices[name] | {"taught_by": gold_set} for gold_set in fields["taught_by"]]
            else:
                aligners.append(choices[name])
        return {
            "name": fields["name"],
            "datasets": list(fields["datasets"]),
            "gold_sets": list(fields["gold_sets"]),
            "aligners": aligners,
            "symmetrisations": fields["symmetrisations"],
            "sizes": fields["sizes"],
            "test_sentences": fields["test_sentences"],
        }


class ClimbForm(OrderedForm):
    """A preset, one or two of its parameters with the values to try, and the aligner that is scored."""

    order = (
        *("preset", "parameter", "values", "second_parameter", "second_values"),
        *("gold_sets", "aligner", "name", "test_sentences"),
    )
    parameter = forms.ChoiceField(choices=CLIMBED_PARAMETERS, initial="max_edit_distance")
    values = forms.CharField(
        initial="4, 8, 12, 16, 20", help_text="Separated by commas: numbers, ratios such as 2/3, or none."
    )
    second_parameter = forms.ChoiceField(choices=[("", "none"), *CLIMBED_PARAMETERS], required=False)
    second_values = forms.CharField(
        required=False, help_text="Every value of the one is tried with every value of the other."
    )
    aligner = forms.ChoiceField(widget=AlignerRadios, initial="hmm")
    name = forms.CharField(max_length=80, required=False, help_text="Empty: experiment and a number.")
    test_sentences = forms.BooleanField(
        required=False,
        initial=True,
        label="Read the sentences of the gold sets as training text, never their links",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [(preset.name, preset.title) for preset in presets_of(project).values()]
        self.fields["preset"] = forms.ChoiceField(
            choices=known, initial=RECOMMENDED, help_text="Gives all other parameters."
        )
        gold = project.gold_alignment_sets.current()
        self.fields["gold_sets"] = GoldTextsField(gold, label="Test sets", initial=list(gold[:1]))
        trained = [one for one in experiment_choices() if one[2].learns_from_pairs and TAUGHT not in one[0]]
        offer(self.fields["aligner"], (choice[:3] for choice in trained))

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        second = fields.get("second_parameter")
        if bool(second) != bool(fields.get("second_values")):
            self.add_error("second_values", "Give a second parameter and its values, or neither.")
        elif second and second == fields.get("parameter"):
            self.add_error("second_parameter", "Choose another one than the first.")
        return fields

    def asked(self) -> dict[str, Any]:
        """The arguments of `launch_climb` apart from who asks."""
        fields = self.cleaned_data
        values = {fields["parameter"]: fields["values"].split(",")}
        if fields["second_parameter"]:
            values[fields["second_parameter"]] = fields["second_values"].split(",")
        settings = {value: settings for value, _, _, settings in experiment_choices()}
        return {
            "preset": fields["preset"],
            "values": values,
            "gold_sets": list(fields["gold_sets"]),
            "aligner": settings[fields["aligner"]],
            "test_sentences": fields["test_sentences"],
            "name": fields["name"],
        }


def experiment_choices() -> Iterable[tuple[str, str, AlignerMethod, dict[str, Any]]]:
    """Value and label of every aligner and variant that an experiment can have, the aligner, its settings."""
    for method in ALIGNERS:
        plain = {"aligner": method.id}
        if method.learns_from_gold:
            rules = f"{method.id}, by its fixed rules (no gold links are learned from)"
            yield method.id, rules, method, plain
            yield f"{method.id}{TAUGHT}", f"{method.id}, learning from gold links", method, plain
        else:
            yield method.id, method.label, method, plain
        for variant in method.variants:
            yield variant.id, variant.label, method, plain | dict(variant.settings)
