"""The settings of a classifier: its features and its fit."""

from typing import Literal, Self

from pydantic import model_validator

from paragold.classification.classes import CLASSES, Lookup
from paragold.classification.pair_scorers import class_choices
from paragold.spec import LARGEST_SEED, Spec, SpecError, param


class ClassifierSpec(Spec):
    """The features and the fit of a linear SVM (Brockett & Dolan 2005, section 3)."""

    classes: frozenset[str] = param(
        frozenset(CLASSES),
        "Feature classes",
        choices=class_choices(),
    )
    pair_words: Literal["all", "residue"] = param(
        "all",
        "Words used for word pairs",
        choices={
            "all": "All words of both sentences (recommended)",
            "residue": "Only words left after identical words are removed, one for one",
        },
    )
    function_words: bool = param(
        False, "Function words in word pairs", "Makes features of pairs such as where and which too."
    )
    min_frequency: int = param(
        5,
        "Minimum frequency of a word pair",
        "Word pairs that occur in fewer training pairs are not used as features (paper: frequency > 4).",
        ge=1,
        le=1_000_000,
    )
    loss: Literal["squared_hinge", "hinge"] = param(
        "squared_hinge",
        "Loss",
        choices={
            "squared_hinge": "Squared hinge: faster (recommended)",
            "hinge": "Hinge, by SMO with tolerance 0.001 (replication)",
        },
    )
    c: float | None = param(
        None, "C", "Penalty of errors. Empty (recommended): by cross-validation.", gt=0, le=1_000
    )
    class_weight: Literal["none", "balanced"] = param(
        "none",
        "Class weight",
        choices={"none": "All pairs count equally", "balanced": "Balanced: the rarer label counts more"},
    )
    seed: int = param(
        0, "Random seed", "Determines the folds of cross-validation, and so the model.", ge=0, le=LARGEST_SEED
    )

    @model_validator(mode="after")
    def check_classes(self) -> Self:
        if not self.classes:
            raise SpecError([("classes", "Turn at least one feature class on.")])
        return self

    @property
    def lookup(self) -> Lookup:
        """Where lexicons look for word pairs."""
        return Lookup(self.pair_words == "all", self.function_words)
