"""A linear support vector machine with calibrated probabilities, as plain numbers, and its decisions."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from paragold.classification.coded_pairs import Flags
from paragold.classification.matching import Numbers

MAX_ROUNDS = 5_000
SMO_TOLERANCE = 1e-3
MAX_STEPS = 2_000_000


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


def is_paraphrase(values: Numbers) -> Flags:
    """The decisions of decision values (n,): a paraphrase from 0 on."""
    return np.asarray(values >= 0)


@dataclass(frozen=True, slots=True)
class Decisions:
    """For n pairs, in order: decision values (n,) and probabilities (n,)."""

    values: Numbers
    probabilities: Numbers

    def accepted(self, threshold: float | None = None) -> Flags:
        """Which pairs (n,) are accepted: by the sign, or from a probability of `threshold` on."""
        return is_paraphrase(self.values) if threshold is None else self.probabilities >= threshold


class NoConvergenceError(ValueError):
    """Training did not come to an end with this C."""


def train_svm(
    features: csr_matrix,
    labels: Flags,
    *,
    c: float,
    class_weight: str = "none",
    loss: str = "squared_hinge",
) -> LinearModel:
    """Fit the weights of an L2 penalty; no chance is involved.

    Parameters
    ----------
    features, labels : of shapes (n, d) and (n,)
    c : float
        Penalty of errors, above 0.
    class_weight : str
        "none" weighs every pair alike; "balanced" weighs each label by the inverse of its share.
    loss : str
        "squared_hinge", solved in the primal, or "hinge", by Sequential Minimal Optimization with a tolerance
        of 1e-3 (Platt 1999; Brockett & Dolan 2005, section 4.3).

    Raises
    ------
    ValueError
        When the labels are all alike or there is no column; NoConvergenceError is one too.
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
    return LinearModel(np.asarray(weights[0], dtype=np.float64), float(svm.intercept_[0]))


def fit_sigmoid(decisions: Numbers, labels: Flags) -> Sigmoid:
    """Fit Platt's sigmoid to decision values (n,) of pairs that were not trained on, by their labels (n,)."""
    from sklearn.linear_model import LogisticRegression

    regression = LogisticRegression(C=1e6, solver="lbfgs")
    regression.fit(decisions.reshape(-1, 1), labels)
    return Sigmoid(float(regression.coef_[0, 0]), float(regression.intercept_[0]))
