import numpy as np
import pytest

from paragold.matching.files import answer_key, best, rows_of, score_curve
from paragold.matching.similar_pairs import scored_pairs

# Texts 0 to 2 are of one file, 3 to 6 of the other; text 1 corresponds to two texts together.
OF_TWO_FILES = answer_key([(0, 3), (1, 4, 5), (2,)], split=3)
PROPOSED = scored_pairs(np.array([0, 1, 2, 1]), np.array([3, 4, 6, 5]), np.array([0.9, 0.8, 0.6, 0.4]))


def test_pairs_of_rows_and_figures_at_each_threshold():
    assert OF_TWO_FILES == {(0, 3): (0,), (1, 4): (1,), (1, 5): (1,)}
    assert rows_of(OF_TWO_FILES) == 2
    assert set(answer_key([(4, 1, 5)])) == {(1, 4), (1, 5), (4, 5)}
    curve = score_curve(PROPOSED, OF_TWO_FILES, [0.4, 0.6, 0.8, 0.95])
    low, middle, high, none = curve.itertuples()
    assert (low.proposed, low.right, low.precision, low.recall, low.row_recall) == (4, 3, 0.75, 1.0, 1.0)
    assert (middle.proposed, middle.right) == (3, 2)
    assert (high.precision, high.recall, high.row_recall) == (1.0, pytest.approx(2 / 3), 1.0)
    assert (none.proposed, none.precision, none.recall, none.f) == (0, 1.0, 0.0, 0.0)
    assert low.f == pytest.approx(2 * 0.75 / 1.75)
    assert (best(curve)["threshold"], best(curve, by="row_f")["threshold"]) == (0.4, 0.8)
