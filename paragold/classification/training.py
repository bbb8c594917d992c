"""Training a classifier on labelled pairs, with cross-validation, ablation and learning curve."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from paragold.classification.classes import ASSOCIATION, LEXICAL_CLASSES, PAPER_CLASSES, STRING
from paragold.classification.classifier import Classifier, decision_values
from paragold.classification.coded_pairs import Flags, Integers
from paragold.classification.cross_validation import (
    FOLDS,
    assign_folds,
    cross_validate,
    errors_by_c,
    fit,
    group_pairs,
    minimum_error,
)
from paragold.classification.features import PreparedPairs, prepare
from paragold.classification.lexicons import ENGLISH, Lexicons, WordPairs
from paragold.classification.linear_svm import fit_sigmoid, is_paraphrase
from paragold.classification.matching import Numbers
from paragold.classification.measures import Calibration, Measures, calibration, evaluate
from paragold.classification.pair_scorers import all_classes
from paragold.classification.settings import ClassifierSpec
from paragold.formats.labelled_pairs import NO_CONTEXT, TextPair

CURVE_SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


@dataclass(frozen=True, slots=True)
class AblationRow:
    """One variant: mean number of columns over the folds, and what cross-validation measured."""

    name: str
    dimensions: float
    measures: Measures


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Training on `pairs` pairs (mean over the folds)."""

    pairs: int
    measures: Measures


class LabelledPairs:
    """Labelled pairs, prepared and in folds: the input of cross-validation, ablation and training.

    Raises ValueError for a pair without a label, for labels that are all alike and for too few pairs. Lexical
    classes without a lexicon, if `spec` has them, are left out of `classes`.
    """

    def __init__(self, pairs: Sequence[TextPair], lexicons: Lexicons, spec: ClassifierSpec) -> None:
        for pair in pairs:
            if pair.label is None:
                raise ValueError(f"The pair on line {pair.line} has no label; training needs one for each.")
        self.lexicons = lexicons
        self.labels: Flags = np.array([pair.label for pair in pairs], dtype=bool)
        if self.labels.all() or not self.labels.any():
            raise ValueError(
                f"All {len(pairs)} pairs have the same label: a classifier needs paraphrases and others."
            )
        self.groups: Integers = group_pairs(pairs)
        self.folds = assign_folds(self.groups, self.labels, seed=spec.seed)
        self.prepared: PreparedPairs = prepare(
            ((pair.first, pair.second) for pair in pairs), lexicons, [pair.context for pair in pairs]
        )
        self.classes = tuple(
            name
            for name in all_classes()
            if name in spec.classes and (name not in LEXICAL_CLASSES or name in lexicons.by_class)
        )
        self.spec = spec.replace(classes=frozenset(self.classes))

    def out_of_fold(
        self,
        classes: Sequence[str],
        *,
        folds: Integers | None = None,
        c: float | None = None,
        word_pairs: bool = True,
        train_share: float = 1.0,
    ) -> tuple[Numbers, float]:
        """Decision values (n,) by models that did not see the pair, and the mean number of columns.

        `folds` replaces those that keep clusters whole, `c` the one of the Spec.
        """
        result = cross_validate(
            self.prepared,
            self.labels,
            self.folds if folds is None else folds,
            self.spec.replace(classes=frozenset(classes), c=self.spec.c if c is None else c),
            word_pairs=word_pairs,
            train_share=train_share,
        )
        return result.decisions, float(np.mean(result.dimensions))

    def measure(self, classes: Sequence[str], **options: Any) -> tuple[Measures, float]:
        """The measures of the decisions of `out_of_fold`, and the mean number of columns."""
        decisions, dimensions = self.out_of_fold(classes, **options)
        return evaluate(self.labels, is_paraphrase(decisions), seed=self.spec.seed), dimensions

    def errors_by_c(self) -> dict[float, float]:
        """The cross-validated error of each C that is tried when none is given."""
        return errors_by_c(self.prepared, self.labels, self.folds, self.spec)

    def chosen_c(self) -> float:
        """The C of the Spec, or the one with the minimum error."""
        return self.spec.c or minimum_error(self.errors_by_c())

    def divide_at_random(self) -> Integers:
        """Folds (n,) that heed labels alone, as the paper's may have been: they divide clusters."""
        each = np.arange(len(self.labels), dtype=np.int64)
        return assign_folds(each, self.labels, seed=self.spec.seed)


@dataclass(frozen=True, slots=True)
class Trained:
    """The classifier, and cross-validation's figures, decision values and calibrated probabilities (n,).

    errors_by_c: the error of each C that was tried; empty where C was given.
    """

    classifier: Classifier
    measures: Measures
    calibration: Calibration
    decisions: Numbers
    probabilities: Numbers
    errors_by_c: dict[float, float]


def train_classifier(labelled: LabelledPairs, *, language: str | None = ENGLISH) -> Trained:
    """Cross-validate, fit the sigmoid to the decisions out of fold, then train on all pairs.

    The calibration is that of sigmoids fitted without the fold they are measured on. Where C is to be chosen,
    it is chosen for each fold among the others, and for the classifier among all.

    References
    ----------
    Brockett, C. & Dolan, W. B. (2005). Support Vector Machines for Paraphrase Identification and Corpus
    Construction. Section 3.
    """
    labels, spec = labelled.labels, labelled.spec
    errors = {} if spec.c else labelled.errors_by_c()
    c = spec.c or minimum_error(errors)
    measured, dimensions = labelled.out_of_fold(labelled.classes)
    # Decisions of one scale: what calibrates the model comes from models of the same C.
    decisions = measured if spec.c else labelled.out_of_fold(labelled.classes, c=c)[0]
    probabilities = np.zeros(len(labels))
    for fold in range(FOLDS):
        inside = labelled.folds == fold
        sigmoid = fit_sigmoid(decisions[~inside], labels[~inside])
        probabilities[inside] = sigmoid.probabilities(decisions[inside])
    measures = evaluate(labels, is_paraphrase(measured), seed=spec.seed)
    space, model = fit(labelled.prepared, labels, spec, c=c)
    association = labelled.lexicons.by_class.get(ASSOCIATION)
    classifier = Classifier(
        space,
        model,
        fit_sigmoid(decisions, labels),
        language or "",
        association=association.pairs if isinstance(association, WordPairs) else (),
        lookup=spec.lookup,
        signatures=labelled.lexicons.signatures(),
        training={
            "pairs": len(labels),
            "paraphrases": int(labels.sum()),
            "groups": int(labelled.groups.max()) + 1,
            "settings": {**spec.as_json(), "c": c},
            "c_chosen": spec.c is None,
            "cross_validation": {"dimensions": dimensions, **asdict(measures)},
        },
    )
    calibrated = calibration(labels, probabilities)
    return Trained(classifier, measures, calibrated, decisions, probabilities, errors)


def variants(on: Sequence[str]) -> list[tuple[str, tuple[str, ...], bool]]:
    """Name, classes and whether word pairs have columns for each row of `ablation`; `on`: the classes."""
    on = tuple(on)
    rows: list[tuple[str, tuple[str, ...], bool]] = [("all", on, True)]
    rows.append(("string only", (STRING,), True))
    paper = tuple(name for name in on if name in PAPER_CLASSES)
    if paper and paper != on:
        rows.append(("the paper's classes", paper, True))
    rows.append(("no word pairs", on, False))
    rows.extend(
        (f"no {name}", tuple(other for other in on if other != name), True) for name in on if len(on) > 1
    )
    return rows


def ablation(labelled: LabelledPairs) -> list[AblationRow]:
    """The table of Brockett and Dolan (2005, table 4), wider: all, subsets, and each class left out.

    "no word pairs" leaves out the columns of single word pairs and keeps the counts of matches.
    """
    rows = []
    for name, classes, word_pairs in variants(labelled.classes):
        measures, dimensions = labelled.measure(classes, word_pairs=word_pairs)
        rows.append(AblationRow(name, dimensions, measures))
    return rows


def learning_curve(labelled: LabelledPairs, shares: Sequence[float] = CURVE_SHARES) -> list[CurvePoint]:
    """Cross-validation with a seeded part of the training folds, from 0 to 1, for each of `shares`.

    Of few pairs a part may be too small to train on, as when it has one label only: it is left out.
    """
    in_training = len(labelled.labels) * (1 - 1 / FOLDS)
    points = []
    for share in shares:
        try:
            measures, _ = labelled.measure(labelled.classes, train_share=share)
        except ValueError:
            continue
        points.append(CurvePoint(round(share * in_training), measures))
    return points


ROUNDS = 2
# The share of the pool that each round adds: the pairs that the model is surest of.
SHARE = 0.2


@dataclass(frozen=True, slots=True)
class BootstrapRound:
    """After a number of rounds: added training pairs, those of them decided to be paraphrases (means over the
    folds), and what cross-validation measured on judged pairs that no model had seen."""

    round: int
    added: float
    paraphrases: float
    measures: Measures


def bootstrap(
    labelled: LabelledPairs,
    pairs: Sequence[TextPair],
    pool: Sequence[tuple[str, str]],
    *,
    c: float,
    share: float = SHARE,
) -> list[BootstrapRound]:
    """Cross-validate a classifier that is also trained on its surest decisions on `pool`, round by round.

    pairs: those that `labelled` was made of. pool: unlabelled pairs of texts, whose
    contexts are not known. share: the part of the pool, 0 to 1, that each round takes, paraphrases among
    them as often as among the judged ones, as far as the decisions go. The first row is round 0, without
    bootstrapping.
    """
    texts = [*((pair.first, pair.second) for pair in pairs), *pool]
    known_contexts = [*(pair.context for pair in pairs), *([NO_CONTEXT] * len(pool))]
    prepared = prepare(texts, labelled.lexicons, known_contexts)
    known = np.arange(len(pairs))
    unknown = np.arange(len(pairs), len(texts))
    decisions = np.zeros((ROUNDS + 1, len(pairs)))
    added = np.zeros((ROUNDS + 1, FOLDS, 2))
    for fold in range(FOLDS):
        judged = known[labelled.folds != fold]
        held_back = prepared.take(known[labelled.folds == fold])
        rows, labels = judged, labelled.labels[judged]
        for number in range(ROUNDS + 1):
            space, model = fit(prepared.take(rows), labels, labelled.spec, c=c)
            decisions[number, labelled.folds == fold] = decision_values(space, model, held_back)
            if number < ROUNDS and len(unknown):
                values = decision_values(space, model, prepared.take(unknown))
                sure, said = surest(values, labelled.labels[judged].mean(), share * (number + 1))
                rows = np.concatenate((judged, unknown[sure]))
                labels = np.concatenate((labelled.labels[judged], said))
                added[number + 1, fold] = len(sure), said.sum()
    means = added.mean(axis=1)
    return [
        BootstrapRound(
            number,
            float(means[number, 0]),
            float(means[number, 1]),
            evaluate(labelled.labels, is_paraphrase(decisions[number]), seed=labelled.spec.seed),
        )
        for number in range(ROUNDS + 1)
    ]


def surest(values: Numbers, positive: float, share: float) -> tuple[Integers, Flags]:
    """The places of the surest of n decision values and what they say, paraphrases first.

    positive: the share of paraphrases among them; share: how many of the n to take. A label has no
    more pairs than there are decisions for it.
    """
    count = round(min(1.0, share) * len(values))
    order = np.argsort(-values, kind="stable")
    accepted = int(is_paraphrase(values).sum())
    paraphrases = order[: min(round(positive * count), accepted)]
    others = order[::-1][: min(count - round(positive * count), len(values) - accepted)]
    said = np.repeat([True, False], [len(paraphrases), len(others)])
    return np.concatenate((paraphrases, others)), said
