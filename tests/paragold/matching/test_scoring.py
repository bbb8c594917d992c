"""Pairs against an answer key, by hand."""

import numpy as np
import pytest

from paragold.matching.similar_pairs import ScoredPairs
from paragold.matching.study import AnswerKey, best_f, best_row_f, f_score, score_curve

# Texts 0 to 2 are of one file, 3 to 6 of the other; text 1 corresponds to two texts together.
KEY = AnswerKey.from_rows([(0, 3), (1, 4, 5), (2,)], split=3)
PAIRS = ScoredPairs.sorted(np.array([0, 1, 2, 1]), np.array([3, 4, 6, 5]), np.array([0.9, 0.8, 0.6, 0.4]))


def test_a_row_gives_the_pairs_across_the_files_or_all_of_one() -> None:
    assert KEY.pairs == {(0, 3): (0,), (1, 4): (1,), (1, 5): (1,)}
    assert KEY.rows == 2
    assert set(AnswerKey.from_rows([(4, 1, 5)]).pairs) == {(1, 4), (1, 5), (4, 5)}


def test_figures_at_each_threshold() -> None:
    low, middle, high, none = curve = score_curve(PAIRS, KEY, [0.4, 0.6, 0.8, 0.95])
    assert (low.proposed, low.right, low.precision, low.recall, low.row_recall) == (4, 3, 0.75, 1.0, 1.0)
    assert (middle.proposed, middle.right) == (3, 2)
    assert (high.precision, high.recall, high.row_recall) == (1.0, pytest.approx(2 / 3), 1.0)
    assert (none.proposed, none.precision, none.recall, none.f) == (0, 1.0, 0.0, 0.0)
    assert low.f == pytest.approx(2 * 0.75 / 1.75)
    assert (best_f(curve).threshold, best_row_f(curve).threshold) == (0.4, 0.8)


def test_f_with_little_weight_on_recall() -> None:
    assert f_score(0.76, 0.41, 0.25) == pytest.approx(1.0625 * 0.76 * 0.41 / (0.0625 * 0.76 + 0.41))
    assert f_score(0.0, 0.0) == 0.0
