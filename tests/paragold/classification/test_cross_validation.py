from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from paragold.classification.classes import STRING
from paragold.classification.classifier import train_svm
from paragold.classification.features import FeatureSpace, prepare
from paragold.classification.lexicons import Lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import (
    FOLDS,
    LabelledPairs,
    calibration,
    evaluate,
    group_pairs,
    thresholds,
)
from paragold.folds import assign_folds
from paragold.formats.labelled_pairs import TextPair
from tests.paragold.classification.examples import labelled_pairs


def pair(first, second, cluster=""):
    return TextPair(first, second, True, cluster, ("", ""), 1)


def test_groups_join_clusters_and_shared_sentences():
    pairs = [pair("a", "b"), pair("c", "d", "storm"), pair("b", "e"), pair("f", "g", "storm"), pair("h", "e")]
    assert group_pairs([*pairs, pair("x", "y")]).tolist() == [0, 1, 0, 1, 0, 2]
    # A pair of two clusters joins their groups.
    crossing = TextPair("c", "f", True, "storm", ("", ""), 1, "flood")
    pairs = [pair("a", "b", "storm"), pair("d", "e", "flood"), pair("x", "y", "strike"), crossing]
    assert group_pairs(pairs).tolist() == [0, 0, 1, 0]


def test_folds_keep_groups_whole_and_even():
    draw = np.random.default_rng(2)
    groups = draw.integers(0, 60, 300)
    labels = draw.random(300) < 0.7
    groups = np.unique(groups, return_inverse=True)[1]
    folds = assign_folds(groups, labels, folds=FOLDS, seed=5)
    for group in range(groups.max() + 1):
        assert len(set(folds[groups == group].tolist())) == 1
    assert np.ptp(np.bincount(folds)) <= 10
    assert np.ptp(np.bincount(folds, labels)) <= 10
    assert (assign_folds(groups, labels, folds=FOLDS, seed=5) == folds).all()
    assert (assign_folds(groups, labels, folds=FOLDS, seed=6) != folds).any()


def possible(in_groups, folds):
    """Whether any division of the groups, (others, paraphrases) each, has both labels in every fold."""
    for division in product(range(folds), repeat=len(in_groups)):
        held = np.zeros((folds, 2), dtype=int)
        np.add.at(held, list(division), np.array(in_groups).reshape(-1, 2))
        if (held > 0).all():
            return True
    return False


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=1, max_size=8),
    st.integers(2, 4),
    st.integers(0, 3),
)
def test_folds_are_given_whenever_they_exist(in_groups, folds, seed):
    # More than 4 ** 7 divisions say nothing new.
    in_groups = in_groups[: 8 if folds < 4 else 7]
    groups = np.repeat(np.arange(len(in_groups)), [sum(one) for one in in_groups])
    labels = np.concatenate([np.arange(sum(one)) < one[1] for one in in_groups])
    if not possible(in_groups, folds):
        with pytest.raises(ValueError, match=f"Too few pairs for {folds} folds"):
            assign_folds(groups, labels, folds=folds, seed=seed)
        return
    fold_of = assign_folds(groups, labels, folds=folds, seed=seed)
    for fold in range(folds):
        assert set(labels[fold_of == fold].tolist()) == {True, False}
    for group in range(len(in_groups)):
        assert len(set(fold_of[groups == group].tolist())) == 1


def test_each_pair_is_decided_by_a_model_that_did_not_see_it():
    pairs = labelled_pairs(60)
    labels = np.array([one.label for one in pairs], dtype=bool)
    prepared = prepare(((one.first, one.second) for one in pairs), Lexicons({}))
    folds = assign_folds(group_pairs(pairs), labels, folds=FOLDS)
    spec = ClassifierSpec(classes={STRING}, c=0.01)
    decisions, dimensions = LabelledPairs(pairs, Lexicons({}), spec).out_of_fold((STRING,))
    inside = np.flatnonzero(folds == 1)
    others = np.flatnonzero(folds != 1)
    space = FeatureSpace.fit(prepared.take(others), (STRING,), min_frequency=5)
    weights, intercept = train_svm(space.transform(prepared.take(others)), labels[others], c=0.01)
    expected = space.transform(prepared.take(inside)) @ weights + intercept
    assert decisions[inside] == pytest.approx(expected)
    assert dimensions == 11


ACCEPTED = np.array([True] * 6 + [False] * 4)
DECISIONS = np.array([True, True, True, False, False, False, True, False, False, False])


def test_measures_by_hand():
    result = evaluate(ACCEPTED, DECISIONS)
    assert (result["true_positive"], result["false_positive"]) == (3, 1)
    assert (result["false_negative"], result["true_negative"]) == (3, 3)
    assert result["accuracy"] == 0.6
    assert result["error"] == 0.4
    assert result["precision"] == 0.75
    assert result["recall"] == 0.5
    assert result["f"] == pytest.approx(0.6)
    assert result["majority_error"] == 0.4
    for name, (low, high) in result["intervals"].items():
        assert low <= result[name] <= high
    assert evaluate(ACCEPTED, DECISIONS) == result
    result = calibration(np.array([True, False, True, True]), np.array([0.95, 0.05, 1.0, 0.05]))
    assert [(one["low"], one["count"], one["share_positive"]) for one in result["bins"]] == [
        (0.0, 2, 0.5),
        (0.9, 2, 1.0),
    ]
    assert result["expected_error"] == pytest.approx((2 * 0.45 + 2 * 0.025) / 4)
    assert result["brier"] == pytest.approx((0.05**2 + 0.05**2 + 0 + 0.95**2) / 4)
    labels = np.array([True, True, False, False])
    result = thresholds(labels, np.array([0.9, 0.6, 0.6, 0.1]), steps=(0.5, 0.8, 1.0))
    assert [(one["precision"], one["recall"], one["kept_share"]) for one in result] == [
        (2 / 3, 1.0, 0.75),
        (1.0, 0.5, 0.25),
        (0.0, 0.0, 0.0),
    ]
