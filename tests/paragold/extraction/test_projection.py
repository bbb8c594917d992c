"""Projecting the yield of a corpus from a sample of its clusters."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import pytest

from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import PRESETS
from paragold.extraction.projection import Projection, projection, widened
from paragold.extraction.selection import alternatives


def test_the_yield_is_held_in_proportion_to_the_work() -> None:
    result = projection([2, 4, 6], [10, 20, 30], clusters=10, all_work=300)
    assert (result.pairs, result.low, result.high) == pytest.approx((60, 60, 60))
    result = projection([2, 8], [10, 10], clusters=4, all_work=40)
    # Residues of 3 pairs: 1.96 * 4 * sqrt((1 - 2/4) * 18 / 1 / 2) around 20, and no less than was counted.
    assert result.pairs == 20 and result.high == pytest.approx(20 + 1.96 * 4 * 4.5**0.5)
    assert result.low == 10


def test_nothing_to_guess_and_too_little_to_tell() -> None:
    assert projection([3, 0, 4], [9, 4, 16], clusters=3, all_work=29) == Projection(7, 7, 7)
    assert projection([5], [10], clusters=3, all_work=40) == Projection(20, 5, inf)
    assert projection([], [], clusters=3, all_work=40) == Projection(0, 0, inf)
    assert projection([0, 0], [0, 0], clusters=2, all_work=0) == Projection(0, 0, 0)


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    draw = random.Random(5)
    sizes = [draw.randint(5, 60) for _ in range(400)]
    pairs = [round(size * size * draw.uniform(0.02, 0.1)) for size in sizes]
    held = 0
    for _ in range(300):
        sample = draw.sample(range(400), 40)
        result = projection(
            [pairs[cluster] for cluster in sample],
            [sizes[cluster] ** 2 for cluster in sample],
            clusters=400,
            all_work=sum(size**2 for size in sizes),
        )
        held += result.low <= sum(pairs) <= result.high
    assert held / 300 > 0.9


@pytest.mark.parametrize("name", list(PRESETS))
def test_wider_criteria_admit_what_the_narrower_do(name: str) -> None:
    criteria = PRESETS[name].criteria
    wide = widened(criteria)
    for option in ("method", "first_n", "clusters", "distance", "placeholders", "shared_word_length"):
        assert getattr(wide, option) == getattr(criteria, option)
    draw = random.Random(1)
    for _ in range(500):
        numbers = [draw.randint(0, 25), draw.randint(1, 40), draw.randint(1, 40), draw.randint(0, 6)]
        numbers.append(draw.randint(0, 5))
        if any(selection.admits(*numbers) for selection in alternatives(criteria)):
            assert any(selection.admits(*numbers) for selection in alternatives(wide))


def test_thresholds_are_widened_and_options_are_kept() -> None:
    options = {"distance": "indel", "placeholders": True, "shared_word_length": 2}
    near = Criteria(method="levenshtein", max_edit_distance=12, min_length_ratio=Fraction(2, 3), **options)
    wide = widened(near)
    assert (wide.max_edit_distance, wide.min_length_ratio) == (17, Fraction(1, 2))
    assert {name: getattr(wide, name) for name in options} == options
