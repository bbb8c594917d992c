"""The form of an experiment. What it asks for is done by the service."""

from __future__ import annotations

from typing import Any

from django import forms

from alignment.services.training_cost import training_rate
from alignment.training_forms import AlignerBoxes, DatasetsField, GoldTextsField, offer
from annotation.forms import OrderedForm
from annotation.services.default_dataset import default_datasets
from jobs.forms import check_confirmed
from paragold.aligners.registry import PROGRAMS as OTHERS
from paragold.aligners.registry import TRAINED
from projects.models import Project

MEANINGS = {
    "best": "best, by its fixed rules (no gold links are learned from)",
    "best-taught": "best, learning from gold links",
    "hmm": "hmm, the HMM model",
    "hmm-lexicon": "hmm with the papers' lexicon of identical words",
    "ibm1": "ibm1, IBM Model 1",
    "identity-stem": "identity-stem, equal words and stems: the baseline",
    "identity": "identity, equal words: the baseline",
}
PROGRAMS = {
    "eflomal": "eflomal with the lexicon, by intersection (Östling & Tiedemann 2016)",
    "giza": "GIZA++ with the lexicon, by intersection: the papers' aligner",
}
SETTINGS: dict[str, dict[str, Any]] = {"hmm-lexicon": {"aligner": "hmm", "lexicon": True}}


class ExperimentForm(OrderedForm):
    order = ("datasets", "gold_sets", "aligners", "taught_by", "name")
    more = ("sizes", "test_sentences")

    aligners = forms.MultipleChoiceField(widget=AlignerBoxes, initial=["best", "identity"])
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
        rate = training_rate(["best"])
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
        self.fields["taught_by"] = GoldTextsField(
            gold,
            required=False,
            label="Gold links that best learns from",
            help_text="A training for each. Test pairs that are among them are held out in five folds.",
        )
        offer(self.fields["aligners"], MEANINGS | PROGRAMS)

    def clean_sizes(self) -> list[int]:
        words = self.cleaned_data["sizes"].replace(",", " ").split()
        if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
            raise forms.ValidationError("Write whole numbers, separated by spaces.")
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if "best-taught" in fields.get("aligners", ()) and not fields.get("taught_by"):
            self.add_error("taught_by", "Choose the gold links that best learns from.")
        if not self.errors:
            trained = [
                one["aligner"] for one in self.asked()["aligners"] if one["aligner"] in (*TRAINED, *OTHERS)
            ]
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
        aligners: list[dict[str, Any]] = []
        for name in fields["aligners"]:
            if name == "best-taught":
                aligners += [{"aligner": "best", "taught_by": gold_set} for gold_set in fields["taught_by"]]
            else:
                aligners.append(SETTINGS.get(name, {"aligner": name}))
        return {
            "name": fields["name"],
            "datasets": list(fields["datasets"]),
            "gold_sets": list(fields["gold_sets"]),
            "aligners": aligners,
            "sizes": fields["sizes"],
            "test_sentences": fields["test_sentences"],
        }
