from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold import statistics
from paragold.metrics.error_rate import Counts, aer_interval, count_links, score, score_table
from paragold.metrics.links import Links, TokenPair
from tests.paragold.strategies import corpora

GOLD = Links.of([(0, 0), (1, 1)], [(2, 1), (2, 2)])


def test_worked_example():
    # A = {0-0, 2-2, 3-3}: two of three in P, one of the two in S.
    counts = count_links([(0, 0), (2, 2), (3, 3)], GOLD)
    assert counts == Counts(scored=3, sure=2, scored_possible=2, scored_sure=1)
    assert counts.precision == pytest.approx(2 / 3)
    assert counts.recall == pytest.approx(1 / 2)
    assert counts.aer == pytest.approx(1 - (2 + 1) / (3 + 2))


def test_sure_links_alone_and_possible_ones_beside_them_make_no_error():
    assert count_links(GOLD.sure, GOLD).aer == 0
    assert count_links(GOLD.possible, GOLD).aer == 0


def test_undefined_rates_are_none():
    assert (Counts(0, 0, 0, 0).precision, Counts(0, 0, 0, 0).recall, Counts(0, 0, 0, 0).aer) == (None,) * 3
    no_links_drawn = count_links([], GOLD)
    assert (no_links_drawn.precision, no_links_drawn.recall, no_links_drawn.aer) == (None, 0, 1)
    no_sure_gold = count_links([(0, 0), (1, 1)], Links.of((), [(0, 0)]))
    assert (no_sure_gold.precision, no_sure_gold.recall, no_sure_gold.aer) == (0.5, None, 0.5)


def test_corpus_rates_are_of_the_sums_not_means_of_rates():
    result = score([[(0, 0)], []], [Links.of([(0, 0)]), Links.of([(0, 0), (1, 1), (2, 2)])], seed=1)
    assert result.counts == Counts(1, 4, 1, 1)
    assert (result.precision, result.recall) == (1, 0.25)
    assert result.aer == pytest.approx(1 - 2 / 5)
    assert result.pairs == 2


def test_signature_tells_everything_that_changes_the_numbers():
    links = [Links.of([(0, 0)])] * 3
    signature = score([[(0, 0)]] * 3, links, seed=7, resamples=50).signature
    assert (
        signature == "aer:och-ney-2003|version:1|words:all|pairs:3|bootstrap:percentile,50,95%,pcg64|seed:7"
    )


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="1 link sets to score, but 0 gold"):
        score([[]], [], seed=1)
    with pytest.raises(ValueError, match="2 texts"):
        score_table([[]], [GOLD], [TokenPair((), ())] * 2, seed=1)


def test_link_outside_the_text_is_refused():
    text = TokenPair(("a", "b", "c"), ("a", "b", "c"))
    with pytest.raises(ValueError, match=r"pair 2: link \(3, 0\) points outside"):
        score_table([[], [(3, 0)]], [GOLD, GOLD], [text, text], seed=1)


def test_identical_and_non_identical_words_apart():
    text = TokenPair(("The", "dog", "barked"), ("the", "hound", "barked"))
    gold = Links.of([(0, 0), (1, 1)], [(2, 2)])
    table = score_table([[(0, 0), (2, 2), (2, 1)]], [gold], [text], seed=1)
    assert table.identical.counts == Counts(scored=2, sure=1, scored_possible=2, scored_sure=1)
    assert table.non_identical.counts == Counts(scored=1, sure=1, scored_possible=0, scored_sure=0)
    assert (table.identical.aer, table.non_identical.aer) == (0, 1)
    assert "words:identical|" in table.identical.signature
    assert "words:non_identical|" in table.non_identical.signature


@given(corpora(), corpora())
def test_identical_and_non_identical_add_up_to_all(gold, other):
    scored = [
        {(i % len(g.tokens.source), j % len(g.tokens.target)) for i, j in o.links.possible}
        if g.tokens.source and g.tokens.target
        else set()
        for g, o in zip(gold, [*other, *gold], strict=False)
    ]
    table = score_table(scored, [g.links for g in gold], [g.tokens for g in gold], seed=1, resamples=5)
    for field in ("scored", "sure", "scored_possible", "scored_sure"):
        parts = getattr(table.identical.counts, field) + getattr(table.non_identical.counts, field)
        assert parts == getattr(table.all.counts, field)
    for part in (table.all, table.identical, table.non_identical):
        assert part.aer is None or 0 <= part.aer <= 1


SOME_COUNTS = [
    Counts(5, 4, 4, 3),
    Counts(2, 2, 2, 2),
    Counts(0, 3, 0, 0),
    Counts(7, 6, 6, 6),
    Counts(0, 0, 0, 0),
]


def test_interval_equals_resampling_one_by_one():
    draws = np.random.Generator(np.random.PCG64(3)).integers(5, size=(200, 5))
    rates = []
    for draw in draws:
        size = sum(SOME_COUNTS[n].scored + SOME_COUNTS[n].sure for n in draw)
        right = sum(SOME_COUNTS[n].scored_possible + SOME_COUNTS[n].scored_sure for n in draw)
        if size:
            rates.append(float(1 - Fraction(int(right), int(size))))
    expected = np.percentile(rates, (2.5, 97.5))
    assert aer_interval(SOME_COUNTS, seed=3, resamples=200) == pytest.approx(tuple(expected))


def test_interval_does_not_depend_on_how_many_draws_are_held_at_once(monkeypatch):
    whole = aer_interval(SOME_COUNTS, seed=3, resamples=101)
    monkeypatch.setattr(statistics, "_DRAWS_AT_ONCE", 7)
    assert aer_interval(SOME_COUNTS, seed=3, resamples=101) == whole


@given(st.integers(0, 2**32))
def test_interval_lies_within_the_rates_of_single_pairs_and_repeats(seed):
    low, high = aer_interval(SOME_COUNTS, seed=seed, resamples=50)
    assert 0 <= low <= high <= 1
    assert aer_interval(SOME_COUNTS, seed=seed, resamples=50) == (low, high)


def test_interval_widens_with_its_level():
    narrow = aer_interval(SOME_COUNTS, seed=1, level=50)
    wide = aer_interval(SOME_COUNTS, seed=1, level=99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("counts", [[], [Counts(1, 1, 1, 1)], [Counts(0, 0, 0, 0)] * 4])
def test_interval_is_none_where_it_would_say_nothing(counts):
    assert aer_interval(counts, seed=1) is None


def test_no_resamples_no_interval():
    assert aer_interval(SOME_COUNTS, seed=1, resamples=0) is None
