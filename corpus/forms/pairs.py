"""The filters of the pairs table; they live in the address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q

from corpus.models import Dataset, Extraction, HeldOut
from corpus.models.candidate_pair import CandidatePairQuerySet
from projects.models import Project


class PairFilters(forms.Form):
    """All fields are optional; an invalid one filters nothing and says so."""

    q = forms.CharField(label="Text", required=False, max_length=200)
    cluster = forms.CharField(label="Cluster key", required=False, max_length=200)
    extraction = forms.ModelChoiceField(
        Extraction.objects.none(), required=False, empty_label="any extraction"
    )
    dataset = forms.ModelChoiceField(Dataset.objects.none(), required=False, empty_label="any dataset")
    min = forms.IntegerField(label="Distance from", required=False, min_value=0, max_value=1_000_000)
    max = forms.IntegerField(label="Distance to", required=False, min_value=0, max_value=1_000_000)
    shared = forms.IntegerField(label="Shared words from", required=False, min_value=0, max_value=1_000_000)
    held_out = forms.ChoiceField(label="Clusters", required=False, choices=HeldOut.choices)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, rows in (
            ("extraction", project.extractions.current()),
            ("dataset", project.datasets.current()),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the type checker
            field.queryset = rows

    @property
    def chosen(self) -> bool:
        """Whether anything is filtered at all."""
        return any(value not in (None, "", HeldOut.ALL) for value in self.cleaned_data.values())

    def apply(self, pairs: CandidatePairQuerySet) -> CandidatePairQuerySet:
        """Narrow `pairs` to what is asked for; call it after `is_valid`."""
        asked = self.cleaned_data
        if not any(asked.get(name) for name in ("dataset", "extraction", "cluster")):
            pairs = pairs.of_corpus()
        if dataset := asked.get("dataset"):
            pairs = dataset.pairs()
        if extraction := asked.get("extraction"):
            pairs = pairs.found_by([extraction.pk])
        if asked.get("min") is not None:
            pairs = pairs.filter(edit_distance__gte=asked["min"])
        if asked.get("max") is not None:
            pairs = pairs.filter(edit_distance__lte=asked["max"])
        if asked.get("shared") is not None:
            pairs = pairs.filter(shared_words__gte=asked["shared"])
        if cluster := asked.get("cluster"):
            pairs = pairs.of_cluster(cluster)
        if asked.get("held_out") in (HeldOut.ONLY, HeldOut.REST):
            pairs = pairs.filter(cluster__held_out=asked["held_out"] == HeldOut.ONLY)
        if text := asked.get("q"):
            pairs = pairs.filter(Q(sentence_a__text__icontains=text) | Q(sentence_b__text__icontains=text))
        return pairs
