"""The form that draws pairs into a judging batch."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms import LARGEST, BatchForm, DatasetField
from annotation.models import ClassifierRun, HandingOut
from annotation.services.default_dataset import dataset_to_draw_from
from jobs.models import JobState
from paragold.sampling.strategy import UNCERTAINTY, Strategy
from projects.models import Project

STRATIFICATION = [
    ("random", "Nothing: plain random draw"),
    ("method", "Method: which extractions found the pair"),
    ("edit_distance", "Edit distance: 0-4, 5-8, 9-12, 13-20, 21 and over"),
    ("cluster", "Cluster"),
    (UNCERTAINTY, "Uncertainty: the pairs that a classifier is least sure of"),
]


PASSED = ("handing_out", "lease_minutes", "paraphrases_of")


class RunField(forms.ModelChoiceField):
    def label_from_instance(self, obj: ClassifierRun) -> str:
        return f"{obj.classifier} (applied to {obj.dataset.name})"


class JudgingBatchForm(BatchForm):
    stem = "Judging"

    strategy_fields = ("by", "allocation", "per_cluster", "clusters", "rejected", "again", "run", "audit")
    more = ("handing_out", "lease_minutes", "quota", "paraphrases_of", *strategy_fields)
    order = (*BatchForm.order, "asks_phenomena")

    size = forms.IntegerField(min_value=1, max_value=LARGEST, label="Pairs")
    handing_out = forms.ChoiceField(
        required=False,
        choices=HandingOut.choices,
        help_text="At once keeps the order of items independent of what others do.",
    )
    lease_minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000,
        initial=60,
        label="Minutes until an unanswered item returns",
        help_text="For items that are taken as people come.",
    )
    quota = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        label="Quota of each annotator",
        help_text="Pairs at most; empty: no limit. It can be changed for each on the batch's page.",
    )
    by = forms.ChoiceField(
        required=False,
        label="Stratified by",
        choices=STRATIFICATION,
    )
    audit = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        initial=20,
        label="Audit share, percent",
        help_text="With a classifier this part of the batch is drawn at random and kept apart: precision and "
        "recall are estimated from it, and the next classifier does not learn from it.",
    )
    allocation = forms.ChoiceField(
        required=False,
        label="Share of each stratum",
        choices=[
            ("proportional", "Proportional to its size"),
            ("equal", "Equal, as far as the strata reach"),
        ],
    )
    per_cluster = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST,
        label="At most of one cluster",
        help_text="Empty: no limit.",
    )
    clusters = forms.ChoiceField(
        required=False,
        choices=[
            ("all", "All clusters of the dataset"),
            ("only", "Held-out clusters only"),
            ("rest", "Clusters that are not held out"),
        ],
    )
    rejected = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=100,
        label="Rejected pairs, percent",
        help_text="This part of the batch is drawn at random from the sentence pairs that no extraction "
        "of the dataset found: what the extractions miss is estimated from it.",
    )
    again = forms.BooleanField(
        required=False, label="Draw pairs again", help_text="Also pairs that an earlier batch holds."
    )
    asks_phenomena = forms.BooleanField(
        required=False,
        label="Ask for phenomena",
        help_text="A second step after “paraphrase”: how many elaborations, phrasal changes, spellings, "
        "synonyms, anaphora and reorderings there are.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        first, reason = dataset_to_draw_from(project)
        if "dataset" in self.initial:  # asked for, and not preselected for that reason
            reason = ""
        self.fields["dataset"] = DatasetField(
            project.datasets.current(),
            empty_label=None,
            initial=first,
            help_text=f"{reason} Pairs from earlier batches are excluded by default.".strip(),
        )
        self.fields["size"].initial = min(100, first.size) if first else None
        self.fields["asks_phenomena"].initial = project.asks_phenomena
        self.fields["paraphrases_of"] = forms.ModelChoiceField(
            project.gold_sets.current(),
            required=False,
            label="Only paraphrases of",
            empty_label="No gold set: all pairs of the dataset",
            help_text="For a batch in which phenomena are counted apart: pairs that the gold set calls "
            "paraphrases or partial ones are drawn again.",
        )
        runs = ClassifierRun.objects.current().filter(classifier__project=project, job__state=JobState.DONE)
        self.fields["run"] = RunField(
            runs.select_related("classifier", "dataset"),
            required=False,
            label="Classifier",
            help_text="For a draw by uncertainty: one that was applied to the dataset.",
        )
        if not runs.exists():
            by = self.fields["by"]
            assert isinstance(by, forms.ChoiceField)  # noqa: S101 - tells the type checker what the class says
            by.choices = STRATIFICATION[:-1]
            del self.fields["run"], self.fields["audit"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("by") == UNCERTAINTY and not cleaned.get("run"):
            self.add_error("run", "Choose the classifier whose uncertain pairs are to be drawn.")
        return cleaned

    def batch(self) -> dict[str, Any]:
        """The arguments of `draw_judging_batch`; a field of the strategy that is empty is its default."""
        fields = {name: value for name, value in self.cleaned_data.items() if name not in self.more}
        given = {name: value for name in self.more if (value := self.cleaned_data.get(name))}
        settings = {name: given[name] for name in self.strategy_fields if name in given}
        if settings.get("by") == UNCERTAINTY:
            settings["run"] = settings["run"].pk
        else:
            settings = {name: value for name, value in settings.items() if name not in ("run", "audit")}
        fields["strategy"] = Strategy(**settings)
        if "quota" in given:
            fields["quotas"] = dict.fromkeys(fields["annotators"], given["quota"])
        return fields | {name: given[name] for name in PASSED if name in given}
