"""Scored pairs, and one partner for each text."""

import numpy as np

from paragold.matching.pairs import ScoredPairs, one_partner_each
from tests.paragold.matching.toy import as_dict


def example() -> ScoredPairs:
    return ScoredPairs.sorted(np.array([0, 0, 1, 2]), np.array([5, 6, 5, 6]), np.array([0.9, 0.8, 0.85, 0.3]))


def test_greedy_takes_the_best_first_and_each_text_once() -> None:
    assert as_dict(one_partner_each(example())) == {(0, 5): 0.9, (2, 6): 0.3}


def test_greedy_and_threshold_can_change_places() -> None:
    assert as_dict(one_partner_each(example()).at_least(0.5)) == as_dict(
        one_partner_each(example().at_least(0.5))
    )


def test_threshold_keeps_what_is_equal_to_it() -> None:
    assert as_dict(example().at_least(0.85)) == {(0, 5): 0.9, (1, 5): 0.85}
    assert len(example().at_least(1.0)) == 0
