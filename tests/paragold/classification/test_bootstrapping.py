"""Bootstrapping: what it takes for judgements, and that it is measured on judged pairs alone."""

import numpy as np

from paragold.classification.bootstrapping import bootstrap, surest
from paragold.classification.prepared import Lexicons
from paragold.classification.training import LabelledPairs, Settings
from tests.paragold.classification.examples import labelled_pairs


def test_the_surest_decisions_of_either_label() -> None:
    values = np.array([0.9, -0.1, 0.2, -2.0, -0.7, 0.5])
    places, said = surest(values, 0.5, 4 / 6)
    assert places.tolist() == [0, 5, 3, 4]
    assert said.tolist() == [True, True, False, False]
    # There are only three paraphrases to be had.
    places, said = surest(values, 1.0, 1.0)
    assert places.tolist() == [0, 5, 2]
    assert surest(np.zeros(0), 0.5, 0.5)[0].tolist() == []


def test_round_0_is_plain_cross_validation_and_later_ones_learn_from_the_pool() -> None:
    pairs = labelled_pairs(60)
    labelled = LabelledPairs(pairs, Lexicons({}), Settings(classes=("string",), c=0.1))
    pool = [(pair.first, pair.second) for pair in labelled_pairs(50, seed=9)]
    rounds = bootstrap(labelled, pairs, pool, c=0.1)
    assert [one.round for one in rounds] == [0, 1, 2]
    assert rounds[0].measures == labelled.measure(("string",))[0]
    assert [round(one.added) for one in rounds] == [0, 10, 20]
    assert 0 < rounds[1].paraphrases < 10
    assert sum((rounds[2].measures.true_positive, rounds[2].measures.false_negative)) == 30


def test_wrong_labels_of_the_pool_cost_what_is_told() -> None:
    """A pool in which long pairs look alike for another reason leads the classifier astray."""
    pairs = labelled_pairs(60)
    labelled = LabelledPairs(pairs, Lexicons({}), Settings(classes=("string",), c=0.1))
    nonsense = [(f"storm {n} coast", f"storm {n} coast") for n in range(400)]
    rounds = bootstrap(labelled, pairs, nonsense, c=0.1, share=1.0)
    assert rounds[0].measures == labelled.measure(("string",))[0]
    assert rounds[-1].measures.error >= rounds[0].measures.error


def test_without_a_pool_nothing_changes() -> None:
    pairs = labelled_pairs(60)
    labelled = LabelledPairs(pairs, Lexicons({}), Settings(classes=("string",), c=0.1))
    first, *later = bootstrap(labelled, pairs, [], c=0.1)
    assert all(one.measures == first.measures and one.added == 0 for one in later)
