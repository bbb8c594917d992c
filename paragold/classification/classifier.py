"""A linear support vector machine with calibrated probabilities: what it decides on pairs, and why."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy.sparse import csr_matrix

from paragold.arrays import Flags, Floats
from paragold.classification.classes import ENCODER, LEXICAL_CLASSES, Lookup
from paragold.classification.features import FeatureSpace, PreparedPairs, prepare
from paragold.classification.lexicons import WORDS, Lexicons, open_lexicons
from paragold.classification.pair_scorers import all_classes
from paragold.formats import model_files
from paragold.formats.labelled_pairs import Context
from paragold.problems import FileProblem
from paragold.text.encoder_files import DEFAULT_ENCODER, what_is_missing

MAX_ROUNDS = 5_000
SMO_TOLERANCE = 1e-3
MAX_STEPS = 2_000_000
FORMAT = "paragold-classifier-3"
_MAX_BYTES = 1 << 30
_LOOKUP = ("all_words", "function_words")


class LexiconError(RuntimeError):
    """A lexicon that a classifier was trained with is absent or another one; the message says which."""


class NoConvergenceError(ValueError):
    """Training did not come to an end with this C."""


Model = tuple[FeatureSpace, Floats, float]
"""The columns, a weight for each, (d,), and the intercept: decision value = features . weights + intercept.

A pair is a paraphrase from 0 on.
"""


def decision_values(model: Model, prepared: PreparedPairs) -> Floats:
    """The decision values (n,) of prepared pairs."""
    space, weights, intercept = model
    return space.weighted_sums(prepared, weights) + intercept


def sigmoid(decisions: Floats, slope: float, offset: float) -> Floats:
    """Probabilities (n,) of decision values f (n,): 1 / (1 + exp(-(slope f + offset))) (Platt 1999)."""
    # Beyond 500 the exponential would overflow, and the probability is 0 or 1 long before.
    exponents = np.clip(-(slope * decisions + offset), -500, 500)
    return np.asarray(1 / (1 + np.exp(exponents)), dtype=np.float64)


def accepted(values: Floats, probabilities: Floats, threshold: float | None = None) -> Flags:
    """Which of n decisions accept the pair: by the sign, or from a probability of `threshold` on."""
    return np.asarray(values >= 0 if threshold is None else probabilities >= threshold)


@dataclass(frozen=True, slots=True)
class Classifier:
    """A linear model, its sigmoid, the association lexicon, how lexicons are used, and their signatures.

    sigmoid: slope and offset, see `fit_sigmoid`. language: of the stemmer, "" without one. training: how it
    was trained and what was measured then, as plain JSON values.
    """

    model: Model
    sigmoid: tuple[float, float]
    language: str
    association: tuple[tuple[str, str], ...]
    lookup: Lookup
    signatures: Mapping[str, str]
    training: Mapping[str, Any]

    def open_lexicons(self) -> Lexicons:
        """The lexicons that it was trained with. Raises LexiconError when this machine has others or none."""
        classes = self.model[0].classes
        encoder = self.training["settings"].get("encoder", "") if ENCODER in classes else ""
        if what_is_missing(encoder):
            encoder = DEFAULT_ENCODER
        try:
            lexicons, _ = open_lexicons(
                classes, self.association, self.language, lookup=self.lookup, encoder=encoder
            )
        except (FileProblem, ValueError) as error:
            raise LexiconError(f"The model was trained with an encoder. {error}") from error
        signatures = lexicons.signatures()
        if WORDS in signatures and WORDS not in self.signatures:
            raise LexiconError(
                "The model was trained when the words of this language were not known. Train it again."
            )
        for name, expected in self.signatures.items():
            kind = "lexicon" if name in (*LEXICAL_CLASSES, "opposites", WORDS, ENCODER) else "pair scorer"
            if name not in signatures:
                raise LexiconError(
                    f"The model was trained with the {kind} {name} ({expected}), which is not "
                    "installed. Train a model without it."
                )
            if signatures[name] != expected:
                raise LexiconError(
                    f"The model was trained with another {kind} {name}: {expected}, but this installation "
                    f"has {signatures[name]}. Train the model again, or use the {kind} that it was "
                    "trained with."
                )
        if lost := sorted({*classes} - {*all_classes()}):
            raise LexiconError(
                f"The model was trained with the feature class {lost[0]}, which this version does not have. "
                "Train a model without it."
            )
        # One that has come since training would change the counts.
        return Lexicons(
            {name: lexicon for name, lexicon in lexicons.by_class.items() if name in self.signatures},
            lexicons.opposites if "opposites" in self.signatures else None,
            self.lookup,
            lexicons.scorers,
            lexicons.language,
            lexicons.encoder,
        )

    def decide(
        self, texts: Iterable[tuple[str, str]], contexts: Sequence[Context] = ()
    ) -> tuple[Floats, Floats]:
        """Decision values (n,) and probabilities (n,) of n pairs of texts, in order; see `accepted`.

        Raises LexiconError; the order of the two texts makes no difference. contexts: what is known of each
        pair, for the class `context`; without them it counts as the mean.
        """
        values = decision_values(self.model, prepare(texts, self.open_lexicons(), contexts))
        return values, sigmoid(values, *self.sigmoid)

    def contributions(
        self,
        texts: Sequence[tuple[str, str]],
        contexts: Sequence[Context] = (),
        *,
        maximum: int | None = None,
    ) -> list[list[dict[str, Any]]]:
        """For each pair the features that are not 0, by the size of what they add, at most `maximum`.

        Each has its `name`, its (scaled) `value`, the `weight`, and their product, the `amount`. With the
        intercept they sum up to the decision value. contexts: as for `decide`.
        """
        space, weights, _ = self.model
        features = space.transform(prepare(texts, self.open_lexicons(), contexts))
        names = space.names
        rows = []
        for row in features:
            cells = zip(row.indices.tolist(), row.data.tolist(), strict=True)
            reasons = [
                {"name": names[column], "value": value, "weight": weight, "amount": value * weight}
                for column, value in cells
                for weight in [float(weights[column])]
            ]
            rows.append(sorted(reasons, key=lambda one: (-abs(one["amount"]), one["name"]))[:maximum])
        return rows

    def save(self, target: Path | IO[bytes]) -> str:
        """Write a file of numbers and JSON, and return the SHA-256 of its content; see `model_files.save`."""
        space, weights, intercept = self.model
        words = sorted(space.idf)
        description = {
            "format": FORMAT,
            "classes": space.classes,
            "dense_names": space.dense_names,
            "word_pairs": space.word_pairs,
            "words": words,
            "unseen_idf": space.unseen_idf,
            "intercept": intercept,
            "sigmoid": self.sigmoid,
            "language": self.language,
            "association": self.association,
            "lookup": dict(zip(_LOOKUP, self.lookup, strict=True)),
            "signatures": dict(self.signatures),
            "training": dict(self.training),
        }
        idf = np.array([space.idf[word] for word in words])
        numbers = {"weights": weights, "means": space.means, "scales": space.scales, "idf": idf}
        numbers = {name: values.astype("<f8") for name, values in numbers.items()}
        return model_files.save(target, numbers, description)

    @classmethod
    def load(cls, source: Path | IO[bytes], *, file: str = "") -> Classifier:
        """The classifier of a file. Raises FileProblem, which names `file` or the path, for any other."""
        numbers, description = model_files.load(source, file=file, max_bytes=_MAX_BYTES)
        if description.get("format") != FORMAT:
            message = f"It has the format {description.get('format')!r}, this program reads {FORMAT!r}."
            raise FileProblem(message, "Train again.", file=file or str(source))
        space = FeatureSpace(
            classes=tuple(description["classes"]),
            dense_names=tuple(description["dense_names"]),
            means=numbers["means"],
            scales=numbers["scales"],
            word_pairs=tuple((name, first, second) for name, first, second in description["word_pairs"]),
            idf=dict(zip(description["words"], numbers["idf"].tolist(), strict=True)),
            unseen_idf=description["unseen_idf"],
        )
        return cls(
            (space, numbers["weights"], description["intercept"]),
            (description["sigmoid"][0], description["sigmoid"][1]),
            description["language"],
            tuple((first, second) for first, second in description["association"]),
            (description["lookup"][_LOOKUP[0]], description["lookup"][_LOOKUP[1]]),
            description["signatures"],
            description["training"],
        )

    def as_bytes(self) -> bytes:
        """The bytes of its file; equal classifiers have equal ones."""
        self.save(file := io.BytesIO())
        return file.getvalue()


def train_svm(
    features: csr_matrix, labels: Flags, *, c: float, class_weight: str = "none", loss: str = "squared_hinge"
) -> tuple[Floats, float]:
    """Weights (d,) and intercept with an L2 penalty; no chance is involved.

    features, labels: (n, d) and (n,). c: the penalty of errors, above 0. class_weight: "balanced" weighs each
    label by the inverse of its share. loss: "squared_hinge", solved in the primal, or "hinge", by Sequential
    Minimal Optimization with a tolerance of 1e-3 (Platt 1999; Brockett & Dolan 2005, section 4.3). Raises
    ValueError when the labels are all alike or there is no column; NoConvergenceError is one too.
    """
    # Imported here: what only reads and applies a model goes without scikit-learn and its memory.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC, LinearSVC

    if labels.all() or not labels.any():
        raise ValueError(
            "All pairs have the same label: a classifier needs paraphrases and others. Add judged pairs."
        )
    if not features.shape[1]:
        raise ValueError("The chosen feature classes have no values for these pairs; turn more classes on.")
    weight = None if class_weight == "none" else class_weight
    svm: SVC | LinearSVC
    if loss == "hinge":
        svm = SVC(kernel="linear", C=c, tol=SMO_TOLERANCE, max_iter=MAX_STEPS, class_weight=weight)
    else:
        svm = LinearSVC(C=c, dual=False, max_iter=MAX_ROUNDS, class_weight=weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            svm.fit(features, labels)
        except ConvergenceWarning as warning:
            raise NoConvergenceError(
                f"Training did not converge with C = {c}; choose a smaller C."
            ) from warning
    # SMO gives the weights as a sparse row.
    weights = svm.coef_.toarray() if loss == "hinge" else svm.coef_
    return np.asarray(weights[0], dtype=np.float64), float(svm.intercept_[0])


def fit_sigmoid(decisions: Floats, labels: Flags) -> tuple[float, float]:
    """Slope and offset of Platt's `sigmoid` for decision values (n,) of pairs not trained on, by labels
    (n,)."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, solver="lbfgs")
    regression.fit(decisions.reshape(-1, 1), labels)
    return float(regression.coef_[0, 0]), float(regression.intercept_[0])
