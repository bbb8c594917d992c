"""The fewest actions of the linking page, counted by hand on small pairs."""

from __future__ import annotations

import pytest

from benchmarks.linking_actions import plain, rectangles, suggested
from paragold.metrics.links import Links, TokenPair

DIAGONAL = Links.of([(0, 0), (1, 1), (2, 2)])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([], 0),
        ([(0, 0), (1, 1)], 2),
        ([(0, 0), (0, 1), (1, 0), (1, 1)], 1),
        ([(0, 0), (0, 1), (1, 0)], 2),
        # A cross of five cells: one row and one column, which overlap.
        ([(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)], 2),
        # Largest first would take the middle and need three more for the corners.
        ([(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3)], 3),
    ],
)
def test_rectangles(cells: list[tuple[int, int]], expected: int) -> None:
    assert rectangles(cells, cells) == expected
    # A rectangle may pass over links that are there.
    assert rectangles([(0, 0), (0, 2)], [(0, 0), (0, 1), (0, 2)]) == 1


def test_plain_counts_links_strengths_and_the_submission() -> None:
    assert plain(DIAGONAL, 3, 3) == 3 + 1
    assert plain(DIAGONAL, 4, 3) == 3 + 2
    assert plain(Links.of([(0, 0)], [(1, 1)]), 2, 2) == 2 + 1
    # Strengths are drawn apart, or together and corrected: one drag over all, one click for the middle.
    assert plain(Links.of([], [(0, 0), (0, 1), (1, 0), (1, 1)]), 2, 2) == 1 + 1
    assert plain(Links.of([(0, 0), (0, 2)], [(0, 1)]), 1, 3) == 1 + 1 + 1


def of_words(source: str, target: str) -> TokenPair:
    return TokenPair(tuple(source.split()), tuple(target.split()))


def test_good_suggestions_cost_one_key_and_bad_ones_are_left_aside() -> None:
    three = of_words("a b c", "x y z")
    assert suggested(DIAGONAL, DIAGONAL.possible, three) == 1 + 1
    five = Links.of((word, word) for word in range(5))
    mixed = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 4)]
    assert suggested(five, mixed, of_words("a b c d e", "v w x y z")) == 1 + 1 + 1 + 1
    assert suggested(DIAGONAL, [(0, 1), (0, 2), (1, 2)], three) == plain(DIAGONAL, 3, 3)
    assert suggested(DIAGONAL, [], three) == plain(DIAGONAL, 3, 3)
    # Identical words are accepted where the other suggestions are wrong.
    words, links = of_words("He ’s in town", "he 's out of"), Links.of([(0, 0), (1, 1)])
    assert suggested(links, [(0, 0), (1, 1), (2, 2), (2, 3), (3, 3)], words) == 1 + 2
