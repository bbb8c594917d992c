"""Nearly equal articles, by the shingles that they share."""

from __future__ import annotations

import pytest

from paragold.matching.near_articles import NearFilter, ShingleCoder, near_pairs
from tests.paragold.matching.near_reference import shingles

WIRE = ["The council mended the dam on Wednesday , after it had leaked for a year .", "Nobody was hurt ."]


def of(*sentences: str) -> list[list[str]]:
    return [sentence.split(" ") for sentence in sentences]


def test_shingles_are_five_words_of_a_sentence_without_case_and_punctuation() -> None:
    coder = ShingleCoder()
    assert coder.codes(of("The dam , it broke At ONCE !")).size == 2
    first, second = "the dam it broke at", "dam it broke at once"
    assert coder.codes(of("The dam , it broke At ONCE !")).tolist() == coder.codes(of(first, second)).tolist()
    assert coder.codes(of("Nobody was hurt .", "...")).tolist() == coder.codes(of("nobody was hurt")).tolist()


def test_a_rewritten_story_is_found_with_its_share_and_another_report_is_not() -> None:
    rewritten = [WIRE[0].replace("Wednesday", "March 17"), *WIRE[1:]]
    other = ["A dam in the valley was repaired this week , officials said ."]
    articles = [[sentence.split(" ") for sentence in article] for article in (WIRE, other, rewritten)]
    pairs = near_pairs([ShingleCoder().codes(article) for article in articles], min_share=0.4)
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0], [2])
    # Ten shingles and the short sentence; five shingles hold the day.
    wire, other_wire = shingles(of(*WIRE)), shingles(of(*rewritten))
    assert pairs.scores[0] == pytest.approx(len(wire & other_wire) / len(wire))
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
    assert near.passes([["..."], []])
    assert near.passes([["..."], []])


def test_existing_articles_are_compared_with_even_if_near_others() -> None:
    near = NearFilter(0.5)
    near.take(of(*WIRE))
    near.take(of(WIRE[0].replace("Wednesday", "March 17"), "The mayor thanked all of the workers there ."))
    assert not near.passes(of("The mayor thanked all of the workers there ."))
