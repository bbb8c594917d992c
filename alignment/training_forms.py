"""Forms of training an aligner and of applying one. What they ask for is done by the services."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.db.models import QuerySet

from alignment.forms import GoldLinksField
from alignment.models import AlignerRun, TrainedAligner
from alignment.services.training_cost import training_rate
from annotation.forms import LARGEST, OrderedForm, dataset_label
from annotation.services.default_dataset import default_datasets
from corpus.models import Dataset
from jobs.forms import check_confirmed
from jobs.services.launch_cost import Rate
from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.programs import missing
from paragold.aligners.recipe import LINKINGS, MOST_ITERATIONS
from paragold.aligners.registry import PROGRAMS, TRAINED
from paragold.text.languages import stemmer_name
from paragold.text.wordnet import find_wordnet
from projects.models import Project

MEANINGS = {
    "best": "best: the HMM with what is known of words (stems, WordNet, spelling), then rules, or a "
    "classifier that learns from this project's gold links",
    "hmm": "hmm: the HMM alignment model after IBM Model 1 (Vogel, Ney & Tillmann 1996; Och & Ney 2003)",
    "ibm1": "ibm1: IBM Model 1 (Brown et al. 1993)",
    "eflomal": "eflomal: a program (Östling & Tiedemann 2016). Trains from scratch whenever it is applied, "
    "on this text and the new pairs together, by sampling: links differ a little from run to run",
    "giza": "giza: GIZA++ or MGIZA, the papers' program (Och & Ney 2003). Trains from scratch whenever "
    "it is applied",
}
WORDNET_MISSING = "WordNet is not installed here: sudo apt-get install wordnet-base (Debian, Ubuntu) adds it."
# Choices of `best` alone, which leave the others as they are.
OF_BEST = ("wordnet", "spelling", "without")


class DatasetsField(forms.ModelMultipleChoiceField):
    """Datasets to train on, each with its pairs and the time that a training on it takes."""

    widget = forms.CheckboxSelectMultiple

    def __init__(self, datasets: QuerySet[Dataset], *, rate: Rate, **kwargs: Any) -> None:
        super().__init__(datasets, **kwargs)
        self.rate = rate

    def label_from_instance(self, obj: Dataset) -> str:
        return dataset_label(obj, self.rate)


class GoldTextsField(forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({obj.counts['pairs']:,} pairs)"


class AlignerRadios(forms.RadioSelect):
    """Shows the choices that `reasons` names as well, but lets nobody choose them."""

    reasons: Mapping[str, str] = MappingProxyType({})

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.reasons:
            option["attrs"]["disabled"] = True
        return option


class AlignerBoxes(AlignerRadios, forms.CheckboxSelectMultiple):
    """The same, for some of the choices."""


def offer(field: Any, meanings: Mapping[str, str]) -> None:
    """Give a field of aligners its choices; a program that is missing is named with what installs it."""
    field.widget.reasons = reasons = missing()
    field.choices = [
        (name, f"{words}. Not installed here: {reasons[name]}" if name in reasons else words)
        for name, words in meanings.items()
    ]


class TrainingForm(OrderedForm):
    more = (
        "linking",
        "ibm1_iterations",
        "hmm_iterations",
        "lexicon",
        "identical",
        "stems",
        "wordnet",
        "spelling",
        "without",
        "one_language",
        "seed",
    )
    order = ("aligner", "datasets", "gold_set", "texts", "name", *more)

    aligner = forms.ChoiceField(
        widget=AlignerRadios,
        initial="best",
    )
    name = forms.CharField(
        max_length=80,
        required=False,
        help_text="Empty: that of the aligner. A name that exists gets its next version.",
    )
    linking = forms.ChoiceField(
        label="Links of ibm1, hmm and programs",
        choices=[
            (name, "mean posterior of both directions" if name == "posterior" else name) for name in LINKINGS
        ],
        required=False,
        help_text="How both directions become one; best draws links in its own way. Programs give no "
        "posteriors and take the intersection instead.",
    )
    ibm1_iterations = forms.IntegerField(
        label="Iterations of IBM Model 1",
        required=False,
        min_value=0,
        max_value=MOST_ITERATIONS,
        help_text="Empty: the aligner's own number (best 2, hmm and ibm1 5).",
    )
    hmm_iterations = forms.IntegerField(
        label="Iterations of the HMM",
        required=False,
        min_value=0,
        max_value=MOST_ITERATIONS,
        help_text="Empty: the aligner's own number (best 6, hmm 5).",
    )
    lexicon = forms.BooleanField(
        required=False,
        label="Lexicon of identical words, as in the papers",
        help_text="Each word is added as a pair with itself; best and programs always have it.",
    )
    identical = forms.BooleanField(
        required=False, initial=True, label="Believe that a word translates as itself"
    )
    wordnet = forms.BooleanField(
        required=False,
        initial=True,
        label="WordNet: lemmas, derivations, synonyms, hypernyms (English, best)",
    )
    spelling = forms.BooleanField(required=False, initial=True, label="Words that are spelled alike (best)")
    one_language = forms.BooleanField(
        required=False,
        initial=True,
        label="Both sentences are in one language",
        help_text="Both directions then share their tables. Otherwise nothing is known of words beforehand.",
    )
    without = forms.MultipleChoiceField(
        required=False,
        label="Evidence left out",
        choices=[(name, name) for name in SOURCES],
        widget=forms.CheckboxSelectMultiple,
        help_text="Used by best when it learns from gold links. Switch sources off to measure their effect.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST,
        required=False,
        initial=1,
        help_text="Decides which gold pairs are held out for the learning curve.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        offer(self.fields["aligner"], {name: MEANINGS[name] for name in (*reversed(TRAINED), *PROGRAMS)})
        chosen, reason = default_datasets(project)
        rate = training_rate(["best"])
        self.fields["datasets"] = DatasetsField(
            project.datasets.current(),
            rate=rate,
            required=False,
            initial=[one.pk for one in chosen],
            help_text=f"{reason} {rate.origin}".strip(),
        )
        gold = project.gold_alignment_sets.current()
        self.fields["gold_set"] = GoldLinksField(
            gold,
            required=False,
            empty_label="None: fixed rules",
            label="Gold links that best learns from",
            help_text="Their sentences are read as well.",
        )
        self.fields["texts"] = GoldTextsField(
            gold,
            required=False,
            label="Sentences of gold sets",
            help_text="Read as training text; their links are not.",
        )
        if not gold:
            del self.fields["gold_set"], self.fields["texts"]
        stemmer = stemmer_name(project.language)
        self.fields["stems"] = forms.BooleanField(
            required=False,
            initial=stemmer is not None,
            disabled=stemmer is None,
            label=f"Words of one stem ({stemmer}, best)" if stemmer else "Words of one stem",
            help_text="" if stemmer else f"There is no stemmer for {project.language}.",
        )
        self.fields["wordnet"].disabled = stemmer != "english" or find_wordnet() is None
        if stemmer == "english" and find_wordnet() is None:
            self.fields["wordnet"].help_text = WORDNET_MISSING
        if self.fields["wordnet"].disabled:
            self.fields["wordnet"].initial = False

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            pairs = sum(dataset.size for dataset in fields["datasets"])
            seconds = training_rate([fields["aligner"]]).seconds(pairs)
            check_confirmed(self, f"Training on {pairs:,} pairs", seconds)
        return fields

    def asked(self) -> dict[str, Any]:
        """The arguments of `launch_training` apart from who asks."""
        fields = self.cleaned_data
        settings: dict[str, Any] = {"aligner": fields["aligner"]}
        asked = {
            "name": fields["name"],
            "settings": settings,
            "datasets": list(fields["datasets"]),
            "texts": list(fields.get("texts", ())),
            "gold_set": fields.get("gold_set"),
        }
        if fields["aligner"] in PROGRAMS:
            if fields["linking"] not in ("", LINKINGS[0]):
                settings["linking"] = fields["linking"]
            return asked
        for name in ("ibm1_iterations", "hmm_iterations", "seed"):
            if fields[name] is not None:
                settings[name] = fields[name]
        settings |= {"linking": fields["linking"] or LINKINGS[0]}
        settings |= {name: fields[name] for name in ("identical", "one_language")}
        if fields["aligner"] == "best":
            settings |= {name: fields[name] for name in OF_BEST}
            settings["stemmer"] = stemmer_name(self.project.language) if fields["stems"] else None
        else:
            settings["lexicon"] = fields["lexicon"]
        return asked


class ApplyForm(OrderedForm):
    """What is not aligned yet: `dataset:7` or `gold:3`."""

    target = forms.ChoiceField(label="Pairs of")

    def __init__(self, *args: Any, trained: TrainedAligner, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs = AlignerRun.objects.filter(trained=trained)
        project = trained.project
        datasets = project.datasets.current().exclude(pk__in=runs.exclude(dataset=None).values("dataset"))
        gold = project.gold_alignment_sets.current().exclude(
            pk__in=runs.exclude(gold_set=None).values("gold_set")
        )
        target: Any = self.fields["target"]
        target.choices = [
            *((f"gold:{one.pk}", f"{one}, gold links: scored as well") for one in gold),
            *((f"dataset:{one.pk}", f"{one}, {one.size:,} pairs") for one in datasets),
        ]
        self.possible = bool(datasets or gold)
        self.trained = trained

    def asked(self) -> dict[str, Any]:
        """The arguments of `apply_aligner` that name the pairs."""
        kind, _, number = self.cleaned_data["target"].partition(":")
        project = self.trained.project
        if kind == "gold":
            return {"gold_set": project.gold_alignment_sets.get(pk=number)}
        return {"dataset": project.datasets.get(pk=number)}
