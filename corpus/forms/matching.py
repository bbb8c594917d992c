"""Launching a matching of sentences."""

from __future__ import annotations

from typing import Any

from django import forms

from corpus.matching.settings import LARGEST_SEED, MOST_PERMUTATIONS, MatchSettings, stop_words_of
from corpus.matching.word_sets import STOP_WORDS

METHODS = [
    ("minhash", "MinHash: the share of equal keys, as in the paper"),
    ("exact", "exact Jaccard of every pair"),
    ("bands", "bands and verification: exact Jaccard, for very many sentences"),
]
SCOPES = [("clusters", "within each cluster"), ("project", "across the whole project")]
CLUSTERS = [
    ("all", "all clusters"),
    ("held_out", "held-out clusters only"),
    ("rest", "the others only"),
    ("with_imported", "all clusters and imported pairs"),
]


def default_stop_words() -> str:
    return " ".join(sorted(STOP_WORDS))


class MatchingForm(forms.Form):
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Left empty, it is called after method, threshold and scope. A taken name gets a number.",
    )
    scope = forms.ChoiceField(
        label="Compare",
        choices=SCOPES,
        widget=forms.RadioSelect,
        initial="clusters",
        help_text="Sentences of one article are never paired, nor a held-out cluster with another.",
    )
    clusters = forms.ChoiceField(choices=CLUSTERS, initial="all")
    method = forms.ChoiceField(choices=METHODS, widget=forms.RadioSelect, initial="minhash")
    permutations = forms.IntegerField(
        min_value=1,
        max_value=MOST_PERMUTATIONS,
        initial=128,
        help_text="Of MinHash. More of them estimate better and take longer; 16 to 1,024 in the paper.",
    )
    greedy = forms.BooleanField(
        label="One partner at most",
        required=False,
        help_text="Pairs are taken by falling score, passing over sentences that have a partner.",
    )
    threshold = forms.FloatField(
        min_value=0.01, max_value=1, initial=0.33, help_text="Minimum score of a pair, up to 1."
    )
    seed = forms.IntegerField(
        min_value=0, max_value=LARGEST_SEED, initial=1, help_text="Random seed of the permutations."
    )
    stop_words = forms.CharField(
        label="Stop words",
        required=False,
        max_length=100_000,
        initial=default_stop_words,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="Separated by spaces or commas. Punctuation never counts.",
    )
    confirmed = forms.BooleanField(
        label="Match all the same",
        required=False,
        help_text="A run that is expected to store very many pairs has to be confirmed.",
    )
    field_order = (
        *("scope", "clusters", "method", "permutations", "threshold", "greedy", "stop_words", "seed"),
        *("name", "confirmed"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))

    def settings(self) -> MatchSettings:
        chosen = self.cleaned_data
        return MatchSettings(
            method=chosen["method"],
            threshold=chosen["threshold"],
            permutations=chosen["permutations"],
            greedy=chosen["greedy"],
            seed=chosen["seed"],
            stop_words=stop_words_of([chosen["stop_words"]]),
        )

    def asked(self) -> dict[str, Any]:
        """What `estimate` takes; with `name` and `confirmed`, what `launch_within_cap` takes."""
        return {
            "settings": self.settings(),
            "scope": self.cleaned_data["scope"],
            "clusters": self.cleaned_data["clusters"],
        }
