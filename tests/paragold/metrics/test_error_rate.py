import random

import numpy as np
import pytest

from paragold.metrics.error_rate import (
    COUNTS,
    RATES,
    compare,
    counts_by_words,
    rates,
    score_of,
    table_of,
)
from paragold.metrics.links import LinkedPair, Links

GOLD = Links.of([(0, 0), (1, 1)], [(2, 1), (2, 2)])


def counts(*rows):
    return np.array(rows, dtype=np.int64)


SOME = counts((5, 4, 4, 3), (2, 2, 2, 2), (0, 3, 0, 0), (7, 6, 6, 6), (0, 0, 0, 0))


def sums(row):
    return tuple(row[name] for name in COUNTS)


def score_one(drawn, gold):
    return score([drawn], [gold])


def score(drawn, gold, *, seed=1, resamples=50):
    text = (tuple("abcd"), tuple("efgh"))
    pairs = [LinkedPair("", *text, links) for links in gold]
    return table_of(counts_by_words(drawn, pairs), seed=seed, resamples=resamples)["all"]


def shares(row):
    return [row[name] for name in RATES]


def test_rates_by_hand():
    # A = {0-0, 2-2, 3-3}: two of three in P, one of the two in S.
    drawn = [(0, 0), (2, 2), (3, 3)]
    found = score_one(drawn, GOLD)
    assert sums(found) == (3, 2, 2, 1)
    expected = [2 / 3, 1 / 2, 1 - (2 + 1) / (3 + 2)]
    assert shares(found) == pytest.approx(expected)
    assert rates(counts((3, 2, 2, 1)).sum(axis=0)) == pytest.approx(expected)
    assert np.isnan(rates(counts((0, 0, 0, 0)))).all()
    nothing = score_one([], Links.of())
    assert shares(nothing) == [None] * 3
    no_links_drawn = score_one([], GOLD)
    assert shares(no_links_drawn) == [None, 0, 1]
    no_sure_gold = score_one([(0, 0), (1, 1)], Links.of((), [(0, 0)]))
    assert shares(no_sure_gold) == [0.5, None, 0.5]
    # Sure links alone, and possible ones beside them, make no error.
    assert score_one(GOLD.sure, GOLD)["aer"] == score_one(GOLD.possible, GOLD)["aer"] == 0
    result = score([[(0, 0)], []], [Links.of([(0, 0)]), Links.of([(0, 0), (1, 1), (2, 2)])])
    assert sums(result) == (1, 4, 1, 1)
    assert shares(result) == [1, 0.25, pytest.approx(1 - 2 / 5)]
    assert result["pairs"] == 2


def intervals(table, **draws):
    row = score_of(table, **draws)
    return tuple(row[f"{name}_interval"] for name in RATES)


@pytest.mark.parametrize("table", [SOME[:0], SOME[:1], np.zeros((4, 4), dtype=int)])
def test_interval_is_none_where_it_would_say_nothing(table):
    assert score_of(table, seed=1)["aer_interval"] is None
    undefined = intervals(counts((0, 3, 0, 0), (0, 2, 0, 0)), seed=1)
    assert undefined == (None, (0, 0), (1, 1))
    assert intervals(SOME, seed=1, resamples=0) == (None, None, None)


def slow_aer(rows):
    """AER with Python's numbers alone."""
    size = sum(row[0] + row[1] for row in rows)
    return 1 - sum(row[2] + row[3] for row in rows) / size if size else None


def test_intervals_equal_resampling_one_by_one():
    precision, recall, aer = [], [], []
    for draw in np.random.Generator(np.random.PCG64(5)).integers(5, size=(300, 5)):
        drawn, sure, right, right_sure = (int(total) for total in SOME[draw].sum(axis=0))
        precision += [right / drawn] if drawn else []
        recall += [right_sure / sure] if sure else []
        aer += [1 - (right + right_sure) / (drawn + sure)] if drawn + sure else []
    found = intervals(SOME, seed=5, resamples=300)
    for interval, values in zip(found, (precision, recall, aer), strict=True):
        assert interval == pytest.approx(tuple(np.percentile(values, (2.5, 97.5))))


def test_worked_example_of_the_test_and_what_is_not_compared():
    # Three pairs, the first system without an error in all, the second without a link in all: AER 0 and 1.
    # Of the eight exchanges two (none, all) reach a difference of 1: p is 1/4.
    first, second = counts(*[(4, 4, 4, 4)] * 3), counts(*[(0, 4, 0, 0)] * 3)
    found = compare(first, second, seed=1, shuffles=20_000)
    assert found == {"difference": -1, "interval": (-1, -1), "p": pytest.approx(0.25, abs=0.02)}
    assert compare(first, second, seed=1, shuffles=50, resamples=0)["interval"] is None
    with pytest.raises(ValueError, match="same gold links"):
        compare(counts((1, 1, 1, 1)), counts((1, 2, 1, 1)), seed=1)
    assert compare(counts((0, 0, 0, 0)), counts((1, 0, 0, 0)), seed=1) is None


def test_the_test_equals_exchanging_one_by_one():
    rng = random.Random(4)
    first, second = (
        counts(*((n, 6, n - 1, max(0, n - 2)) for n in (rng.randint(1, 7) for _ in range(12))))
        for _ in range(2)
    )
    kept = np.random.Generator(np.random.PCG64(9)).integers(2, size=(500, 12))
    observed = abs(slow_aer(first.tolist()) - slow_aer(second.tolist()))
    reached = 1
    for row in kept:
        mine = [(first if keep else second)[n].tolist() for n, keep in enumerate(row)]
        other = [(second if keep else first)[n].tolist() for n, keep in enumerate(row)]
        reached += abs(slow_aer(mine) - slow_aer(other)) >= observed - 1e-12
    assert compare(first, second, seed=9, shuffles=500)["p"] == pytest.approx(reached / 501)
