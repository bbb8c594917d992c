"""Near articles among many: found by MinHash, with the exact shares that all pairs have."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corpus.matching.near_articles import near_articles, shingles
from corpus.matching.near_articles_of_many import coded, near_articles_of_many


def articles(number: int, stories: int, seed: int = 2) -> list[set[tuple[str, ...]]]:
    """Copies of a few stories, some cut, each with words of its own here and there."""
    draw = random.Random(seed)
    words = [f"w{number}" for number in range(2_000)]
    bases = [[draw.choices(words, k=15) for _ in range(8)] for _ in range(stories)]
    found = []
    for copy in range(number):
        rate = draw.choice([0.0, 0.02, 0.05, 0.1])
        story = bases[copy % stories][: draw.choice([8, 8, 4])]
        own = [[word if draw.random() > rate else draw.choice(words) for word in row] for row in story]
        found.append(shingles(own))
    return found


@pytest.mark.parametrize("kernel", ["numba", "numpy"])
def test_the_pairs_are_those_of_a_comparison_of_all(kernel: str) -> None:
    given = articles(150, 20)
    expected = {(pair.first, pair.second): pair.share for pair in near_articles(dict(enumerate(given)))}
    found = near_articles_of_many([coded(own) for own in given], kernel=kernel)
    pairs = zip(found.first.tolist(), found.second.tolist(), found.scores.tolist(), strict=True)
    assert {(first, second): share for first, second, share in pairs} == pytest.approx(expected)
    assert len(expected) > 300
    assert (np.diff(found.scores) <= 0).all()


def test_a_cut_story_is_all_in_the_long_one_and_empty_ones_are_near_nothing() -> None:
    (whole, *_) = articles(1, 1)
    part = set(sorted(whole)[:30])
    found = near_articles_of_many([coded(whole), set(), coded(part), set()])
    assert (found.first.tolist(), found.second.tolist(), found.scores.tolist()) == ([0], [2], [1.0])
    assert len(near_articles_of_many([])) == len(near_articles_of_many([set(), set()])) == 0


def test_codes_are_the_same_everywhere() -> None:
    assert coded([("the", "dam"), ("the", "dam")]) == {12253472168800449213}
