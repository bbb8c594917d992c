"""Nearly equal articles, by the shingles that they share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.matching.near_articles import NearArticles, NearFilter, near_articles, shingles

WIRE = ["The council mended the dam on Wednesday , after it had leaked for a year .", "Nobody was hurt ."]


def of(*sentences: str) -> set[tuple[str, ...]]:
    return shingles(sentence.split(" ") for sentence in sentences)


def test_shingles_are_five_words_of_a_sentence_without_case_and_punctuation() -> None:
    assert of("The dam , it broke At ONCE !") == {
        ("the", "dam", "it", "broke", "at"),
        ("dam", "it", "broke", "at", "once"),
    }
    assert of("Nobody was hurt .", "...") == {("nobody", "was", "hurt")}


def test_a_rewritten_story_is_found_with_its_share_and_another_report_is_not() -> None:
    rewritten = [WIRE[0].replace("Wednesday", "March 17"), *WIRE[1:]]
    articles = {
        7: of(*WIRE),
        3: of("A dam in the valley was repaired this week , officials said ."),
        5: of(*rewritten),
    }
    (pair,) = near_articles(articles, min_share=0.4)
    assert (pair.first, pair.second) == (7, 5)
    # Ten shingles and the short sentence; five shingles hold the day.
    assert pair.share == pytest.approx(len(articles[7] & articles[5]) / len(articles[7]))
    assert 0.4 < pair.share < 0.7


def test_a_cut_story_is_all_in_the_long_one() -> None:
    (pair,) = near_articles({1: of(*WIRE, "It rained ."), 2: of(WIRE[0])})
    assert pair.share == 1.0


def test_empty_articles_are_near_to_nothing() -> None:
    assert near_articles({1: set(), 2: set(), 3: of(*WIRE)}) == []


@given(
    st.dictionaries(
        st.integers(0, 50), st.sets(st.tuples(st.sampled_from("abcdef")), max_size=6), max_size=8
    ),
    st.floats(0.05, 1),
)
def test_the_pairs_are_those_of_the_definition(
    articles: dict[int, set[tuple[str, ...]]], least: float
) -> None:
    keys = list(articles)
    expected = []
    for number, first in enumerate(keys):
        for second in keys[number + 1 :]:
            both, least_size = (
                len(articles[first] & articles[second]),
                min(len(articles[first]), len(articles[second])),
            )
            if both and both / least_size >= least:
                expected.append(NearArticles(first, second, both / least_size))
    result = near_articles(articles, min_share=least)
    assert sorted(result, key=lambda pair: (keys.index(pair.first), keys.index(pair.second))) == expected
    assert [pair.share for pair in result] == sorted((pair.share for pair in result), reverse=True)


def test_the_filter_takes_what_shares_less_than_the_least_with_all_that_it_took() -> None:
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


def test_an_article_without_words_passes() -> None:
    near = NearFilter(0.5)
    assert near.passes(set())
    assert near.passes(set())


def test_existing_articles_are_compared_with_even_if_near_others() -> None:
    near = NearFilter(0.5)
    near.take(of(*WIRE))
    near.take(of(WIRE[0].replace("Wednesday", "March 17"), "The mayor thanked all of the workers there ."))
    assert not near.passes(of("The mayor thanked all of the workers there ."))
