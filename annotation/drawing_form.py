"""The form that draws pairs into a judging batch."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms import LARGEST, BatchForm, DrawnFromField
from annotation.models import ClassifierRun, HandingOut
from annotation.services.drawing import dataset_to_draw_from, size_to_draw
from jobs.models import JobState
from paragold.sampling.strategy import UNCERTAINTY, DrawSpec
from paragold.spec import SpecError
from projects.models import PhenomenaScope, Project

PASSED = ("handing_out", "lease_minutes", "paraphrases_of")


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
        self.fields["dataset"] = dataset = DrawnFromField(
            project,
            empty_label=None,
            initial=first,
            help_text=f"{reason} Pairs from earlier batches are excluded by default.".strip(),
        )
        external = next(iter(dataset.external.values()), None)
        if first is not None:
            self.fields["size"].initial = size_to_draw(first)
        elif external is not None:
            self.fields["size"].initial = min(100, external.size)
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
            choices = next(one.choices for one in DrawSpec.parameters() if one.name == "by")
            by.choices = [choice for choice in choices if choice[0] != UNCERTAINTY]
            del self.fields["run"], self.fields["audit"]

    def parameters_of(self, given: dict[str, Any]) -> dict[str, Any]:
        if given.get("by") != UNCERTAINTY:
            return {name: value for name, value in given.items() if name not in ("run", "audit")}
        if "run" not in given:
            problem = "Choose the classifier for uncertainty sampling."
            raise SpecError([("run", problem)])
        return given | {"run": given["run"].pk}

    def batch(self) -> dict[str, Any]:
        """The arguments of `draw_judging_batch`, or of `launch_external_draw` for an external dataset."""
        fields = {name: value for name, value in self.cleaned_data.items() if name not in self.more}
        given = {name: value for name in self.more if (value := self.cleaned_data.get(name))}
        if "quota" in given:
            fields["quotas"] = dict.fromkeys(fields["annotators"], given["quota"])
        fields["strategy"] = fields.pop("spec")
        return fields | {name: given[name] for name in PASSED if name in given}
