"""The declaration of a draw: how a batch of pairs is drawn."""

from typing import Any, Literal, Self

from pydantic import model_validator

from paragold.sampling.sampling import ACTIVE_SIGNATURE, SENTENCE_PAIRS_SIGNATURE, SIGNATURE, STRATA_SIGNATURE
from paragold.spec import Spec, SpecError, param

RANDOM, METHOD, EDIT_DISTANCE = "random", "method", "edit_distance"
CLUSTER, SCORE, UNCERTAINTY = "cluster", "score", "uncertainty"
CLUSTERS = ("all", "only", "rest")
REJECTED = "rejected"
CHOSEN = "chosen"
"""The stratum of pairs that somebody added by hand: they are no sample of anything."""
LARGEST, LARGEST_ID = 2**31 - 1, 2**63 - 1


class DrawSpec(Spec):
    """The strategy of a draw of pairs. The default is simple random sampling."""

    by: Literal["random", "method", "edit_distance", "cluster", "score", "uncertainty"] = param(
        RANDOM,
        "Stratified by",
        choices={
            RANDOM: "Nothing: simple random sample (recommended)",
            METHOD: "Method: which extractions found the pair",
            EDIT_DISTANCE: "Edit distance: 0-4, 5-8, 9-12, 13-20, 21 and over",
            CLUSTER: "Cluster",
            SCORE: "Score: tenths of the score that a method or classifier gave the pair",
            UNCERTAINTY: "Uncertainty: pairs that a classifier is least sure of",
        },
    )
    allocation: Literal["proportional", "equal"] = param(
        "proportional",
        "Share of each stratum",
        choices={
            "proportional": "Proportional to its size",
            "equal": "Equal, if the strata have enough pairs",
        },
    )
    per_cluster: int | None = param(None, "Maximum pairs per cluster", "Empty: no limit.", ge=1, le=LARGEST)
    min_score: float = param(
        0.0, "Minimum score", "Lower scores are left out.", ge=0, le=1, when={"by": [SCORE]}
    )
    max_score: float = param(
        1.0, "Maximum score", "Higher scores are left out.", ge=0, le=1, when={"by": [SCORE]}
    )
    clusters: Literal["all", "only", "rest"] = param(
        "rest",
        "Clusters",
        "Held-out clusters are kept for testing: draw from them to make a test set.",
        choices={
            "rest": "Clusters that are not held out (recommended)",
            "only": "Held-out clusters only",
            "all": "All clusters of the dataset",
        },
    )
    rejected: int = param(
        0,
        "Rejected pairs (percent)",
        "This part of the batch is drawn at random from sentence pairs that no extraction of the dataset "
        "found. It shows how many paraphrases the extractions miss.",
        ge=0,
        le=100,
    )
    again: bool = param(False, "Repeat pairs", "Includes pairs of earlier batches.")
    run: int | None = param(
        None,
        "Classifier",
        "Its decisions on the dataset determine which pairs are uncertain.",
        ge=1,
        le=LARGEST_ID,
        when={"by": [UNCERTAINTY]},
    )
    audit: int = param(
        20,
        "Audit share (percent)",
        "This part of the batch is drawn at random and kept apart: precision and recall are estimated from "
        "it, and the next classifier is not trained on it.",
        ge=1,
        le=100,
        when={"by": [UNCERTAINTY]},
    )

    @model_validator(mode="after")
    def check_run(self) -> Self:
        if (self.by == UNCERTAINTY) != (self.run is not None):
            raise SpecError([("run", "Choose a classifier's run only to draw by uncertainty.")])
        return self

    def rejected_of(self, size: int) -> int:
        """The number of `size` pairs to draw from the rejected ones, rounded half up."""
        return (size * self.rejected + 50) // 100

    def settings(self) -> dict[str, Any]:
        """The parameters that have an effect, as a batch keeps them."""
        values = self.as_json()
        return {one.name: values[one.name] for one in self.parameters() if self.applies(one)}

    def signature(self) -> str:
        """The methods of the draw and their versions."""
        parts = [SIGNATURE]
        if self.by == UNCERTAINTY:
            parts.append(ACTIVE_SIGNATURE)
        elif self.by != RANDOM:
            parts.append(STRATA_SIGNATURE)
        if self.rejected:
            parts.append(SENTENCE_PAIRS_SIGNATURE)
        return " + ".join(parts)
