"""How the methods are scored against gold sub-clusters."""

from __future__ import annotations

from django import forms

from corpus.forms.headline_matching import HeadlineSettingsForm
from paragold.matching.settings import LARGEST_SEED

WEIGHTS = [
    ("cluster", "within each cluster, as in the paper"),
    ("file", "over all headlines of this gold set"),
]


class SubclusterScoresForm(HeadlineSettingsForm):
    share = forms.FloatField(
        label="Share of the clusters to tune on",
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text="Left empty, the thresholds above are used. Otherwise those with the best F (beta 0.25) on "
        "this share, and the table is that of the other clusters.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=LARGEST_SEED, initial=1, help_text="Decides which clusters are tuned on."
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        weights = self.fields["weights"]
        assert isinstance(weights, forms.ChoiceField)  # noqa: S101 - for the type checker
        weights.choices = WEIGHTS
