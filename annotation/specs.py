"""Declarations of the operations on judgements and sub-clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from django.utils.translation import gettext as _, gettext_noop
from pydantic import model_validator

from annotation.models import HandingOut, Measure
from corpus.models import HeldOut
from paragold.aligners.registry import ALIGNERS
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.classification.pair_scorers import all_classes
from paragold.classification.settings import ClassifierSpec
from paragold.matching.specs import HeadlineSpec
from paragold.spec import LARGEST_SEED, Spec, SpecError, param, seed_param
from projects.models import PhenomenaScope

OWN = "own"
"""The choice to leave the symmetrisation to the aligner."""
ALIGNER_LABELS = [(method.id, method.label) for method in ALIGNERS if method.learns_from_pairs]
MIN_HEADLINES = 2
MAX_HEADLINES = 200
"""The maximum that one page can show at once."""


class SplitDrawSpec(Spec):
    """Which clusters are drawn for people to split into sub-clusters."""

    headlines: int | None = param(
        None,
        "Headlines",
        "Whole clusters are drawn until they contain this many headlines. Empty: all clusters.",
        ge=1,
        le=LARGEST_SEED,
    )
    fewest: int = param(MIN_HEADLINES, "Minimum headlines per cluster", ge=MIN_HEADLINES, le=MAX_HEADLINES)
    most: int = param(MAX_HEADLINES, "Maximum headlines per cluster", ge=MIN_HEADLINES, le=MAX_HEADLINES)
    clusters: Literal["all", "only", "rest"] = param(
        "rest",
        "Clusters",
        "Held-out clusters are kept for testing. Default: clusters that are not held out.",
        choices=dict(HeldOut.choices),
    )
    again: bool = param(False, "Include clusters of earlier batches")

    @model_validator(mode="after")
    def check_order(self) -> Self:
        if self.fewest > self.most:
            raise SpecError([("fewest", _("The minimum headlines per cluster are above the maximum."))])
        return self


class SubclusterScoresSpec(HeadlineSpec):
    """Scoring both methods of matching headlines against gold sub-clusters."""

    seed: int = seed_param("Determines the starts of k-means and the clusters used for tuning.")


class SubclusterLinksSpec(SubclusterScoresSpec):
    """The links behind the scores of a method: right, wrong and missed ones."""

    outcome: Literal["all", "right", "wrong", "missed"] = param(
        "all",
        "Links",
        choices={
            "all": gettext_noop("all links"),
            "right": gettext_noop("right: made by the method and by people"),
            "wrong": gettext_noop("wrong: made by the method only"),
            "missed": gettext_noop("missed: made by people only"),
        },
    )
    headlines: Literal["all", "clusters"] = param(
        "all",
        "Headlines",
        choices={
            "all": gettext_noop("all headlines"),
            "clusters": gettext_noop("clusters only: without headlines outside sub-clusters"),
        },
    )
    order: Literal["cluster", "cosine"] = param(
        "cluster",
        gettext_noop("Order"),
        choices={"cluster": gettext_noop("by cluster"), "cosine": gettext_noop("by cosine, highest first")},
    )


class TrainingSpec(ClassifierSpec):
    """Training a project's classifier."""

    with_audit: bool = param(
        False,
        "Train on audit pairs too",
        "Off (recommended): audit pairs are not used for training, so that precision and recall are "
        "unbiased.",
    )
    with_held_out: bool = param(
        False,
        "Train on pairs of held-out clusters too",
        "Off (recommended): they are kept for testing, and nothing of them is used for training.",
    )
    report: bool = param(True, "Report", "Measures ablation and learning curve too; takes longer.")
    aligner: str = param(
        "hmm",
        "Aligner for error rates",
        "This aligner is trained on the pairs that each row of the feature class table accepts.",
        choices=dict(ALIGNER_LABELS),
    )
    identical_words: bool = param(
        True,
        "Lexicon of identical words for that aligner",
        "Adds each word, paired with itself, to the training pairs, if the aligner has this choice "
        "(replication).",
    )
    symmetrisation: str = param(
        OWN,
        "Symmetrisation for that aligner",
        "Determines how the links of both directions are combined.",
        choices={
            OWN: gettext_noop("the aligner's own (recommended)"),
            **{name: name for name in SYMMETRISATIONS},
        },
    )

    @classmethod
    def stored(cls, values: Mapping[str, Any]) -> Self:
        """The parameters of a training that may be older than this version.

        Parameters that are no longer there are left out, and so are feature classes, also those of plug-ins;
        a model that needs one says so when it is used.
        """
        known = {name: value for name, value in values.items() if name in cls.model_fields}
        classes = [name for name in values["classes"] if name in all_classes()]
        return cls.from_json(known | {"classes": classes})

    @property
    def aligner_settings(self) -> dict[str, Any]:
        """The choices for the aligner of the error rates, as `registry.aligner_of` takes them."""
        linking = {} if self.symmetrisation == OWN else {"linking": self.symmetrisation}
        return {"aligner": self.aligner, "lexicon": self.identical_words, **linking}


class BatchSpec(Spec):
    """What every new batch has."""

    name: str = param("", "Name", "Empty: the next free one.", max_length=80)
    overlap: int | None = param(
        None, "Overlap", "Number of annotators for each pair. Empty: the project's.", ge=1, le=20
    )
    own_order: bool = param(
        False,
        "Own order for each annotator",
        "Each annotator gets the items in another random order, so that tiredness falls on other items.",
    )
    seed: int = seed_param("The same seed draws the same pairs again.")


class JudgingSpec(BatchSpec):
    """A batch to judge, beside how its pairs are drawn."""

    size: int = param(100, "Pairs", "How many are drawn.", ge=1, le=LARGEST_SEED)
    handing_out: str = param(
        HandingOut.AT_ONCE.value,
        "Assignment",
        "At once (recommended): each annotator's order of items does not depend on others.",
        choices=dict(HandingOut.choices),
    )
    lease_minutes: int = param(
        60,
        "Minutes until an unanswered item returns",
        "Only for items assigned on demand: after this time another annotator can take it.",
        ge=1,
        le=100_000,
    )
    quota: int | None = param(
        None,
        "Quota of each annotator",
        "Maximum pairs for each annotator. Empty: no limit. You can change it per annotator on the batch's "
        "page.",
        ge=1,
        le=LARGEST_SEED,
    )
    third_judgement: bool = param(
        False,
        "Third judgement where two differ",
        "With an overlap of 2 and three annotators or more: a pair on which its two annotators differ gets a "
        "third one, when the second answer comes.",
    )
    count_phenomena: str = param(
        "",
        "Count phenomena",
        "Adds a step after the answer: annotators count elaborations, phrasal changes, spellings, synonyms, "
        "anaphora and reorderings.",
        choices={"": gettext_noop("as the project's settings say"), **dict(PhenomenaScope.choices)},
    )
    control: int = param(
        0,
        "Control items in percent",
        "Share of the pairs whose right label is known: they are mixed among the others, count nowhere, and "
        "show managers how well each annotator judges.",
        ge=0,
        le=50,
    )


class TrainingBatchSpec(Spec):
    """A training: pairs whose right label is shown after the answer."""

    name: str = param("", "Name", "Empty: the next free one.", max_length=80)
    size: int = param(20, "Pairs", "How many are drawn, as many of each label.", ge=1, le=LARGEST_SEED)
    measure: str = param(
        Measure.ACCURACY.value,
        "Measure",
        "Kappa is 0 for answers by chance, whatever the shares of the labels.",
        choices=dict(Measure.choices),
    )
    threshold: float = param(0.8, "Threshold", "Minimum of the measure to pass, 0 to 1.", ge=0, le=1)
    seed: int = seed_param("The same seed draws the same pairs again.")


class MorePairs(Spec):
    """How many pairs get another judgement."""

    pairs: int = param(20, "Pairs", "At most so many, the most uncertain first.", ge=1, le=10_000)


class ModelSpec(Spec):
    """How a model answers a batch; of a linking batch only aligner and price."""

    scorer: str = param("", "Pair scorer", "Its id; empty where another model answers.", max_length=40)
    aligner: str = param(
        "",
        "Aligner",
        "Of a linking batch: its id, “trained:” and the number of one trained here, or trained:newest.",
        max_length=40,
    )
    threshold: float | None = param(
        None,
        "Paraphrase from",
        "Minimum score of a paraphrase; of a classifier its probability, or empty: by the sign of the "
        "decision value.",
    )
    partial_from: float | None = param(
        None,
        "Partial paraphrase from",
        "Minimum score of a partial paraphrase, in batches with three labels.",
    )
    price: float | None = param(
        None, "Price of an answer", "In your currency; the report then shows what the batch costs.", ge=0
    )
