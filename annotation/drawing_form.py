"""The form that draws pairs into a judging batch."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms import LARGEST, BatchForm
from annotation.models import ClassifierRun, HandingOut
from annotation.services.drawing import available_pairs, dataset_to_draw_from
from corpus.forms import DatasetField
from corpus.models import Dataset
from jobs.models import JobState
from paragold.sampling.strategy import UNCERTAINTY, DrawSpec
from paragold.spec import SpecError
from projects.models import PhenomenaScope, Project

PASSED = ("handing_out", "lease_minutes", "paraphrases_of")
DEFAULT_SIZE = 100
# Another dataset has another number of available pairs: the field of the size is fetched again.
REFRESHING = {
    "hx-get": "",
    "hx-trigger": "change",
    "hx-target": "#id_size_helptext",
    "hx-select": "#id_size_helptext",
    "hx-select-oob": "#id_size",
    "hx-swap": "outerHTML",
}


class RunField(forms.ModelChoiceField):
    def label_from_instance(self, obj: ClassifierRun) -> str:
        return f"{obj.classifier} (applied to {obj.dataset.name})"


class JudgingBatchForm(BatchForm):
    stem = "Judging"

    spec_class = DrawSpec
    more = (
        *("handing_out", "lease_minutes", "quota", "paraphrases_of"),
        *(parameter.name for parameter in DrawSpec.parameters()),
    )
    order = (*BatchForm.order, "count_phenomena")

    size = forms.IntegerField(min_value=1, max_value=LARGEST, label="Pairs")
    handing_out = forms.ChoiceField(
        required=False,
        choices=HandingOut.choices,
        label="Assignment",
        help_text="At once (recommended): each annotator's order of items does not depend on others.",
    )
    lease_minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000,
        initial=60,
        label="Minutes until an unanswered item returns",
        help_text="Only for items assigned on demand: after this time another annotator can take it.",
    )
    quota = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        label="Quota of each annotator",
        help_text="Maximum pairs for each annotator. Empty: no limit. You can change it per annotator on "
        "the batch's page.",
    )
    count_phenomena = forms.ChoiceField(
        required=False,
        choices=PhenomenaScope.choices,
        label="Count phenomena",
        help_text="Adds a step after the answer: annotators count elaborations, phrasal changes, "
        "spellings, synonyms, anaphora and reorderings.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        first, reason = dataset_to_draw_from(project)
        if "dataset" in self.initial:  # asked for, and not preselected for that reason
            reason = ""
        self.fields["dataset"] = dataset = DatasetField(
            project.datasets.current(),
            empty_label=None,
            initial=first,
            help_text=f"{reason} Pairs from earlier batches are excluded by default.".strip(),
        )
        dataset.widget.attrs |= REFRESHING
        chosen = self._chosen(dataset) or first
        if chosen is not None:
            self._offer(chosen)
        self.fields["count_phenomena"].initial = project.count_phenomena
        self.fields["paraphrases_of"] = forms.ModelChoiceField(
            project.gold_sets.current(),
            required=False,
            label="Only paraphrases of",
            empty_label="No gold set: all pairs of the dataset",
            help_text="Draws only pairs that are paraphrases or partial paraphrases in this gold set, "
            "again, for a separate count of phenomena.",
        )
        runs = ClassifierRun.objects.current().filter(classifier__project=project, job__state=JobState.DONE)
        about = self.fields["run"]
        self.fields["run"] = RunField(
            runs.select_related("classifier", "dataset"),
            required=False,
            label=about.label,
            help_text=about.help_text,
        )
        if not runs.exists():
            by = self.fields["by"]
            assert isinstance(by, forms.ChoiceField)  # noqa: S101 - tells the type checker what the class says
            choices = next(param.choices for param in DrawSpec.parameters() if param.name == "by")
            by.choices = [choice for choice in choices if choice[0] != UNCERTAINTY]
            del self.fields["run"], self.fields["audit"]

    def _chosen(self, field: DatasetField) -> Dataset | None:
        """The dataset that was sent, or that the address asks for."""
        value = self.data.get("dataset") if self.is_bound else self.initial.get("dataset")
        try:
            chosen: Dataset | None = field.to_python(value)
        except forms.ValidationError:
            return None
        return chosen

    def _offer(self, dataset: Dataset) -> None:
        """Begin with as many pairs as there are, and say how many."""
        there = available_pairs(dataset)
        size = self.fields["size"]
        size.initial = min(DEFAULT_SIZE, there) or None
        size.help_text = f"{there:,} of the {dataset.size:,} pairs of {dataset.name} are available"
        size.help_text += (
            "." if there == dataset.size else "; the others are in earlier batches or of held-out clusters."
        )

    def parameters_of(self, given: dict[str, Any]) -> dict[str, Any]:
        if given.get("by") != UNCERTAINTY:
            return {name: value for name, value in given.items() if name not in ("run", "audit")}
        if "run" not in given:
            problem = "Choose the classifier for uncertainty sampling."
            raise SpecError([("run", problem)])
        return given | {"run": given["run"].pk}

    def batch(self) -> dict[str, Any]:
        """The arguments of `draw_judging_batch`."""
        fields = {name: value for name, value in self.cleaned_data.items() if name not in self.more}
        given = {name: value for name in self.more if (value := self.cleaned_data.get(name))}
        if "quota" in given:
            fields["quotas"] = dict.fromkeys(fields["annotators"], given["quota"])
        fields["strategy"] = fields.pop("spec")
        return fields | {name: given[name] for name in PASSED if name in given}
