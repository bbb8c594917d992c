"""Nearly equal articles, by the shingles that they share."""

from __future__ import annotations

import pytest

from paragold.matching.near_articles import NearFilter, ShingleCoder, near_pairs, shingles

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
    other = ["A dam in the valley was repaired this week , officials said ."]
    articles = [[sentence.split(" ") for sentence in article] for article in (WIRE, other, rewritten)]
    pairs = near_pairs([ShingleCoder().codes(article) for article in articles], min_share=0.4)
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0], [2])
    # Ten shingles and the short sentence; five shingles hold the day.
    assert pairs.scores[0] == pytest.approx(len(of(*WIRE) & of(*rewritten)) / len(of(*WIRE)))
    assert 0.4 < pairs.scores[0] < 0.7


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
