"""Cross-validation whose folds never divide a cluster, nor pairs that share a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paragold.classification.classifier import decision_values
from paragold.classification.coded_pairs import Flags, Integers
from paragold.classification.features import FeatureSpace, PreparedPairs
from paragold.classification.linear_svm import LinearModel, NoConvergenceError, is_paraphrase, train_svm
from paragold.classification.matching import Numbers
from paragold.classification.settings import ClassifierSpec
from paragold.folds import group_numbers, sentence_key
from paragold.formats.labelled_pairs import TextPair
from paragold.text.tokenisation import tokenise

FOLDS = 3
C_GRID = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)


def group_pairs(pairs: Sequence[TextPair]) -> Integers:
    """The number of each pair's group, (n,): one for each cluster, joined where sentences are shared.

    Pairs of one cluster are in one group; so are pairs that have a sentence in common, whatever its case and
    spacing. A pair of two clusters joins them.
    """
    return group_numbers(_marks(pair) for pair in pairs)


def _marks(pair: TextPair) -> list[int | str]:
    """The sentences and clusters that a pair must not share with another group."""
    sentences = [sentence_key(" ".join(tokenise(text)[0])) for text in (pair.first, pair.second)]
    return [*sentences, *(cluster for cluster in (pair.cluster, pair.other_cluster) if cluster)]


def assign_folds(groups: Integers, labels: Flags, *, folds: int = FOLDS, seed: int = 0) -> Integers:
    """The fold, from 0, of each pair (n,): whole groups, largest first, to the fold with the minimum.

    Groups of equal size come in an order drawn by seed; the minimum is counted in pairs of the label that
    the group has most of. If that leaves a fold without one of the labels, each fold first gets a group with
    both labels or one group of each. Raises ValueError where no division of the groups has both labels in
    every fold.
    """
    count = int(groups.max()) + 1 if len(groups) else 0
    sizes = np.bincount(groups, minlength=count)
    positive = np.bincount(groups, labels.astype(np.float64), minlength=count).astype(np.int64)
    drawn = np.random.default_rng(seed).permutation(count)
    order = drawn[np.argsort(-sizes[drawn], kind="stable")]
    in_groups = np.column_stack([sizes - positive, positive])
    fold_of, complete = _dealt(in_groups, order, [], folds)
    if not complete:
        fold_of, complete = _dealt(in_groups, order, _first_groups(in_groups, order, folds), folds)
    if not complete:
        raise ValueError(
            f"Too few pairs for {folds} folds: each needs paraphrases and others from separate clusters. "
            f"There are {int(labels.sum())} paraphrases and {int((~labels).sum())} others in {count} groups "
            "of pairs that share a cluster or a sentence."
        )
    return fold_of[groups]


def _first_groups(in_groups: Integers, order: Integers, folds: int) -> list[list[int]]:
    """The groups, largest first, that give a fold both labels, for as many of `folds` as there are.

    A fold with both labels has a group with both or a group of each, so that as many folds are possible as
    there are groups with both and pairs of groups of one label each.
    """
    has = in_groups[order] > 0
    both = order[has.all(axis=1)].tolist()
    others, paraphrases = (order[has[:, label] & ~has[:, 1 - label]].tolist() for label in (0, 1))
    first = [[group] for group in both] + [list(two) for two in zip(others, paraphrases, strict=False)]
    return first[:folds]


def _dealt(in_groups: Integers, order: Integers, first: list[list[int]], folds: int) -> tuple[Integers, bool]:
    """The fold of each group, and whether all folds have both labels; `first` are in folds 0, 1, ..."""
    fold_of = np.full(len(in_groups), -1, dtype=np.int64)
    held = np.zeros((folds, 2), dtype=np.int64)
    for fold, members in enumerate(first):
        fold_of[members] = fold
        held[fold] = in_groups[members].sum(axis=0)
    for group in order[fold_of[order] < 0].tolist():
        majority = int(in_groups[group].argmax())
        fold = min(range(folds), key=lambda one: (held[one, majority], held[one].sum(), one))
        fold_of[group] = fold
        held[fold] += in_groups[group]
    return fold_of, bool((held > 0).all())


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """Decision values (n,) of each pair by the model that did not see it; columns and C of each model."""

    decisions: Numbers
    dimensions: tuple[int, ...]
    c: tuple[float, ...]


def fit(
    prepared: PreparedPairs, labels: Flags, spec: ClassifierSpec, *, c: float, word_pairs: bool = True
) -> tuple[FeatureSpace, LinearModel]:
    """Columns and weights learned from n pairs and their labels (n,).

    word_pairs: whether single word pairs have columns; the counts of matches stay in any case.
    """
    space = FeatureSpace.fit(prepared, spec.classes, min_frequency=spec.min_frequency if word_pairs else None)
    return space, train_svm(
        space.transform(prepared), labels, c=c, class_weight=spec.class_weight, loss=spec.loss
    )


def cross_validate(
    prepared: PreparedPairs,
    labels: Flags,
    folds: Integers,
    spec: ClassifierSpec,
    *,
    word_pairs: bool = True,
    train_share: float = 1.0,
) -> OutOfFold:
    """Train on all folds but one, decide on that one, for each fold.

    Columns, scales and word weights are chosen on the training folds alone; so is C where `spec` leaves it
    open.

    Parameters
    ----------
    labels, folds : arrays of shape (n,)
        Whether each pair is a paraphrase, and its fold, from 0.
    word_pairs : bool
        Whether single word pairs have columns.
    train_share : float
        0 to 1: trains on a seeded part of the training folds only, for a learning curve.
    """
    decisions = np.zeros(len(labels))
    dimensions, chosen = [], []
    for fold in np.unique(folds).tolist():
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if train_share < 1:
            drawn = np.random.default_rng((spec.seed, fold)).permutation(train)
            train = np.sort(drawn[: max(2, round(train_share * len(train)))])
        training = prepared.take(train)
        c = spec.c or minimum_error(errors_by_c(training, labels[train], folds[train], spec))
        space, model = fit(training, labels[train], spec, c=c, word_pairs=word_pairs)
        decisions[test] = decision_values(space, model, prepared.take(test))
        dimensions.append(len(space.names))
        chosen.append(c)
    return OutOfFold(decisions, tuple(dimensions), tuple(chosen))


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
                model = train_svm(
                    features, labels[train], c=c, class_weight=spec.class_weight, loss=spec.loss
                )
            except NoConvergenceError:
                del wrong[c]
            else:
                wrong[c] += int((is_paraphrase(model.decide(held_back)) != labels[test]).sum())
    if not wrong:
        raise ValueError("Training did not converge for any C; turn some feature classes off.")
    return {c: count / len(labels) for c, count in wrong.items()}


def minimum_error(errors: dict[float, float]) -> float:
    """The C with the minimum error; among equal ones the smallest, which regularises most."""
    return min(errors, key=lambda c: (errors[c], c))
