"""Forms of training an aligner, of applying one, and of experiments; the services do what they ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet

from alignment.forms import GoldLinksField
from alignment.models import AlignerRun, GoldAlignmentSet, TrainedAligner
from alignment.services.trained_aligners.launching import training_rate
from annotation.forms import OrderedForm
from annotation.services.drawing import default_datasets
from corpus.forms import dataset_label
from corpus.models import Dataset
from corpus.services.presets import presets_of
from jobs.forms import check_confirmed
from jobs.services.launch_cost import Rate
from paragold.aligners.method import AlignerMethod
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, all_parameters, symmetrised
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.extraction.criteria import PARAMETERS
from paragold.extraction.presets import RECOMMENDED
from paragold.spec import SpecError
from projects.forms.spec_form import form_field
from projects.models import Project

CLIMBED_PARAMETERS = [
    (name, parameter.label)
    for name, parameter in PARAMETERS.items()
    if parameter.kind in ("whole number", "ratio")
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


def offer(field: Any, choices: Iterable[tuple[str, str, AlignerMethod]]) -> None:
    """Give a field its choices: value, label, aligner. What is missing says what installs it."""
    offered = [(value, label, method, method.install_hint()) for value, label, method in choices]
    field.widget.reasons = {value: hint for value, *_, hint in offered if hint}
    missing = {True: "Not available", False: "Not installed"}
    field.choices = [
        (value, f"{label}. {missing[method.over_http]}: {hint}" if hint else label)
        for value, label, method, hint in offered
    ]


class TrainingForm(OrderedForm):
    """An aligner, what it is trained on, and a field for each parameter that any of the aligners has."""

    aligner = forms.ChoiceField(widget=AlignerRadios, initial=DEFAULT_ALIGNER)
    name = forms.CharField(
        max_length=80,
        required=False,
        help_text="Leave empty to use the aligner's name. A name in use gets its next version.",
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
            empty_label="None",
            label=f"Gold links that {learning} learns from",
            help_text="Their sentences are training text too.",
        )
        self.fields["other_gold"] = other_gold_field(gold)
        self.fields["texts"] = GoldTextsField(
            gold,
            required=False,
            label="Sentences of gold sets",
            help_text="Only the sentences are training text, never the links.",
        )
        if not gold:
            for name in ("gold_set", "other_gold", "texts"):
                del self.fields[name]
        self.parameters = all_parameters()
        for parameter in self.parameters:
            self.fields[parameter.name] = form_field(parameter)
            self.fields[parameter.name].required = False
        self.more = tuple(parameter.name for parameter in self.parameters)
        first = ("aligner", "datasets", "gold_set", "other_gold", "texts", "name")
        self.order = (*first, *self.more)
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
                    self.add_error(name, f"{fields['aligner']} has no such choice. Leave it empty.")
        if not self.errors:
            pairs = sum(dataset.size for dataset in fields["datasets"])
            seconds = training_rate([fields["aligner"]]).seconds(pairs)
            check_confirmed(self, f"Training on {pairs:,} pairs", seconds)
        return fields

    def _not_of(self, aligner: str) -> list[str]:
        """The fields that may be left empty, of parameters that an aligner does not have."""
        own = {one.name for one in ALIGNERS.get(aligner).parameters.parameters()}
        return [one.name for one in self.parameters if one.default is None and one.name not in own]

    def arguments(self) -> dict[str, Any]:
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
            "other_gold": list(fields.get("other_gold", ())),
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
            *((f"gold:{one.pk}", f"{one}, gold links: also scored") for one in gold),
            *((f"dataset:{one.pk}", f"{one}, {one.size:,} pairs") for one in datasets),
        ]
        self.possible = bool(datasets or gold)
        self.trained = trained

    def arguments(self) -> dict[str, Any]:
        """The arguments of `apply_aligner` that name the pairs."""
        kind, _, number = self.cleaned_data["target"].partition(":")
        project = self.trained.project
        if kind == "gold":
            return {"gold_set": project.gold_alignment_sets.get(pk=number)}
        return {"dataset": project.datasets.get(pk=number)}


class TrainingCost(NamedTuple):
    """How many trainings, on how many pairs in all, in how many seconds."""

    trainings: int
    pairs: int
    seconds: float
    rate: Rate


Sections = Mapping[tuple[str, str], tuple[str, ...]]
EXPERIMENT_SECTIONS: Sections = {
    ("What is trained", "A row of the table for each aligner and training set."): (
        "datasets", "aligners", "symmetrisations", "taught_by", "other_gold",
    ),
    ("What it is tested on", "A table for each test set; fewer than 50 pairs decide nothing."): (
        "gold_sets", "test_sentences", "held_out_sentences",
    ),
    ("Learning curve and name", ""): ("sizes", "name"),
}  # fmt: skip
CLIMB_SECTIONS: Sections = {
    ("What is extracted", "A training set for each value; nothing that is extracted is stored."): (
        "preset", "parameter", "values", "second_parameter", "second_values",
    ),
    ("What is trained and tested", "A table for each test set."): (
        "aligner", "gold_sets", "test_sentences", "name",
    ),
}  # fmt: skip


class TestedForm(OrderedForm):
    """What experiments and climbs have in common: the sets of gold links to test on, and a name."""

    name = forms.CharField(max_length=80, required=False, help_text="Leave empty to number the experiments.")
    test_sentences = forms.BooleanField(
        required=False,
        initial=True,
        label="Train on the sentences of the gold sets too, never on their links",
        help_text="GIZA++ always does. Off: test sentences are new to the aligner.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gold = project.gold_alignment_sets.current()
        self.fields["gold_sets"] = GoldTextsField(self.gold, label="Test sets", initial=list(self.gold[:1]))

    def grouped(self, sections: Sections) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The fields by section; those in none, such as a confirmation, are last."""
        placed = {name for names in sections.values() for name in names}
        shown = [
            (heading, words, [self[name] for name in names if name in self.fields])
            for (heading, words), names in sections.items()
        ]
        rest = [self[name] for name in self.fields if name not in placed]
        return [*shown, *([("Confirm", "", rest)] if rest else [])]


class ExperimentForm(TestedForm):
    aligners = forms.MultipleChoiceField(widget=AlignerBoxes, initial=[DEFAULT_ALIGNER, "identity"])
    symmetrisations = forms.MultipleChoiceField(
        choices=[(name, name) for name in SYMMETRISATIONS],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Symmetrisation",
        help_text="Trains once with each choice, for aligners that combine both directions. None chosen "
        "(recommended): each aligner's own default.",
    )
    held_out_sentences = forms.BooleanField(
        required=False,
        label="Also on test sentences of held-out clusters",
        help_text="Off (recommended): nothing of held-out clusters is used for training.",
    )
    sizes = forms.CharField(
        required=False,
        label="Learning curve: numbers of pairs",
        help_text="Also trains on that many random pairs of each dataset, such as 500 1000 2000.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        chosen, reason = default_datasets(project)
        rate = training_rate([DEFAULT_ALIGNER])
        self.fields["datasets"] = DatasetsField(
            project.datasets.current(),
            rate=rate,
            required=False,
            label="Training sets",
            initial=chosen,
            help_text=f"Each aligner is trained on each of them. {reason} Times are for one aligner. "
            f"{rate.origin}".strip(),
        )
        learning = ", ".join(method.id for method in ALIGNERS if method.learns_from_gold)
        self.fields["taught_by"] = GoldTextsField(
            self.gold,
            required=False,
            label=f"Gold links that {learning} learns from",
            help_text="Trains once with each. Test pairs among them are held out in five folds.",
        )
        self.fields["other_gold"] = other_gold_field(self.gold)
        self.fields["other_gold"].help_text += " Trains once without them and once with them."
        offer(self.fields["aligners"], (choice[:3] for choice in experiment_choices()))
        # By aligner of a plug-in: the parameters by the names of their fields.
        self.of_plugins = {
            method.id: {f"{method.id}.{one.name}": one for one in method.parameters.parameters()}
            for method in ALIGNERS
            if ALIGNERS.plugin(method.id)
        }
        for parameters in self.of_plugins.values():
            for field, parameter in parameters.items():
                self.fields[field] = form_field(parameter)
                self.fields[field].required = False

    def _chosen_parameters(self, aligner: str) -> dict[str, Any]:
        """The parameters that were chosen for an aligner of a plug-in; {} for all others."""
        given = {
            parameter.name: self.cleaned_data.get(field)
            for field, parameter in self.of_plugins.get(aligner, {}).items()
        }
        return {name: value for name, value in given.items() if value not in (None, "")}

    def clean_sizes(self) -> list[int]:
        words = self.cleaned_data["sizes"].replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
            raise forms.ValidationError("Write whole numbers, separated by spaces.")
        return [int(word) for word in words]

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
            datasets, sizes, arguments = (
                self.cleaned_data["datasets"],
                self.cleaned_data["sizes"],
                self.arguments(),
            )
            chosen = symmetrised(arguments["aligners"], arguments["symmetrisations"])
            names = [one["aligner"] for one in chosen]
        else:
            datasets, sizes = self.fields["datasets"].initial, []
            names = list(self.fields["aligners"].initial)
        trained = [name for name in names if ALIGNERS.get(name).learns_from_pairs]
        each = sum(one.size + sum(min(size, one.size) for size in sizes) for one in datasets)
        pairs = len(trained) * each
        rate = training_rate(sorted(set(trained)) or [DEFAULT_ALIGNER])
        seconds = rate.seconds(pairs) if trained else 0
        trainings = (
            len(names)
            + len(trained) * sum(sum(size < one.size for size in sizes) + 1 for one in datasets)
            - len(trained)
        )
        return TrainingCost(trainings, pairs, seconds, rate)

    @property
    def sections(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The fields by what they decide: a heading, what it changes, the fields."""
        of_plugins = {
            (f"Parameters of {aligner}", f"Used if {aligner} is chosen above."): tuple(parameters)
            for aligner, parameters in self.of_plugins.items()
            if parameters
        }
        (trained, names), *others = EXPERIMENT_SECTIONS.items()
        return self.grouped({trained: names, **of_plugins, **dict(others)})

    def arguments(self) -> dict[str, Any]:
        """The arguments of `launch_experiment` apart from who asks."""
        fields = self.cleaned_data
        choices = {value: settings for value, _, _, settings in experiment_choices()}
        aligners: list[dict[str, Any]] = []
        for name in fields["aligners"]:
            if name.endswith(TAUGHT):
                for gold_set in fields["taught_by"]:
                    taught = choices[name] | {"taught_by": gold_set}
                    others = [one for one in fields["other_gold"] if one != gold_set]
                    aligners += [
                        taught | besides for besides in ({}, {"other_gold": others})[: 1 + bool(others)]
                    ]
            else:
                aligners.append(choices[name] | self._chosen_parameters(name))
        return {
            "name": fields["name"],
            "datasets": list(fields["datasets"]),
            "gold_sets": list(fields["gold_sets"]),
            "aligners": aligners,
            "symmetrisations": fields["symmetrisations"],
            "sizes": fields["sizes"],
            "test_sentences": fields["test_sentences"],
            "held_out_sentences": fields["held_out_sentences"],
        }


class ClimbForm(TestedForm):
    """A preset, one or two of its parameters with the values to try, and the aligner that is scored."""

    parameter = forms.ChoiceField(choices=CLIMBED_PARAMETERS, initial="max_edit_distance")
    values = forms.CharField(
        initial="4, 8, 12, 16, 20", help_text="Separated by commas: numbers, ratios such as 2/3, or none."
    )
    second_parameter = forms.ChoiceField(choices=[("", "none"), *CLIMBED_PARAMETERS], required=False)
    second_values = forms.CharField(
        required=False, help_text="All combinations of the two parameters are tried."
    )
    aligner = forms.ChoiceField(widget=AlignerRadios, initial="hmm")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        known = [(preset.name, preset.title) for preset in presets_of(project).values()]
        self.fields["preset"] = forms.ChoiceField(
            choices=known,
            initial=RECOMMENDED,
            help_text="Preset that sets all parameters which are not climbed.",
        )
        trained = [one for one in experiment_choices() if one[2].learns_from_pairs and TAUGHT not in one[0]]
        offer(self.fields["aligner"], (choice[:3] for choice in trained))

    @property
    def sections(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        return self.grouped(CLIMB_SECTIONS)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        second = fields.get("second_parameter")
        if bool(second) != bool(fields.get("second_values")):
            self.add_error("second_values", "Choose a second parameter and its values, or neither.")
        elif second and second == fields.get("parameter"):
            self.add_error("second_parameter", "Choose another parameter than the first.")
        return fields

    def arguments(self) -> dict[str, Any]:
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
            rules = f"{method.id}, with fixed rules (not trained on gold links)"
            yield method.id, rules, method, plain
            yield f"{method.id}{TAUGHT}", f"{method.id}, trained on gold links", method, plain
        else:
            yield method.id, method.label, method, plain
        for variant in method.variants:
            yield variant.id, variant.label, method, plain | dict(variant.settings)
