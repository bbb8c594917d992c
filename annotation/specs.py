"""What can be launched on judgements: the declarations of the operations."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import model_validator

from corpus.models import HeldOut
from paragold.aligners.registry import ALIGNERS
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.classification.settings import ClassifierSpec
from paragold.matching.headlines import HeadlineSpec
from paragold.spec import LARGEST_SEED, Spec, SpecError, param, seed_param

OWN = "own"
"""The choice to leave the symmetrisation to the aligner."""
ALIGNER_LABELS = [(method.id, method.label) for method in ALIGNERS if method.learns_from_pairs]
FEWEST = 2
MOST = 200
"""So many headlines can be looked over on one page."""


class SplitDrawSpec(Spec):
    """Which clusters are drawn for people to split into sub-clusters."""

    headlines: int | None = param(
        None,
        "Headlines",
        "Whole clusters are drawn until they hold as many headlines. Empty: all clusters.",
        ge=1,
        le=LARGEST_SEED,
    )
    fewest: int = param(FEWEST, "Fewest headlines of a cluster", ge=FEWEST, le=MOST)
    most: int = param(MOST, "Most headlines of a cluster", ge=FEWEST, le=MOST)
    clusters: Literal["all", "only", "rest"] = param("all", "Clusters", choices=dict(HeldOut.choices))
    again: bool = param(False, "Also clusters that an earlier batch holds")

    @model_validator(mode="after")
    def check_order(self) -> Self:
        if self.fewest > self.most:
            raise SpecError([("fewest", "The fewest headlines of a cluster are more than the most.")])
        return self


class SubclusterScoresSpec(HeadlineSpec):
    """Scoring both methods of matching headlines against gold sub-clusters."""

    seed: int = seed_param(
        "Determines the starts of k-means, and which clusters the thresholds are tuned on."
    )


class SubclusterLinksSpec(SubclusterScoresSpec):
    """The links behind the scores of a method: right, wrong and missed ones."""

    outcome: Literal["all", "right", "wrong", "missed"] = param(
        "all",
        "Links",
        choices={
            "all": "all links",
            "right": "right: made by the method and by people",
            "wrong": "wrong: made by the method only",
            "missed": "missed: made by people only",
        },
    )
    headlines: Literal["all", "clusters"] = param(
        "all",
        "Headlines",
        choices={"all": "all headlines", "clusters": "clusters only: without those in no sub-cluster"},
    )
    order: Literal["cluster", "cosine"] = param(
        "cluster", "Order", choices={"cluster": "by cluster", "cosine": "by falling cosine of the headlines"}
    )


class TrainingSpec(ClassifierSpec):
    """Training a project's classifier."""

    with_audit: bool = param(
        False,
        "Learn from audit pairs too",
        "Pairs drawn for an audit are kept apart otherwise, so that it stays honest.",
    )
    report: bool = param(True, "Report", "Measure ablation and learning curve as well.")
    aligner: str = param(
        "hmm",
        "Aligner of the error rates",
        "It is trained on what each row of the table of feature classes accepts.",
        choices=dict(ALIGNER_LABELS),
    )
    identical_words: bool = param(
        True,
        "Lexicon of identical words for that aligner",
        "As in the papers: each word is added as a pair with itself, where the aligner has that choice.",
    )
    symmetrisation: str = param(
        OWN,
        "Symmetrisation for that aligner",
        "How both directions become one set of links.",
        choices={OWN: "its own way", **{name: name for name in SYMMETRISATIONS}},
    )

    @property
    def aligner_settings(self) -> dict[str, Any]:
        """The choices for the aligner of the error rates, as `Recipe` names them."""
        linking = {} if self.symmetrisation == OWN else {"linking": self.symmetrisation}
        return {"aligner": self.aligner, "lexicon": self.identical_words, **linking}
