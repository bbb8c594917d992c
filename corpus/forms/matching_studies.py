"""Launching a study of matching: texts, their answer key, and what is compared."""

from __future__ import annotations

from typing import Any

from django import forms

from paragold.matching.settings import MatchingSpec
from paragold.matching.study import PERMUTATIONS
from paragold.spec import LARGEST_SEED
from projects.forms.spec_form import form_field

from .importing import ENCODINGS

MATCHING = {parameter.name: parameter for parameter in MatchingSpec.parameters()}


class MatchingStudyForm(forms.Form):
    name = forms.CharField(max_length=80)
    first = forms.FileField(
        label="Texts",
        help_text="Lines of id TAB text, a paragraph or a sentence each, or TSV with columns id and text.",
    )
    second = forms.FileField(
        label="Other texts",
        required=False,
        help_text="In the same way, to be compared with the first. Without it, all are compared with "
        "each other.",
    )
    key = forms.FileField(
        label="Answer key",
        help_text="Lines of ids TAB ids that correspond; separated by commas on a side, - for none.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="What the files were written in."
    )
    permutations = forms.TypedMultipleChoiceField(
        label="Permutations of MinHash",
        coerce=int,
        choices=[(m, f"{m:,}") for m in PERMUTATIONS],
        initial=list(PERMUTATIONS),
        widget=forms.CheckboxSelectMultiple,
        help_text="Beside exact Jaccard, which is always there.",
    )
    stop_words = form_field(MATCHING["stop_words"])
    seed = forms.IntegerField(
        min_value=0, max_value=LARGEST_SEED, initial=1, help_text="Determines the permutations."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))

    def chosen(self) -> dict[str, Any]:
        """What `launch_study` takes beside project, person and files."""
        wanted = self.cleaned_data
        return {
            "name": wanted["name"],
            "encoding": wanted["encoding"] or "utf-8",
            "permutations": wanted["permutations"],
            "seed": wanted["seed"],
            "stop_words": wanted["stop_words"],
        }
