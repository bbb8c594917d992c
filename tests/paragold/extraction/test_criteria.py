"""Criteria of an extraction: read, checked, signed; the papers' presets."""

import json
import pickle
from fractions import Fraction

import pytest

from paragold.extraction.criteria import LONGEST, Criteria
from paragold.extraction.presets import PRESETS, get_preset
from paragold.spec import SpecError

L12 = PRESETS["L12-2004-word"].criteria
F2 = PRESETS["F2-2004"].criteria


def test_settings_replace_parameters_and_unknown_presets_name_the_nearest():
    numbers = {"max_edit_distance": "20", "min_edit_distance": " 2 ", "min_length_ratio": "0.66"}
    asked = L12.replace(**{**numbers, "ratio_strict": "yes"})
    assert (asked.min_edit_distance, asked.max_edit_distance) == (2, 20)
    assert (asked.min_length_ratio, asked.ratio_strict) == (Fraction(33, 50), True)
    asked = L12.replace(**{"method": "first_sentences", "first_n": "3", "max_edit_distance": ""})
    assert (asked.method, asked.first_n, asked.max_edit_distance) == ("first_sentences", 3, None)
    with pytest.raises(SpecError, match="Minimum length ratio must be"):
        Criteria(method="levenshtein", max_edit_distance=1, min_length_ratio=Fraction(3, 2))
    assert L12.max_edit_distance == 12
    assert F2.replace(**{"max_length": "30"}).replace(**{"max_length": "none"}) == F2
    with pytest.raises(SpecError, match=r"^There is no preset L12-2005\. Did you mean L12-2004\?$"):
        get_preset("L12-2005")
    with pytest.raises(SpecError, match=r"Did you mean F2-2004\?$"):
        get_preset("f2-2004")
    with pytest.raises(SpecError, match=rf"Available: {', '.join(PRESETS)}\.$"):
        get_preset("minhash")


@pytest.mark.parametrize(
    ("settings", "parameter", "message"),
    [
        ({"max_edit_distance": "-1"}, "max_edit_distance", "from 0 to 1,000,000, or none; it is -1."),
        ({"min_length_ratio": "4/3"}, "min_length_ratio", "from 0 to 1, such as 2/3 or 0.66"),
        ({"ratio_strict": "maybe"}, "ratio_strict", "yes or no (true or false); it is maybe"),
        ({"max_edit_distanse": "12"}, "max_edit_distanse", "Did you mean max_edit_distance?"),
        ({"min_edit_distance": "13"}, "max_edit_distance", "12 is below the minimum, 13"),
        ({"method": "first_sentences"}, "first_n", "needs the number of sentences"),
    ],
)
def test_errors_name_the_parameter_and_the_way_out(settings, parameter, message):
    with pytest.raises(SpecError) as caught:
        L12.replace(**settings)
    assert caught.value.problems[0][0] == parameter
    assert message in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    "criteria",
    [*(preset.criteria for preset in PRESETS.values()), L12.replace(**{"min_length_ratio": "0.123456789"})],
)
def test_settings_survive_json(criteria):
    assert L12.replace(**json.loads(json.dumps(criteria.as_json()))) == criteria


def test_signatures_are_stable_and_sign_later_parameters_where_they_are_used():
    assert L12.signature() == (
        "method:levenshtein|min_edit_distance:0|max_edit_distance:12|first_n:none|min_length_ratio:2/3|"
        "ratio_strict:no|min_shared_words:0|shared_word_length:4|min_length:1|max_length:none|case:lower|version:1"
    )
    assert L12.replace(**{"min_length_ratio": "4/6"}).signature() == L12.signature() != F2.signature()
    asked = L12.replace(**{"distance": "indel", "placeholders": "yes"})
    assert "|distance:indel|placeholders:yes|placeholder-rules:3|case:lower|" in asked.signature()
    plain = asked.replace(**{"distance": "levenshtein", "placeholders": "no"})
    assert plain.signature() == L12.signature()


def test_the_longest_partner_is_exact():
    lengths = (1, 2, 3, 4, 24, 25, 1000)
    assert [L12.longest_partner(length) for length in lengths] == [1, 3, 4, 6, 36, 37, 1012]
    strict = L12.replace(**{"ratio_strict": True})
    assert [strict.longest_partner(length) for length in (1, 2, 3, 4, 24, 25)] == [1, 2, 4, 5, 35, 37]
    equal = L12.replace(**{"min_length_ratio": 1, "ratio_strict": True})
    assert equal.longest_partner(8) < 8
    assert F2.longest_partner(7) == 14
    unlimited = F2.replace(**{"min_length_ratio": "0"})
    assert unlimited.longest_partner(7) == LONGEST
    assert unlimited.replace(**{"max_length": 9}).longest_partner(7) == 9
    l12 = get_preset("L12").criteria
    assert [l12.admits_length(length) for length in (5, 6, 29, 30)] == [False, True, True, False]
    # 16.5 / 25 is 66 %: 25 words need 17, and 33 words, of 50.
    assert get_preset("candidates-2005").criteria.longest_partner(33) == 49
    assert get_preset("F3").criteria.longest_partner(10) == 19


def test_the_presets_are_the_published_ones():
    assert get_preset("L12-2004").criteria == Criteria(
        method="levenshtein",
        max_edit_distance=12,
        min_length_ratio=Fraction(2, 3),
        distance="indel",
        same_article=True,
    )
    assert get_preset("L12-2004-word").criteria == Criteria(
        method="levenshtein", max_edit_distance=12, min_length_ratio=Fraction(2, 3)
    )
    assert get_preset("F2-2004").criteria == Criteria(
        method="first_sentences",
        first_n=2,
        min_length_ratio=Fraction(1, 2),
        min_shared_words=3,
        shared_word_length=4,
    )
    blind = get_preset("blind-2004").criteria
    assert (blind.min_edit_distance, blind.max_edit_distance, blind.clusters) == (5, 20, "held_out")
    assert all(preset.name == name and preset.source for name, preset in PRESETS.items())
    assert get_preset("candidates-2005").criteria == Criteria(
        method="either",
        min_edit_distance=2,
        max_edit_distance=20,
        min_length_ratio=Fraction(66, 100),
        ratio_strict=True,
        first_n=3,
        first_length_ratio=Fraction(1, 2),
    )
    assert get_preset("L12").criteria == Criteria(
        method="levenshtein",
        min_edit_distance=2,
        max_edit_distance=12,
        min_length_ratio=Fraction(66, 100),
        **TABLE_2,
    )
    for name, first_n in (("F2", 2), ("F3", 3)):
        assert get_preset(name).criteria == Criteria(
            method="first_sentences",
            first_n=first_n,
            min_edit_distance=13,
            min_length_ratio=Fraction(1, 2),
            **TABLE_2,
        )


TABLE_2 = {"ratio_strict": True, "min_shared_words": 3, "min_length": 6, "max_length": 29}
