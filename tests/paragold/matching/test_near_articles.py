"""Nearly equal articles, by the shingles that they share, beside a slow reference; and the filter of them."""

import random
from itertools import combinations

import numpy as np
from hypothesis import given, strategies as st

from paragold.matching.near_articles import (
    SHINGLE_WORDS,
    NearFilter,
    ShingleCoder,
    near_articles_of_many,
    near_pairs,
)

CODER = ShingleCoder()


def shingles(sentences):
    """The different shingles of sentences, given as tokens; case and punctuation do not count."""
    rows = set()
    for tokens in sentences:
        words = [token.casefold() for token in tokens if any(map(str.isalnum, token))]
        starts = range(max(len(words) - SHINGLE_WORDS, 0) + 1)
        rows |= {tuple(words[start : start + SHINGLE_WORDS]) for start in starts if words}
    return rows


def expected(articles, least=0.5):
    """The share of each two articles, by place, that share at least so much of the shorter one's shingles."""
    shares = {}
    for (first, one), (second, other) in combinations(enumerate(map(shingles, articles)), 2):
        both = len(one & other)
        if both and both / min(len(one), len(other)) >= least:
            shares[first, second] = both / min(len(one), len(other))
    return shares


def copies(number, stories, seed=2):
    """Copies of a few stories, some cut, each with words of its own here and there."""
    draw = random.Random(seed)
    words = [f"w{number}" for number in range(2_000)]
    bases = [[draw.choices(words, k=15) for _ in range(8)] for _ in range(stories)]
    result = []
    for copy in range(number):
        rate = draw.choice([0.0, 0.02, 0.05, 0.1])
        story = bases[copy % stories][: draw.choice([8, 8, 4])]
        result.append(
            [[word if draw.random() > rate else draw.choice(words) for word in row] for row in story]
        )
    return result


def shares(pairs):
    assert (np.diff(pairs["score"]) <= 0).all()
    return {(first, second): share for first, second, share in pairs.tolist()}


def test_the_pairs_are_those_of_a_comparison_of_all():
    articles = copies(150, 20)
    result = near_articles_of_many([CODER.codes(own) for own in articles])
    assert shares(result) == expected(articles)
    assert len(result) > 300


SENTENCES = st.lists(st.lists(st.sampled_from(["a", "B", "b", ".", "1"]), max_size=9), max_size=3)


@given(st.lists(SENTENCES, max_size=7), st.floats(0.05, 1))
def test_codes_compare_as_shingles_do(articles, least):
    assert [CODER.codes(own).size for own in articles] == [len(shingles(own)) for own in articles]
    assert shares(near_pairs([CODER.codes(own) for own in articles], min_share=least)) == expected(
        articles, least
    )


def test_a_cut_story_is_all_in_the_long_one_and_empty_ones_are_near_nothing():
    (whole,) = copies(1, 1)
    given = [CODER.codes(own) for own in (whole, [], whole[:3], [["."]])]
    assert shares(near_articles_of_many(given)) == shares(near_pairs(given, min_share=0.5)) == {(0, 2): 1.0}
    assert len(near_articles_of_many([])) == len(near_pairs([], min_share=0.5)) == 0


def test_codes_are_the_same_everywhere():
    assert CODER.codes([["The", "dam", "."]]).tolist() == [6081160027876539704]


WIRE = ["The council mended the dam on Wednesday , after it had leaked for a year .", "Nobody was hurt ."]


def of(*sentences):
    return [sentence.split(" ") for sentence in sentences]


def test_the_filter_takes_what_shares_less_than_the_least_with_all_that_it_took():
    near = NearFilter(0.5)
    rewritten = of(WIRE[0].replace("Wednesday", "March 17"), WIRE[1])
    assert near.passes(of(*WIRE))
    assert not near.passes(rewritten)
    assert near.passes(of("A dam in the valley was repaired this week , officials said ."))
    assert NearFilter(1.0).passes(rewritten)
    strict = NearFilter(1.0)
    assert strict.passes(of(*WIRE))
    assert strict.passes(rewritten)
    assert not strict.passes(of(WIRE[1]))
    # An article without words passes.
    assert near.passes([["..."], []]) and near.passes([["..."], []])


def test_existing_articles_are_compared_with_even_if_near_others():
    near = NearFilter(0.5)
    near.take(of(*WIRE))
    near.take(of(WIRE[0].replace("Wednesday", "March 17"), "The mayor thanked all of the workers there ."))
    assert not near.passes(of("The mayor thanked all of the workers there ."))
