import math

import numpy as np
import pytest

from paragold.classification.features import FeatureSpace, cohesion, context_columns, prepare
from paragold.classification.lexicons import Lexicons
from paragold.formats.labelled_pairs import NO_CONTEXT

KNOWN = (2.0, (3, 0), 0.25)


def test_cohesion_and_columns_by_hand():
    assert cohesion([("a", "b"), ("b", "c"), ("a", "b", "b")]) == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert cohesion([("a",)]) is None
    columns = context_columns([KNOWN, NO_CONTEXT])
    assert columns[0].tolist() == pytest.approx([math.log(3), 0.0, math.log(4), 0.25])
    assert np.isnan(columns[1]).all()


def test_what_is_not_known_counts_as_the_mean():
    texts = [("a b", "a c")] * 4
    contexts = [KNOWN, (9.0, (0, 0), 0.5), NO_CONTEXT, (2.0, None, None)]
    space = FeatureSpace.fit(prepare(texts, Lexicons({}), contexts), ["context"], min_frequency=None)
    rows = space.transform(prepare(texts, Lexicons({}), contexts)).toarray()
    assert rows[2].tolist() == [0, 0, 0, 0]
    assert rows[3].tolist() == [rows[0][0], 0, 0, 0]
    assert rows[0][0] < 0 < rows[1][0]
    assert (space.transform(prepare(texts, Lexicons({}))).toarray() == 0).all()
    # The pairs that are taken take their contexts along.
    taken = prepare(texts, Lexicons({}), contexts).take(np.array([1, 0]))
    assert space.transform(taken).toarray().tolist() == [rows[1].tolist(), rows[0].tolist()]
