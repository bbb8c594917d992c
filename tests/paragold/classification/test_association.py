"""Moore's log-likelihood ratio against figures worked out by hand and a slow reference."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from paragold.classification.association import (
    Association,
    associate,
    facing_pairs,
    found_in,
    log_likelihood_ratio,
    share_by_rank,
    trivial,
)
from paragold.classification.classes import MORPHOLOGY, WORDNET
from paragold.classification.lexicons import WordPairs
from paragold.text.stemming import stemmer_name
from tests.paragold.classification.examples import small_lexicons


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
    result = associate(PAIRS)
    assert [(one.first, one.second, one.together) for one in result] == [("suppliers", "vendors", 2)]
    # Each pair counts twice; each of the words stands on one side of two pairs.
    assert result[0].score == pytest.approx(by_hand(2, 2, 2, 8))


def test_ties_come_in_the_order_of_the_words_and_the_cut_off_holds() -> None:
    result = associate(PAIRS, min_together=1)
    assert [(one.first, one.second) for one in result] == [
        ("suppliers", "vendors"),
        ("came", "fell"),
        ("consecutive", "straight"),
    ]
    assert associate(PAIRS, min_together=1, ranks=2) == result[:2]


def test_identical_words_punctuation_and_function_words_take_no_part() -> None:
    assert associate([("the man , he", "a man ; she")] * 5) == []
    assert associate([]) == []


def test_share_that_another_lexicon_has_by_rank() -> None:
    result = associate(PAIRS, min_together=1)
    lexicon = WordPairs([("fell", "came"), ("vendors", "suppliers"), ("other", "words")])
    inside = found_in(result, lexicon)
    assert share_by_rank(inside, step=1) == [(1, 1.0), (2, 1.0), (3, 2 / 3)]
    assert share_by_rank(inside, step=2) == [(2, 1.0), (3, 2 / 3)]


def test_order_of_the_sides_makes_no_difference() -> None:
    assert associate(PAIRS, min_together=1) == associate([(b, a) for a, b in PAIRS], min_together=1)


TEXTS = [
    ("the operation began", "the procedure began"),
    ("an operation", "a procedure of the orbit"),
    ("one orbit", "one orbital"),
    ("orbit", "orbital"),
    ("orbital", "orbit"),
]


def pair(first: str, second: str) -> Association:
    return Association(first, second, 1.0, 1)


def test_pairs_that_face_each_other_by_how_often(tmp_path: Path) -> None:
    lexicons = small_lexicons(tmp_path).by_class
    stems = facing_pairs(TEXTS, lexicons[MORPHOLOGY], ranks=9, min_together=1)
    assert [(one.first, one.second, one.together) for one in stems] == [("orbit", "orbital", 3)]
    net = facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=2)
    assert [(one.first, one.second, one.together) for one in net] == [("operation", "procedure", 2)]
    assert facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=3) == []
    assert facing_pairs([], lexicons[WORDNET], ranks=9, min_together=1) == []


def test_what_another_lexicon_has(tmp_path: Path) -> None:
    wordnet = small_lexicons(tmp_path).by_class[WORDNET]
    pairs = [pair("operation", "procedure"), pair("dam", "storm")]
    assert found_in(pairs, wordnet) == [True, False]
    assert found_in([], wordnet) == []


def test_shares_by_rank() -> None:
    inside = [True, True, False, False, False]
    assert share_by_rank(inside, step=2) == [(2, 1.0), (4, 0.5), (5, 0.4)]
    assert share_by_rank([], step=2) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("color", "colour", True),
        ("organise", "organize", True),
        ("gov", "government", True),
        ("city", "cities", True),
        ("suppliers", "vendors", False),
        ("consecutive", "straight", False),
    ],
)
def test_words_that_differ_in_spelling_alone(first: str, second: str, expected: bool) -> None:
    assert trivial([pair(first, second)], "english") == [expected]


def test_stemmers_by_language_tag() -> None:
    assert stemmer_name("en") == stemmer_name("en-GB") == "english"
    assert stemmer_name("pt_BR") == "portuguese"
    assert stemmer_name("sw") is None
