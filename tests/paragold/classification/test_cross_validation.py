"""Groups that stay whole, folds by seed, and columns that are learnt from training folds alone."""

import time
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.classification.classes import STRING
from paragold.classification.cross_validation import assign_folds, cross_validate, group_pairs
from paragold.classification.features import FeatureSpace, prepare
from paragold.classification.lexicons import Lexicons
from paragold.classification.linear_svm import train_svm
from paragold.classification.settings import ClassifierSpec
from paragold.formats.judgements.labelled_pairs import TextPair
from tests.paragold.classification.examples import labelled_pairs


def pair(first: str, second: str, cluster: str = "") -> TextPair:
    return TextPair(first, second, True, cluster, ("", ""), 1)


def test_groups_join_clusters_and_shared_sentences() -> None:
    pairs = [pair("a", "b"), pair("c", "d", "storm"), pair("b", "e"), pair("f", "g", "storm"), pair("h", "e")]
    assert group_pairs([*pairs, pair("x", "y")]).tolist() == [0, 1, 0, 1, 0, 2]
    # A pair of two clusters joins their groups.
    crossing = TextPair("c", "f", True, "storm", ("", ""), 1, "flood")
    pairs = [pair("a", "b", "storm"), pair("d", "e", "flood"), pair("x", "y", "strike"), crossing]
    assert group_pairs(pairs).tolist() == [0, 0, 1, 0]


def test_folds_keep_groups_whole_and_even() -> None:
    draw = np.random.default_rng(2)
    groups = draw.integers(0, 60, 300)
    labels = draw.random(300) < 0.7
    groups = np.unique(groups, return_inverse=True)[1]
    folds = assign_folds(groups, labels, seed=5)
    for group in range(groups.max() + 1):
        assert len(set(folds[groups == group].tolist())) == 1
    assert np.ptp(np.bincount(folds)) <= 10
    assert np.ptp(np.bincount(folds, labels)) <= 10
    assert (assign_folds(groups, labels, seed=5) == folds).all()
    assert (assign_folds(groups, labels, seed=6) != folds).any()


def possible(in_groups: Sequence[tuple[int, int]], folds: int) -> bool:
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
def test_folds_are_given_whenever_they_exist(in_groups: list[tuple[int, int]], folds: int, seed: int) -> None:
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


def test_very_many_groups_take_no_time() -> None:
    draw = np.random.default_rng(4)
    groups = np.unique(draw.integers(0, 100_000, 400_000), return_inverse=True)[1]
    labels = draw.random(400_000) < 0.3
    started = time.process_time()
    folds = assign_folds(groups, labels)
    assert time.process_time() - started < 20
    assert np.ptp(np.bincount(folds, labels)) <= 10


def test_each_pair_is_decided_by_a_model_that_did_not_see_it() -> None:
    pairs = labelled_pairs(60)
    labels = np.array([one.label for one in pairs], dtype=bool)
    prepared = prepare(((one.first, one.second) for one in pairs), Lexicons({}))
    folds = assign_folds(group_pairs(pairs), labels)
    result = cross_validate(prepared, labels, folds, ClassifierSpec(classes={STRING}, c=0.01))
    inside = np.flatnonzero(folds == 1)
    others = np.flatnonzero(folds != 1)
    space = FeatureSpace.fit(prepared.take(others), (STRING,), min_frequency=5)
    model = train_svm(space.transform(prepared.take(others)), labels[others], c=0.01)
    expected = model.decide(space.transform(prepared.take(inside)))
    assert result.decisions[inside] == pytest.approx(expected)
    assert result.dimensions == (11, 11, 11)
