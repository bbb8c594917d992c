"""Moore's log-likelihood ratio against figures worked out by hand and a slow reference."""

import math
from itertools import product

import numpy as np
import pytest

from paragold.classification.association import associate, log_likelihood_ratio, share_related
from paragold.classification.lexicons import WordPairs


def by_hand(together: float, first: float, second: float, total: float) -> float:
    """2 * sum C(f, e) log(p(f | e) / p(f)), cell by cell."""
    score = 0.0
    for has_first, has_second in product((True, False), repeat=2):
        row = first if has_first else total - first
        column = second if has_second else total - second
        cell = {
            (True, True): together,
            (True, False): first - together,
            (False, True): second - together,
            (False, False): total - first - second + together,
        }[has_first, has_second]
        if cell:
            score += cell * math.log((cell / column) / (row / total))
    return 2 * score


def test_a_table_worked_out_on_paper() -> None:
    # 4 readings; f and e each in 2 of them, always together: 2 log 2 + 2 log 2, twice.
    score = log_likelihood_ratio(np.array([2.0]), np.array([2.0]), np.array([2.0]), 4.0)
    assert score[0] == pytest.approx(8 * math.log(2))


def test_independent_and_repelling_words_have_no_score() -> None:
    scores = log_likelihood_ratio(np.array([1.0, 0.0]), np.array([2.0, 2.0]), np.array([2.0, 2.0]), 4.0)
    assert scores.tolist() == [0.0, 0.0]


def test_any_table_equals_the_sum_over_its_cells() -> None:
    draw = np.random.default_rng(3)
    for _ in range(50):
        cells = draw.integers(0, 30, 4) + np.array([1, 0, 0, 1])
        together, first, second = cells[0], cells[0] + cells[1], cells[0] + cells[2]
        total = cells.sum()
        score = log_likelihood_ratio(
            np.array([float(together)]), np.array([float(first)]), np.array([float(second)]), float(total)
        )
        expected = by_hand(together, first, second, total) if together * total > first * second else 0.0
        assert score[0] == pytest.approx(expected)


PAIRS = [
    ("vendors met", "suppliers met"),
    ("Suppliers agreed.", "Vendors agreed."),
    ("straight sets", "consecutive sets"),
    ("rain fell", "rain came"),
]


def test_pairs_of_a_dataset_are_read_in_both_directions() -> None:
    found = associate(PAIRS)
    assert [(one.first, one.second, one.together) for one in found] == [("suppliers", "vendors", 2)]
    # Each pair counts twice; each of the words stands on one side of two pairs.
    assert found[0].score == pytest.approx(by_hand(2, 2, 2, 8))


def test_ties_come_in_the_order_of_the_words_and_the_cut_off_holds() -> None:
    found = associate(PAIRS, min_together=1)
    assert [(one.first, one.second) for one in found] == [
        ("suppliers", "vendors"),
        ("came", "fell"),
        ("consecutive", "straight"),
    ]
    assert associate(PAIRS, min_together=1, ranks=2) == found[:2]


def test_identical_words_punctuation_and_function_words_take_no_part() -> None:
    assert associate([("the man , he", "a man ; she")] * 5) == []
    assert associate([]) == []


def test_share_that_another_lexicon_has_by_rank() -> None:
    found = associate(PAIRS, min_together=1)
    lexicon = WordPairs([("fell", "came"), ("vendors", "suppliers"), ("other", "words")])
    assert share_related(found, lexicon, step=1) == [(1, 1.0), (2, 1.0), (3, 2 / 3)]
    assert share_related(found, lexicon, step=2) == [(2, 1.0), (3, 2 / 3)]
    assert share_related([], lexicon) == []


def test_order_of_the_sides_makes_no_difference() -> None:
    assert associate(PAIRS, min_together=1) == associate([(b, a) for a, b in PAIRS], min_together=1)
