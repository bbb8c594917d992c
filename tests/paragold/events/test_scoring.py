"""B-cubed and adjusted Rand, beside examples worked by hand."""

import pytest

from paragold.events.scoring import score_events


def test_an_example_by_hand() -> None:
    # Gold {a b c} {d e}; found {a b} {c d e}.
    scores = score_events(list("xxyyy"), list("ggghh"))
    # a, b: 2/2; c: 1/3; d, e: 2/3.
    assert scores.precision == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    # a, b: 2/3; c: 1/3; d, e: 2/2.
    assert scores.recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert scores.f == pytest.approx(2 / (1 / scores.precision + 1 / scores.recall))
    # Pairs together in both: 2 (ab, de); in gold 4, in found 4, of 10: (2 - 1.6) / (4 - 1.6).
    assert scores.adjusted_rand == pytest.approx(0.4 / 2.4)
    assert scores.clusters == 2


def test_the_same_clusters_under_other_names() -> None:
    scores = score_events(["1", "1", "2"], ["b", "b", "a"])
    assert (scores.precision, scores.recall, scores.f, scores.adjusted_rand) == (1, 1, 1, 1)


def test_all_in_one_and_one_each() -> None:
    gold = ["a", "a", "b", "b"]
    together = score_events(["x"] * 4, gold)
    assert (together.precision, together.recall, together.adjusted_rand) == (0.5, 1, 0)
    apart = score_events(list("wxyz"), gold)
    assert (apart.precision, apart.recall, apart.adjusted_rand) == (1, 0.5, 0)


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(ValueError, match="as many"):
        score_events([], [])
    with pytest.raises(ValueError, match="as many"):
        score_events(["a"], ["a", "b"])
