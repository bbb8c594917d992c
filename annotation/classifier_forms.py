"""Forms of the classifier pages. What they ask for is done by the services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.forms import OrderedForm
from annotation.models import ClassifierRun, GoldSet, TrainedClassifier
from annotation.services.classifiers.applying import application_cost, application_rate
from annotation.services.classifiers.measuring import alignment_error
from annotation.services.classifiers.training import training_cost
from annotation.services.drawing import default_datasets
from annotation.specs import TrainingSpec
from corpus.forms import ENCODINGS, DatasetField
from corpus.models import Lexicon, LexiconKind
from corpus.services.uploads import lines_of
from jobs.forms import check_confirmed
from jobs.models import JobState
from jobs.services.launch_cost import LaunchCost
from paragold.classification.classes import CLASSES
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.services.projects import first_free

ALIGNING = ("aligner", "identical_words", "symmetrisation")
MEGABYTES_AT_MOST = 50
# A file is not counted before it is sent: its cost is shown for so many pairs.
PAIRS_SHOWN = 1_000


class GoldSetField(forms.ModelChoiceField):
    def label_from_instance(self, obj: GoldSet) -> str:
        counts = obj.counts
        held_out = counts.get("held_out", 0)
        apart = f", {held_out:,} of held-out clusters: not trained on" if held_out else ""
        return f"{obj} ({counts.get('pairs', 0):,} pairs, {counts.get('paraphrase', 0):,} paraphrases{apart})"


class LexiconField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Lexicon) -> str:
        return obj.in_words


class TrainingForm(SpecForm):
    """Training data of a classifier, its features, and how it is fitted."""

    spec_class = TrainingSpec
    leave_out = ("report", "language")

    name = forms.CharField(max_length=80, initial="svm", help_text="A name in use gets its next version.")
    pairs = forms.FileField(
        required=False,
        label="Or a file of labelled pairs",
        help_text="label TAB sentence TAB sentence, or the format of the Microsoft Research Paraphrase "
        f"Corpus; {MEGABYTES_AT_MOST} MB at most.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="Encoding of the file."
    )
    shown_at_once = ("name", "gold_set", "pairs", "encoding", "lexicon", "classes", "aligned")
    folded = (
        *("pair_words", "function_words", "min_frequency"),
        *("loss", "c", "class_weight", "seed", "with_audit", "with_held_out", "bootstrap"),
        *ALIGNING,
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        latest = project.gold_sets.current().first()
        self.fields["gold_set"] = GoldSetField(
            project.gold_sets.current(), required=False, initial=latest, empty_label="None: use a file"
        )
        lexicons = project.lexicons.current().filter(kind=LexiconKind.ASSOCIATION, job__state=JobState.DONE)
        self.fields["lexicon"] = LexiconField(
            lexicons.select_related("dataset"),
            required=False,
            initial=lexicons.first(),
            empty_label="None: turn the class association off",
            label="Word association lexicon",
        )
        self.fields["bootstrap"] = DatasetField(
            project.datasets.current(),
            required=False,
            empty_label="No",
            label="Measure bootstrapping",
            help_text="Measures the effect of adding the classifier's own decisions on this dataset to its "
            "training pairs. The classifier itself is trained on people's labels only.",
        )
        if gold := alignment_error().gold(project):
            self.fields["aligned"] = DatasetField(
                project.datasets.current(),
                required=False,
                initial=next(iter(default_datasets(project)[0]), None),
                empty_label="No",
                label="Measure the alignment error rate",
                help_text="For each row of the feature class table, trains an aligner on the pairs "
                f"accepted from this dataset and scores it on {gold[1]}. Each row needs one training.",
            )
            for name in ALIGNING:
                self.fields[name].required = False
        else:
            for name in ALIGNING:
                del self.fields[name]
        self.order_fields([*self.shown_at_once, *self.folded])

    @property
    def shown(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.folded]

    @property
    def more(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in self.folded]

    def clean_pairs(self) -> Any:
        upload = self.cleaned_data.get("pairs")
        if upload and upload.size > MEGABYTES_AT_MOST << 20:
            raise forms.ValidationError(f"The file is larger than {MEGABYTES_AT_MOST} MB.")
        return upload

    def clean(self) -> dict[str, Any]:
        for name in ALIGNING:
            if self.cleaned_data.get(name) == "":
                del self.cleaned_data[name]
        cleaned = super().clean()
        if not self.errors:
            cost = self._cost_of(cleaned)
            further = "Choose the file again too." if cleaned.get("pairs") else ""
            check_confirmed(self, f"This training ({cost.processes})", cost.seconds, further=further)
        return cleaned

    def costs(self) -> list[tuple[str, LaunchCost]]:
        """The cost of what was sent, else of what the form begins with."""
        if self.is_bound and self.cleaned_data.keys() >= {"classes", "gold_set", "pairs"}:
            return [("With these choices", self._cost_of(self.cleaned_data))]
        chosen = {"classes": CLASSES}
        for name in ("gold_set", "aligned"):
            if name in self.fields:
                chosen[name] = self._begins_with(name)
        label = "With these choices" if chosen["gold_set"] else f"For each {PAIRS_SHOWN:,} pairs of a file"
        return [(label, self._cost_of(chosen))]

    def _begins_with(self, name: str) -> Any:
        try:
            return self.fields[name].clean(self.get_initial_for_field(self.fields[name], name))
        except forms.ValidationError:
            return None

    def _cost_of(self, chosen: Mapping[str, Any]) -> LaunchCost:
        pairs = PAIRS_SHOWN
        if chosen.get("pairs"):
            pairs = lines_of(chosen["pairs"])
        elif chosen.get("gold_set"):
            pairs = chosen["gold_set"].counts.get("pairs", 0)
        return training_cost(
            pairs,
            len(chosen["classes"]),
            bootstrap=chosen.get("bootstrap"),
            aligned=chosen.get("aligned"),
            aligner=chosen.get("aligner") or TrainingSpec().aligner,
        )

    def training(self) -> dict[str, Any]:
        """The arguments of `launch_training` apart from the file."""
        fields = {name: value for name, value in self.arguments().items() if name != "pairs"}
        return fields | {"encoding": fields["encoding"] or "utf-8"}


class ThresholdForm(OrderedForm):
    """Which pairs are accepted, and what the dataset is called."""

    threshold = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
        help_text="Minimum probability of an accepted pair, 0 to 1. Leave empty (recommended) to accept by "
        "the sign of the decision value.",
    )
    name = forms.CharField(
        max_length=80, label="Name of the refined dataset", widget=forms.TextInput(attrs={"dir": "auto"})
    )


class ApplicationForm(ThresholdForm):
    order = ("dataset", "threshold", "name")

    def __init__(self, *args: Any, classifier: TrainedClassifier, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        datasets = classifier.project.datasets.current()
        chosen, reason = default_datasets(classifier.project)
        first = next(iter(chosen), None)
        if first is None or self.initial.get("dataset", first.pk) != first.pk:
            reason = ""  # another one was asked for
        rate = application_rate()
        self.fields["dataset"] = DatasetField(
            datasets, rate=rate, empty_label=None, initial=first, help_text=f"{reason} {rate.origin}".strip()
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            cost = application_cost(cleaned["dataset"])
            check_confirmed(self, f"Applying it to {cost.processes}", cost.seconds)
        return cleaned


def free_dataset_name(project: Project, run_or_classifier: ClassifierRun | TrainedClassifier) -> str:
    """A name for a refined dataset that none has yet."""
    classifier = getattr(run_or_classifier, "classifier", run_or_classifier)
    taken = set(project.datasets.values_list("name", flat=True))
    return first_free(f"refined by {classifier}", taken, between=", ")
