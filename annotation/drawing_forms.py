"""The forms that draw batches: who annotates, and how many pairs there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _

from annotation.forms import annotators_of, free_name, who_may_decide
from annotation.models import ClassifierRun
from annotation.services.drawing import available_pairs, dataset_to_draw_from
from corpus.models import Dataset
from jobs.launch_form import LaunchForm
from jobs.models import JobState
from paragold.sampling.strategy import UNCERTAINTY, DrawSpec
from projects.interface_language import in_language
from projects.listings import grouped

DEFAULT_SIZE = 100
# So many available pairs are counted: counting millions takes 15 seconds.
COUNTED = 20_000
# Another dataset has another number of available pairs: the field of the size is fetched again.
REFRESHING = {
    "hx-get": "",
    "hx-trigger": "change",
    "hx-target": "#id_size_helptext",
    "hx-select": "#id_size_helptext",
    "hx-select-oob": "#id_size",
    "hx-swap": "outerHTML",
}


def _cost_of_annotating(deciders: Sequence[str], chosen: Sequence[str]) -> str:
    """What it costs to have managers or adjudicators annotate; "" where none of the annotators is one."""
    if not deciders:
        return ""
    names = ", ".join(deciders)
    cost = _(
        "Annotators of a batch cannot decide its disputes: as an annotator, %(names)s cannot adjudicate it."
    ) % {"names": names}
    if set(deciders) & set(chosen):
        return _("%(cost)s Preselected because nobody else annotates; add an annotator under Members.") % {
            "cost": cost
        }
    return _("%(cost)s Not preselected for this reason.") % {"cost": cost}


class BatchForm(LaunchForm):
    """A new batch begins with a free name and with annotators who do not decide its disputes."""

    stem: ClassVar[str] = "Batch"

    def fit(self) -> None:
        people = [user.username for user in annotators_of(self.project)]
        deciders = who_may_decide(self.project).intersection(people)
        chosen = [name for name in people if name not in deciders] or people
        names = list(self.project.batches.values_list("name", flat=True))
        annotators = self.fields["annotators"]
        annotators.initial = chosen
        annotators.help_text = _cost_of_annotating([name for name in people if name in deciders], chosen)
        annotators.error_messages["required"] = _("Choose at least one annotator.")
        if "expert_batch" not in self.fields:
            self.fields.pop("expert", None)
        if "overlap" in self.fields:
            self.fields["overlap"].initial = min(self.project.overlap, max(1, len(chosen)))
        self.fields["name"].initial = free_name(names, self.stem)
        self.fields["seed"].initial = len(names) + 1
        for parameter in self.operation.parameters():
            # Left empty, it is the default.
            self.fields[parameter.name].required = False


class RunField(forms.ModelChoiceField):
    def label_from_instance(self, obj: ClassifierRun) -> str:
        return _("%(classifier)s (applied to %(dataset)s)") % {
            "classifier": obj.classifier,
            "dataset": obj.dataset.name,
        }


class JudgingForm(BatchForm):
    stem = "Judging"

    def fit(self) -> None:
        super().fit()
        scheme = _(self.project.get_scheme_display())
        self.note = _("%(scheme)s, as in the project's settings.") % {"scheme": scheme}
        field = self.fields["dataset"]
        first, reason = dataset_to_draw_from(self.project)
        asked = self.data.get("dataset") if self.is_bound else self.asked.get("dataset")
        field.initial = first
        excluded = _("Pairs from earlier batches are excluded by default.")
        field.help_text = excluded if asked else f"{reason} {excluded}".strip()
        field.widget.attrs |= REFRESHING
        try:
            chosen = field.clean(asked) if asked else first
        except forms.ValidationError:
            chosen = None
        if chosen is not None:
            self._offer(chosen)
        self.fields["count_phenomena"].initial = self.project.count_phenomena
        runs = ClassifierRun.objects.current().filter(
            classifier__project=self.project, job__state=JobState.DONE
        )
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
            choices = DrawSpec.parameter("by").choices
            by.choices = in_language(choice for choice in choices if choice[0] != UNCERTAINTY)
            del self.fields["run"], self.fields["audit"]

    def _offer(self, dataset: Dataset) -> None:
        """Begin with as many pairs as there are, and say how many."""
        there = available_pairs(dataset, most=COUNTED)
        size = self.fields["size"]
        size.initial = min(DEFAULT_SIZE, there) or None
        text = _("%(there)s of the %(size)s pairs of %(dataset)s are available")
        if there == COUNTED:
            text = _("At least %(there)s of the %(size)s pairs of %(dataset)s are available")
        others = _("; the others are in earlier batches or of held-out clusters.")
        size.help_text = text % {
            "there": grouped(there), "size": grouped(dataset.size), "dataset": dataset.name,
        }  # fmt: skip
        size.help_text += "." if there == dataset.size else others

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if fields.get("by") == UNCERTAINTY and not fields.get("run"):
            self.add_error("run", _("Choose the classifier for uncertainty sampling."))
        return fields

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """A run counts only where pairs are drawn by uncertainty."""
        run, by = values.get("run"), values.get("by")
        given = {name: value for name, value in values.items() if name not in ("run", "audit")}
        if by == UNCERTAINTY and run is not None:
            given |= {"run": run.pk, "audit": values.get("audit")}
        elif by == UNCERTAINTY:
            del given["by"]
        return super().arguments_of(given)


class TrainingBatchForm(BatchForm):
    stem = "Training"


class SplittingForm(BatchForm):
    stem = "Splitting"

    def fit(self) -> None:
        super().fit()
        self.fields["overlap"].help_text = _("Number of annotators for each cluster.")
        self.fields["seed"].help_text = _("The same seed draws the same clusters again.")
