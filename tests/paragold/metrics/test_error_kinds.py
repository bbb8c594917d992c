"""Kinds of errors: each error has one, by the stated precedence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.metrics.error_kinds import KINDS, errors_by_kind, errors_of_pair, function_words
from paragold.metrics.links import LinkedPair, Links, TokenPair

ENGLISH = function_words("en-GB")


def pair(source, target, sure, possible=()):
    return LinkedPair("1", TokenPair(tuple(source.split()), tuple(target.split())), Links.of(sure, possible))


def kinds(gold, drawn):
    return {(error.link, error.missing): error.kind for error in errors_of_pair(gold, drawn, ENGLISH)}


@pytest.mark.parametrize(
    ("gold", "drawn", "expected"),
    [
        (  # The gold leaves the second "the" alone.
            pair("the cat", "the the cat", [(0, 0), (1, 2)]),
            [(0, 0), (0, 1), (1, 2)],
            {((0, 1), False): "unlinked"},
        ),
        (
            pair("the cat saw the dog", "the dog the cat", [(0, 2), (3, 0)]),
            [(0, 0), (3, 0)],
            {((0, 0), False): "identical", ((0, 2), True): "identical"},
        ),
        (  # A number in a phrase is a phrase.
            pair("5 percent", "5 per cent", [(0, 0), (1, 1), (1, 2)]),
            [(0, 0), (1, 2)],
            {((1, 1), True): "phrases"},
        ),
        (pair("in 1999", "in 99", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "numbers"}),
        (pair("saw Smith", "saw him", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "names"}),
        # A capital at the start, or of a headline, is no name.
        (pair("Cats sleep", "felines sleep", [(0, 0), (1, 1)]), [(1, 1)], {((0, 0), True): "other"}),
        (pair("Big Cats Sleep", "felines sleep", [(1, 0)]), [], {((1, 0), True): "other"}),
        (pair("sleeps in", "sleeps on", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "function"}),
        (pair("yes ,", "yes .", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "function"}),
        (pair("cats in", "cats felines", [(0, 0), (1, 1)]), [(0, 0)], {((1, 1), True): "other"}),
        # POSSIBLE links are never wrong, drawn or not.
        (pair("a b", "a b", [(0, 0)], [(1, 1)]), [(0, 0), (1, 1)], {}),
        (pair("a b", "a b", [(0, 0)], [(1, 1)]), [(0, 0)], {}),
    ],
)
def test_the_kind_of_an_error(gold, drawn, expected):
    assert kinds(gold, drawn) == expected


def test_function_words_are_known_of_english_alone():
    assert "of" in function_words("en")
    assert not function_words("de")
    gold = pair("sehr in", "sehr an", [(0, 0), (1, 1)])
    assert [error.kind for error in errors_of_pair(gold, [(0, 0)], function_words("de"))] == ["other"]


words = st.lists(st.sampled_from(["the", "cat", "Cat", "7", ",", "of"]), min_size=1, max_size=5)


@settings(max_examples=60)
@given(st.data())
def test_every_error_is_counted_once(data):
    pairs, drawn = [], []
    for number in range(data.draw(st.integers(2, 4))):
        source, target = data.draw(words), data.draw(words)
        cells = st.sets(
            st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1)), max_size=8
        )
        links = Links.of(data.draw(cells), data.draw(cells))
        pairs.append(LinkedPair(str(number), TokenPair(tuple(source), tuple(target)), links))
        drawn.append(data.draw(cells))
    table = errors_by_kind(pairs, drawn, language="en", seed=1, resamples=20)
    assert [one.kind for one in table] == list(KINDS)
    missing = sum(len(one.links.sure - own) for one, own in zip(pairs, drawn, strict=True))
    false = sum(len(own - one.links.possible) for one, own in zip(pairs, drawn, strict=True))
    assert (sum(one.missing for one in table), sum(one.false for one in table)) == (missing, false)
    for name, total in (("missing", missing), ("false", false)):
        shares = [getattr(one, f"{name}_share") for one in table]
        assert shares == [None] * len(table) if not total else sum(shares) == pytest.approx(1)
    assert table[0].missing == 0  # the words of a gold link have a link


def test_shares_have_intervals_where_there_are_pairs_to_draw():
    one = pair("a cat", "a hound", [(0, 0), (1, 1)])
    table = errors_by_kind([one] * 3, [[(0, 0)]] * 3, language="en", seed=1, resamples=50)
    assert (table[-1].missing, table[-1].missing_share, table[-1].missing_interval) == (3, 1.0, (1.0, 1.0))
    assert table[-1].false_share is table[-1].false_interval is None
    assert errors_by_kind([one], [[]], language="en", seed=1)[-1].missing_interval is None
    with pytest.raises(ValueError, match="shorter"):
        errors_by_kind([one], [], language="en", seed=1)
