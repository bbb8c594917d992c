"""Training a classifier on labelled pairs, with cross-validation, ablation and learning curve.

Folds never divide a cluster, nor pairs that share a sentence.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from paragold.arrays import Flags, Floats, Integers
from paragold.classification.classes import ASSOCIATION, ENCODER, LEXICAL_CLASSES, PAPER_CLASSES, STRING
from paragold.classification.classifier import (
    Classifier,
    Model,
    NoConvergenceError,
    decision_values,
    fit_sigmoid,
    sigmoid,
    train_svm,
)
from paragold.classification.features import FeatureSpace, PreparedPairs, prepare
from paragold.classification.lexicons import Lexicons
from paragold.classification.pair_scorers import all_classes
from paragold.classification.settings import ClassifierSpec
from paragold.folds import assign_folds, group_numbers, sentence_key
from paragold.formats.labelled_pairs import NO_CONTEXT, TextPair
from paragold.statistics import percentile_interval, resampled_frequencies, wilson_interval
from paragold.text.tokenisation import tokenise

FOLDS = 3
C_GRID = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
CURVE_SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
CALIBRATION_BINS = 10
ROUNDS = 2
# The share of the pool that each round of bootstrapping adds: the pairs that the model is surest of.
SHARE = 0.2
Figures = dict[str, Any]
"""Figures by name, as JSON has them."""


def group_pairs(pairs: Sequence[TextPair]) -> Integers:
    """The number of each pair's group, (n,): one for each cluster, joined where sentences are shared.

    Pairs of one cluster are in one group; so are pairs that have a sentence in common, whatever its case and
    spacing. A pair of two clusters joins them.
    """
    return group_numbers(
        [
            *(sentence_key(" ".join(tokenise(text)[0])) for text in (pair.first, pair.second)),
            *(cluster for cluster in (pair.cluster, pair.other_cluster) if cluster),
        ]
        for pair in pairs
    )


def fit(
    prepared: PreparedPairs, labels: Flags, spec: ClassifierSpec, *, c: float, word_pairs: bool = True
) -> Model:
    """Columns and weights learned from n pairs and their labels (n,).

    word_pairs: whether single word pairs have columns; the counts of matches stay in any case.
    """
    space = FeatureSpace.fit(prepared, spec.classes, min_frequency=spec.min_frequency if word_pairs else None)
    features = space.transform(prepared)
    return space, *train_svm(features, labels, c=c, class_weight=spec.class_weight, loss=spec.loss)


def errors_by_c(
    prepared: PreparedPairs, labels: Flags, folds: Integers, spec: ClassifierSpec
) -> dict[float, float]:
    """The share of wrong decisions out of fold, 0 to 1, by C; a C that does not converge is left out.

    Raises ValueError when none converges.
    """
    wrong = dict.fromkeys(C_GRID, 0)
    for fold in np.unique(folds).tolist():
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        training = prepared.take(train)
        space = FeatureSpace.fit(training, spec.classes, min_frequency=spec.min_frequency)
        features, held_back = space.transform(training), space.transform(prepared.take(test))
        for c in list(wrong):
            try:
                weights, intercept = train_svm(
                    features, labels[train], c=c, class_weight=spec.class_weight, loss=spec.loss
                )
            except NoConvergenceError:
                del wrong[c]
            else:
                wrong[c] += int(((held_back @ weights + intercept >= 0) != labels[test]).sum())
    if not wrong:
        raise ValueError("Training did not converge for any C; turn some feature classes off.")
    return {c: count / len(labels) for c, count in wrong.items()}


def minimum_error(errors: dict[float, float]) -> float:
    """The C with the minimum error; among equal ones the smallest, which regularises most."""
    return min(errors, key=lambda c: (errors[c], c))


class LabelledPairs:
    """Labelled pairs, prepared and in folds: the input of cross-validation, ablation and training.

    Raises ValueError for a pair without a label, for labels that are all alike and for too few pairs. Lexical
    classes without a lexicon, and that of the encoder without one, are left out of `classes`.
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
        self.folds = assign_folds(self.groups, self.labels, folds=FOLDS, seed=spec.seed)
        self.prepared: PreparedPairs = prepare(
            ((pair.first, pair.second) for pair in pairs), lexicons, [pair.context for pair in pairs]
        )
        self.classes = tuple(
            name
            for name in all_classes()
            if name in spec.classes
            and (name not in LEXICAL_CLASSES or name in lexicons.by_class)
            and (name != ENCODER or lexicons.encoder)
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
    ) -> tuple[Floats, float]:
        """Decision values (n,) by models that did not see the pair, and the mean number of columns.

        Columns, scales and word weights are chosen on the training folds alone; so is C where neither `c` nor
        the Spec names it. folds: (n,), in place of those that keep clusters whole. word_pairs: whether single
        word pairs have columns. train_share: the part of the training folds, 0 to 1, drawn by the seed, that
        is trained on.
        """
        folds = self.folds if folds is None else folds
        spec, labels = self.spec.replace(classes=frozenset(classes)), self.labels
        decisions, dimensions = np.zeros(len(labels)), []
        for fold in np.unique(folds).tolist():
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            if train_share < 1:
                drawn = np.random.default_rng((spec.seed, fold)).permutation(train)
                train = np.sort(drawn[: max(2, round(train_share * len(train)))])
            training = self.prepared.take(train)
            chosen = c or spec.c or minimum_error(errors_by_c(training, labels[train], folds[train], spec))
            model = fit(training, labels[train], spec, c=chosen, word_pairs=word_pairs)
            decisions[test] = decision_values(model, self.prepared.take(test))
            dimensions.append(len(model[0].names))
        return decisions, float(np.mean(dimensions))

    def measure(self, classes: Sequence[str], **options: Any) -> tuple[Figures, float]:
        """The figures of the decisions of `out_of_fold`, and the mean number of columns."""
        decisions, dimensions = self.out_of_fold(classes, **options)
        return evaluate(self.labels, decisions >= 0, seed=self.spec.seed), dimensions

    def chosen_c(self) -> float:
        """The C of the Spec, or the one with the minimum error."""
        return self.spec.c or minimum_error(errors_by_c(self.prepared, self.labels, self.folds, self.spec))

    def divide_at_random(self) -> Integers:
        """Folds (n,) that heed labels alone, as the paper's may have been: they divide clusters."""
        each = np.arange(len(self.labels), dtype=np.int64)
        return assign_folds(each, self.labels, folds=FOLDS, seed=self.spec.seed)


Training = dict[str, Any]
"""What cross-validation gave: the figures `measures` and `calibration`, the `decisions`, out of fold, and
their calibrated `probabilities`, (n,) each, and `errors_by_c`, the error of each C that was tried; empty
where C was given."""


def train_classifier(labelled: LabelledPairs) -> tuple[Classifier, Training]:
    """Cross-validate, fit the sigmoid to the decisions out of fold, then train on all pairs.

    The calibration is that of sigmoids fitted without the fold they are measured on. Where C is to be chosen,
    it is chosen for each fold among the others, and for the classifier among all (Brockett & Dolan 2005,
    section 3).
    """
    labels, spec = labelled.labels, labelled.spec
    errors = {} if spec.c else errors_by_c(labelled.prepared, labels, labelled.folds, spec)
    c = spec.c or minimum_error(errors)
    measured, dimensions = labelled.out_of_fold(labelled.classes)
    # Decisions of one scale: what calibrates the model comes from models of the same C.
    decisions = measured if spec.c else labelled.out_of_fold(labelled.classes, c=c)[0]
    probabilities = np.zeros(len(labels))
    for fold in range(FOLDS):
        inside = labelled.folds == fold
        fitted = fit_sigmoid(decisions[~inside], labels[~inside])
        probabilities[inside] = sigmoid(decisions[inside], *fitted)
    measures = evaluate(labels, measured >= 0, seed=spec.seed)
    association = labelled.lexicons.by_class.get(ASSOCIATION)
    classifier = Classifier(
        fit(labelled.prepared, labels, spec, c=c),
        fit_sigmoid(decisions, labels),
        spec.language,
        association=association.pairs if association else (),
        lookup=spec.lookup,
        signatures=labelled.lexicons.signatures(),
        training={
            "pairs": len(labels),
            "paraphrases": int(labels.sum()),
            "groups": int(labelled.groups.max()) + 1,
            "settings": {**spec.as_json(), "c": c},
            "c_chosen": spec.c is None,
            "encoder": labelled.lexicons.encoder.described if labelled.lexicons.encoder else "",
            "cross_validation": {"dimensions": dimensions, **measures},
        },
    )
    return classifier, {
        "measures": measures,
        "calibration": calibration(labels, probabilities),
        "decisions": decisions,
        "probabilities": probabilities,
        "errors_by_c": errors,
    }


def variants(on: Sequence[str]) -> list[tuple[str, tuple[str, ...], bool]]:
    """Name, classes and whether word pairs have columns for each row of `ablation`; `on`: the classes."""
    on = tuple(on)
    rows = [("all", on, True), ("string only", (STRING,), True)]
    paper = tuple(name for name in on if name in PAPER_CLASSES)
    if paper and paper != on:
        rows.append(("the paper's classes", paper, True))
    rows.append(("no word pairs", on, False))
    rows.extend(
        (f"no {name}", tuple(other for other in on if other != name), True) for name in on if len(on) > 1
    )
    return rows


def ablation(labelled: LabelledPairs) -> list[Figures]:
    """The table of Brockett and Dolan (2005, table 4), wider: all, subsets, and each class left out.

    Rows have the `name` of the variant, its `dimensions`, the mean number of columns, and its `measures`, see
    `evaluate`. "no word pairs" leaves out the columns of single word pairs and keeps the counts of matches.
    """
    rows = []
    for name, classes, word_pairs in variants(labelled.classes):
        measures, dimensions = labelled.measure(classes, word_pairs=word_pairs)
        rows.append({"name": name, "dimensions": dimensions, "measures": measures})
    return rows


def learning_curve(labelled: LabelledPairs, shares: Sequence[float] = CURVE_SHARES) -> list[Figures]:
    """Cross-validation with a seeded part of the training folds, from 0 to 1, for each of `shares`.

    Rows have the number of training `pairs` and the `measures`; a part too small to train on is left out.
    """
    in_training = len(labelled.labels) * (1 - 1 / FOLDS)
    rows = []
    for share in shares:
        try:
            measures, _ = labelled.measure(labelled.classes, train_share=share)
        except ValueError:
            continue
        rows.append({"pairs": round(share * in_training), "measures": measures})
    return rows


def bootstrap(
    labelled: LabelledPairs, pairs: Sequence[TextPair], pool: Sequence[tuple[str, str]], *, c: float
) -> list[Figures]:
    """Cross-validate a classifier that is also trained on its surest decisions on `pool`, round by round.

    pairs: those that `labelled` was made of. pool: unlabelled pairs of texts, whose contexts are not known;
    each round takes SHARE of it, paraphrases among them as often as among the judged ones, as far as the
    decisions go. Rows have the `round`, 0 being that without bootstrapping, how
    many pairs were `added` and how many of them as `paraphrases` (means over the folds), and the `measures`
    on judged pairs that no model had seen.
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
            model = fit(prepared.take(rows), labels, labelled.spec, c=c)
            decisions[number, labelled.folds == fold] = decision_values(model, held_back)
            if number < ROUNDS and len(unknown):
                values = decision_values(model, prepared.take(unknown))
                sure, said = surest(values, labelled.labels[judged].mean(), SHARE * (number + 1))
                rows = np.concatenate((judged, unknown[sure]))
                labels = np.concatenate((labelled.labels[judged], said))
                added[number + 1, fold] = len(sure), said.sum()
    return [
        {
            "round": number,
            "added": float(added[number, :, 0].mean()),
            "paraphrases": float(added[number, :, 1].mean()),
            "measures": evaluate(labelled.labels, decided >= 0, seed=labelled.spec.seed),
        }
        for number, decided in enumerate(decisions)
    ]


def surest(values: Floats, positive: float, share: float) -> tuple[Integers, Flags]:
    """The places of the surest of n decision values and what they say, paraphrases first.

    positive: the share of paraphrases among them; share: how many of the n to take. A label has no
    more pairs than there are decisions for it.
    """
    count = round(min(1.0, share) * len(values))
    order = np.argsort(-values, kind="stable")
    accepted = int((values >= 0).sum())
    paraphrases = order[: min(round(positive * count), accepted)]
    others = order[::-1][: min(count - round(positive * count), len(values) - accepted)]
    said = np.repeat([True, False], [len(paraphrases), len(others)])
    return np.concatenate((paraphrases, others)), said


def evaluate(labels: Flags, decisions: Flags, *, seed: int = 0) -> Figures:
    """Counts and shares (0 to 1) of decisions (n,) against labels (n,), paraphrase being the positive class.

    Shares without a denominator are 0. Their `intervals` are at 95 %: Wilson (1927) for accuracy, error,
    precision and recall, a seeded bootstrap over pairs for F. Raises ValueError without any pair.
    """
    if not len(labels):
        raise ValueError("There is no labelled pair to measure on.")
    tp, fp = int((labels & decisions).sum()), int((~labels & decisions).sum())
    fn, tn = int((labels & ~decisions).sum()), int((~labels & ~decisions).sum())
    total = len(labels)
    drawn = resampled_frequencies(np.array([tp, fp, fn, tn]), seed=seed)
    own_tp, own_fp, own_fn, _ = drawn.T.astype(np.float64)
    f_interval = percentile_interval(2 * own_tp / np.maximum(2 * own_tp + own_fp + own_fn, 1)) or (0.0, 1.0)
    low, high = wilson_interval(tp + tn, total)
    return {
        "true_positive": tp,
        "false_positive": fp,
        "false_negative": fn,
        "true_negative": tn,
        "accuracy": (tp + tn) / total,
        "error": (fp + fn) / total,
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "f": _share(2 * tp, 2 * tp + fp + fn),
        "intervals": {
            "accuracy": (low, high),
            "error": (1 - high, 1 - low),
            "precision": wilson_interval(tp, tp + fp),
            "recall": wilson_interval(tp, tp + fn),
            "f": f_interval,
        },
        "majority_error": min(tp + fn, fp + tn) / total,
    }


def calibration(labels: Flags, probabilities: Floats) -> Figures:
    """Probabilities (n,) compared with labels (n,): Brier score and expected calibration error, 0 is best.

    `bins` are those of ten of equal width that hold any pair: from `low` up to `high`, how many, the mean
    probability, the share of paraphrases.
    """
    places = np.minimum((probabilities * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1)
    bins = [
        {
            "low": place / CALIBRATION_BINS,
            "high": (place + 1) / CALIBRATION_BINS,
            "count": int((places == place).sum()),
            "mean_probability": float(probabilities[places == place].mean()),
            "share_positive": float(labels[places == place].mean()),
        }
        for place in np.unique(places).tolist()
    ]
    gaps = [bin["count"] * abs(bin["mean_probability"] - bin["share_positive"]) for bin in bins]
    brier = float(((probabilities - labels) ** 2).mean())
    return {"brier": brier, "expected_error": sum(gaps) / len(labels), "bins": bins}


def thresholds(labels: Flags, probabilities: Floats, *, steps: Sequence[float]) -> list[Figures]:
    """The measures of the decisions from each probability on, and the share of pairs that it keeps."""
    rows = []
    for step in steps:
        accepted = probabilities >= step
        tp, positive, kept = int((accepted & labels).sum()), int(labels.sum()), int(accepted.sum())
        rows.append(
            {
                "probability": step,
                "precision": _share(tp, kept),
                "recall": _share(tp, positive),
                "f": _share(2 * tp, kept + positive),
                "kept_share": float(accepted.mean()),
            }
        )
    return rows


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
