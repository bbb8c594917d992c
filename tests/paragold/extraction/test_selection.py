"""Choosing among candidate pairs by their numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.extraction.criteria import Criteria, CriteriaError
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import (
    Selection,
    alternatives,
    described,
    lets_all_through,
    narrowed,
    preset_selections,
    selection_of,
    widest,
)

# edit distance, lengths, shared words, greater position
PAIR = (8, 12, 9, 3, 2)


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"min_edit_distance": 8, "max_edit_distance": 8}, True),
        ({"min_edit_distance": 9}, False),
        ({"max_edit_distance": 7}, False),
        ({"first_n": 3}, True),
        ({"first_n": 2}, False),
        ({"min_length_ratio": "3/4"}, True),
        ({"min_length_ratio": "0.75", "ratio_strict": "yes"}, False),
        ({"min_length_ratio": "0.76"}, False),
        ({"min_shared_words": 3}, True),
        ({"min_shared_words": 4}, False),
        ({"min_length": 9, "max_length": 12}, True),
        ({"min_length": 10}, False),
        ({"max_length": 11}, False),
    ],
)
def test_each_bound_is_inclusive(settings: dict[str, object], kept: bool) -> None:
    selection = Selection.from_settings(settings)
    assert selection.admits(*PAIR) is kept
    assert selection.admits(8, 9, 12, 3, 2) is kept
    assert Selection.from_settings(selection.settings()) == selection


def test_what_limits_nothing_is_not_said() -> None:
    assert Selection().settings() == {} and Selection().signature() == ""
    selection = Selection.from_settings({"min_length_ratio": "2/3", "max_edit_distance": "none"})
    assert selection.settings() == {"min_length_ratio": "2/3"}
    assert selection.signature() == "min_length_ratio:2/3"
    assert selection.min_length_ratio == Fraction(2, 3)


@pytest.mark.parametrize(
    ("settings", "name", "message"),
    [
        ({"max_edit_distance": "lots"}, "max_edit_distance", "a whole number from 0"),
        ({"max_edit_dist": 3}, "max_edit_dist", "Did you mean max_edit_distance"),
        ({"method": "levenshtein"}, "method", "no such parameter"),
        ({"min_length": 9, "max_length": 5}, "max_length", "no pair could match"),
    ],
)
def test_what_cannot_be_selected_is_named(settings: dict[str, object], name: str, message: str) -> None:
    with pytest.raises(CriteriaError, match=message) as error:
        Selection.from_settings(settings)
    assert error.value.name == name


def test_presets_become_selections() -> None:
    selections = preset_selections()
    assert selections["L12-2004-word"] == Selection(max_edit_distance=12, min_length_ratio=Fraction(2, 3))
    assert selections["F2-2004"].first_n == 2 and selections["F2-2004"].min_shared_words == 3
    assert set(selections) <= set(PRESETS)
    longer_words = Criteria(method="first_sentences", first_n=2, shared_word_length=6)
    assert selection_of(longer_words) is None


def test_two_selections_narrow_each_other() -> None:
    near = Selection(max_edit_distance=12, min_length_ratio=Fraction(1, 2), ratio_strict=True, first_n=3)
    long = Selection(min_edit_distance=2, min_length_ratio=Fraction(2, 3), min_length=6)
    both = narrowed(near, long)
    assert both == narrowed(long, near)
    lengths = {"min_length_ratio": "2/3", "min_length": 6}
    assert both.settings() == {"min_edit_distance": 2, "max_edit_distance": 12, "first_n": 3, **lengths}
    assert narrowed(near, Selection()) == near
    with pytest.raises(CriteriaError, match="no pair could match"):
        narrowed(near, Selection(min_edit_distance=13))


def test_alternatives_are_described_together() -> None:
    [asked] = alternatives(PRESETS["F2-2004"].criteria)
    assert described([asked]) == {
        "Edit distance": "any",
        "Sentence range in article": "first 2",
        "Length": "any",
        "Length ratio": "≥ 50 %",
        "Shared words": "3",
    }
    either = [Selection(max_edit_distance=20), Selection(first_n=3, min_length_ratio=Fraction(2, 3))]
    assert described(either)["Edit distance"] == "e ≤ 20 or any"
    assert described(either)["Length ratio"] == "any or ≥ 2/3"
    assert described(either)["Shared words"] == "any"


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*preset_selections().values(), Selection(max_edit_distance=5), Selection()]),
    st.sampled_from([preset.criteria for preset in PRESETS.values()]),
    st.tuples(*map(st.integers, (0, 1, 1, 0, 0), (40, 40, 40, 6, 5))),
)
def test_what_is_let_through_in_full_meets_the_criteria(selection, criteria, numbers) -> None:
    if lets_all_through(criteria, selection) and selection.admits(*numbers):
        assert any(alternative.admits(*numbers) for alternative in alternatives(criteria))


def test_the_candidates_of_2005_let_its_datasets_through() -> None:
    wide = PRESETS["candidates-2005"].criteria
    through = [name for name, found in preset_selections().items() if lets_all_through(wide, found)]
    assert through == ["L12", "F2", "F3"]
    assert not lets_all_through(wide.with_settings({"distance": "indel"}), preset_selections()["L12"])
    assert not lets_all_through(PRESETS["F2"].criteria, preset_selections()["L12"])


@pytest.mark.parametrize("preset", ["L12", "F2", "F3"])
def test_a_preset_out_of_the_candidates_of_2005_is_described_as_the_preset(preset: str) -> None:
    wanted = preset_selections()[preset]
    met = [narrowed(wanted, way) for way in alternatives(PRESETS["candidates-2005"].criteria)]
    assert widest(met) == [wanted] == widest(met[::-1])
    ways = alternatives(PRESETS["candidates-2005"].criteria)
    assert widest(ways) == ways == widest([*ways, *ways])
