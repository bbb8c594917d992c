"""How the methods are scored against gold sub-clusters."""

from __future__ import annotations

from django import forms

from annotation.specs import SubclusterScoresSpec
from projects.forms.spec_form import SpecForm


class SubclusterScoresForm(SpecForm):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = forms.FloatField(
        label="Share of the clusters to tune on",
        required=False,
        min_value=0.01,
        max_value=0.99,
        help_text="Leave empty to use the thresholds above. Otherwise those with the best F (beta 0.25) on "
        "this share are used, and the table is that of the other clusters.",
    )
