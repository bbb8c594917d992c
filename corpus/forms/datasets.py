"""Freezing datasets, and the filters of the table of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Q

from corpus.models import Dataset, Extraction, HeldOut
from corpus.models.candidate_pair import CandidatePairQuerySet
from jobs.models import JobState
from paragold.extraction.selection import NAMES, Selection
from projects.models import Project

from .extractions import as_text, check_parameters, parameter_field


class ExtractionChoices(forms.ModelMultipleChoiceField):
    def label_from_instance(self, extraction: Any) -> str:
        kept = extraction.job.counts.get("pairs_kept", 0)
        return f"{extraction.name} ({extraction.preset}, {kept:,} {'pair' if kept == 1 else 'pairs'})"


APART = "apart"


class PresetsForm(forms.Form):
    """Several datasets at once: presets that are chosen out of what one extraction found."""

    prefix = "several"
    presets = forms.MultipleChoiceField(
        label="Datasets",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )
    held_out = forms.ChoiceField(
        label="Clusters",
        choices=[*HeldOut.choices, (APART, "Held-out clusters and the rest, a dataset each")],
        initial=HeldOut.ALL,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, offered: Iterable[str], any_held_out: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = list(offered)
        presets, held_out = self.fields["presets"], self.fields["held_out"]
        assert isinstance(presets, forms.MultipleChoiceField)  # noqa: S101 - tells the type checker
        presets.choices = [(name, name) for name in names]
        presets.initial = names
        if not any_held_out:
            held_out.widget = forms.HiddenInput()

    def clusters(self) -> list[str]:
        """The choices of clusters, as `freeze_presets` takes them."""
        chosen = self.cleaned_data["held_out"]
        return [HeldOut.ONLY, HeldOut.REST] if chosen == APART else [chosen]


class DatasetForm(forms.Form):
    name = forms.CharField(max_length=80)
    extractions = ExtractionChoices(
        queryset=Extraction.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text="The dataset holds every pair that at least one of them found.",
        error_messages={"required": "Choose at least one finished extraction."},
    )
    held_out = forms.ChoiceField(
        label="Clusters",
        choices=HeldOut.choices,
        initial=HeldOut.ALL,
        widget=forms.RadioSelect,
        help_text="No cluster should feed both what is trained and what it is tested on.",
    )

    def __init__(self, *args: Any, project: Project, selection: Selection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in NAMES:
            self.fields[name] = parameter_field(name, getattr(selection, name))
            self.fields[name].required = False
        finished = project.extractions.current().filter(job__state=JobState.DONE).select_related("job")
        field = self.fields["extractions"]
        assert isinstance(field, ExtractionChoices)  # noqa: S101 - tells the type checker what the class says
        field.queryset = finished

    @property
    def parameters(self) -> list[forms.BoundField]:
        return [self[name] for name in NAMES]

    @property
    def changed_parameters(self) -> bool:
        """Whether a parameter is in error or limits anything, so that they have to be seen."""
        return any(self[name].errors or self[name].value() != as_text(NOTHING[name]) for name in NAMES)

    def criteria(self) -> dict[str, Any]:
        """The parameters that were filled in, as text, for `freeze_dataset`."""
        return {name: value for name in NAMES if (value := self.cleaned_data.get(name))}

    def asked(self) -> dict[str, Any]:
        """The arguments of `freeze_dataset`."""
        given = {name: self.cleaned_data[name] for name in ("name", "held_out")}
        return given | {"extractions": list(self.cleaned_data["extractions"]), "criteria": self.criteria()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        check_parameters(self, self.criteria(), Selection.from_settings)
        return cleaned


NOTHING = {name: getattr(Selection(), name) for name in NAMES}


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
