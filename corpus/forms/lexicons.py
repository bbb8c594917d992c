"""Building a lexicon."""

from __future__ import annotations

from typing import Any

from django import forms

from corpus.models import Dataset, LexiconKind
from corpus.services.lexicons import DEFAULT_RANKS, MOST_RANKS
from projects.models import Project


class DatasetChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Dataset) -> str:
        return f"{obj.name} ({obj.size:,} pairs)"


class LexiconForm(forms.Form):
    """What a lexicon is made of, and where it is cut off."""

    kind = forms.ChoiceField(
        choices=LexiconKind.choices,
        widget=forms.RadioSelect,
        initial=LexiconKind.ASSOCIATION,
        help_text="Only word association has to be built before a classifier can use it; the others show "
        "what the stemmer and WordNet find in your text.",
    )
    name = forms.CharField(
        max_length=80, initial="words", help_text="A name that exists gets its next version; others stay."
    )
    ranks = forms.IntegerField(
        min_value=1,
        max_value=MOST_RANKS,
        initial=DEFAULT_RANKS,
        label="Word pairs at most",
        help_text="The best ones by rank; 13,001 in the paper.",
    )
    min_together = forms.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        initial=2,
        label="Sentence pairs at least",
        help_text="In how many the two words face each other.",
    )
    min_score = forms.FloatField(
        min_value=0,
        initial=0,
        label="Minimum score",
        help_text="For word association: the log-likelihood ratio of Moore (2001).",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))
        datasets = project.datasets.current()
        self.fields["dataset"] = DatasetChoice(
            datasets,
            empty_label=None,
            initial=datasets.first(),
            help_text="Identical words are taken out of its pairs; what is left is read like a translation.",
        )
        self.order_fields(("kind", "name", "dataset", "ranks", "min_together", "min_score"))
