"""A linear support vector machine with calibrated probabilities, as plain numbers."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from paragold.classification.coded_pairs import Flags
from paragold.classification.matching import Numbers

DEFAULT_C = 0.01
MAX_ROUNDS = 5_000
BALANCED = "balanced"


@dataclass(frozen=True, slots=True)
class LinearModel:
    """decision = features . weights + intercept; a paraphrase from 0 on. weights: (d,)."""

    weights: Numbers
    intercept: float

    def decide(self, features: csr_matrix) -> Numbers:
        """Decision values (n,) of features (n, d)."""
        return np.asarray(features @ self.weights + self.intercept, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """Probability of a decision value f: 1 / (1 + exp(-(slope f + offset))) (Platt 1999)."""

    slope: float
    offset: float

    def probabilities(self, decisions: Numbers) -> Numbers:
        """Probabilities (n,) of decision values (n,)."""
        # Beyond 500 the exponential would overflow, and the probability is 0 or 1 long before.
        exponents = np.clip(-(self.slope * decisions + self.offset), -500, 500)
        return np.asarray(1 / (1 + np.exp(exponents)), dtype=np.float64)

    def probability(self, decision: float) -> float:
        """The probability of one decision value."""
        return float(self.probabilities(np.array([decision]))[0])


class NoConvergenceError(ValueError):
    """Training did not come to an end with this C."""


def train_svm(
    features: csr_matrix, labels: Flags, *, c: float = DEFAULT_C, class_weight: str | None = None
) -> LinearModel:
    """Fit the weights: L2 penalty, squared hinge loss, in the primal, so that no chance is involved.

    class_weight: None weighs every pair alike; "balanced" weighs each label by the inverse of its share.
    Raises ValueError when the labels are all alike, C is not above 0 or the weight is another one, and
    NoConvergenceError, which is one too.
    """
    # Imported here: what only reads and applies a model goes without scikit-learn and its memory.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    if labels.all() or not labels.any():
        raise ValueError(
            "All pairs have the same label: a classifier needs paraphrases and others. Add judged pairs."
        )
    if not features.shape[1]:
        raise ValueError("The chosen feature classes find nothing in these pairs; turn more classes on.")
    if not c > 0:
        raise ValueError(f"C is {c}; it must be above 0.")
    if class_weight not in (None, BALANCED):
        raise ValueError(f"class_weight is {class_weight!r}; it must be None or {BALANCED!r}.")
    svm = LinearSVC(C=c, dual=False, max_iter=MAX_ROUNDS, class_weight=class_weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            svm.fit(features, labels)
        except ConvergenceWarning as warning:
            raise NoConvergenceError(
                f"Training did not come to an end with C = {c}; choose a smaller C."
            ) from warning
    return LinearModel(np.asarray(svm.coef_[0], dtype=np.float64), float(svm.intercept_[0]))


def fit_sigmoid(decisions: Numbers, labels: Flags) -> Sigmoid:
    """Fit Platt's sigmoid to decision values (n,) of pairs that were not trained on, by their labels (n,)."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, solver="lbfgs")
    regression.fit(decisions.reshape(-1, 1), labels)
    return Sigmoid(float(regression.coef_[0, 0]), float(regression.intercept_[0]))
