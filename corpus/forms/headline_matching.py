"""Launching a matching of headlines."""

from __future__ import annotations

from typing import Any

from django import forms

from paragold.matching.headline_links import LARGEST_PK1, HeadlineSettings
from paragold.matching.headline_pairs import LOWER, UPPER, PairwiseThresholds
from paragold.matching.kmeans import PK1_THRESHOLD

from .matching import CLUSTERS

METHODS = [
    ("pairwise", "pair by pair: two thresholds, and the context in between"),
    ("kmeans", "k-means in each cluster, with the number of groups by PK1"),
]
WEIGHTS = [
    ("cluster", "within each cluster, as in the paper"),
    ("file", "over all headlines of the project; better for clusters of a few headlines"),
]


class HeadlineSettingsForm(forms.Form):
    """How headlines are linked; what a matching and the scores against gold sub-clusters have in common."""

    upper = forms.FloatField(
        label="Upper threshold",
        min_value=0,
        max_value=1,
        initial=UPPER,
        help_text="Pair by pair: a cosine above it is accepted.",
    )
    lower = forms.FloatField(
        label="Lower threshold",
        min_value=0,
        max_value=1,
        initial=LOWER,
        help_text="One below it is rejected. Between the two the contexts decide, by the upper threshold.",
    )
    closure = forms.BooleanField(
        label="Add what links imply",
        required=False,
        help_text="Pair by pair: when one goes with two, the two go with each other.",
    )
    pk1 = forms.FloatField(
        label="Threshold of PK1",
        min_value=-LARGEST_PK1,
        max_value=LARGEST_PK1,
        initial=PK1_THRESHOLD,
        help_text="k-means: in standard deviations of the criterion over all numbers of groups.",
    )
    weights = forms.ChoiceField(
        label="Weights of words", choices=WEIGHTS, widget=forms.RadioSelect, initial="cluster"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "upper" in cleaned and "lower" in cleaned and cleaned["lower"] > cleaned["upper"]:
            self.add_error("lower", "It may not be above the upper threshold.")
        return cleaned

    def settings(self) -> HeadlineSettings:
        """Only of a valid form. Without the method, if it is not among the fields, and the language."""
        chosen = self.cleaned_data
        return HeadlineSettings(
            method=chosen.get("method", "pairwise"),
            thresholds=PairwiseThresholds(chosen["upper"], chosen["lower"]),
            closure=chosen["closure"],
            pk1=chosen["pk1"],
            weights=chosen["weights"],
        )


class HeadlineMatchingForm(HeadlineSettingsForm):
    method = forms.ChoiceField(choices=METHODS, widget=forms.RadioSelect, initial="pairwise")
    clusters = forms.ChoiceField(choices=CLUSTERS, initial="all")
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after the method. A taken name gets a number.",
    )
    field_order = ("method", "upper", "lower", "closure", "pk1", "weights", "clusters", "name")
