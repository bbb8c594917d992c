"""The papers' presets, as published."""

from fractions import Fraction

import pytest

from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria, CriteriaError
from paragold.extraction.kernels.numba_lanes import NumbaLanes
from paragold.extraction.kernels.rapidfuzz_blocks import RapidfuzzBlocks
from paragold.extraction.presets import PRESETS, get_preset
from paragold.extraction.records import ClusterSentences


def test_the_presets_of_2004_are_the_published_ones():
    """The paper counts deletions and insertions, between "every other sentence in the cluster"."""
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


@pytest.mark.parametrize("kernel", [NumbaLanes, RapidfuzzBlocks])
def test_l12_2004_pairs_by_hand(kernel, monkeypatch):
    """One replaced word is a deletion and an insertion; two sentences of one article are a pair."""
    monkeypatch.setattr("paragold.extraction.cluster.get_kernel", lambda: kernel)
    thirteen = [f"word{n}" for n in range(13)]
    cluster = ClusterSentences.from_articles(
        [
            [thirteen, [*thirteen[:7], *(f"other{n}" for n in range(6))]],
            [[*thirteen[:6], *(f"new{n}" for n in range(7))]],
        ]
    )

    def pairs(preset):
        found = extract_cluster(cluster, get_preset(preset).criteria)
        return {(pair.first, pair.second): pair.edit_distance for pair in found}

    # Six words replaced are 12 operations, seven are 14. The distance that is kept counts a replacement as 1.
    assert pairs("L12-2004") == {(0, 1): 6}
    assert pairs("L12-2004-word") == {(0, 2): 7, (1, 2): 7}


TABLE_2 = {"ratio_strict": True, "min_shared_words": 3, "min_length": 6, "max_length": 29}


def test_the_presets_of_2005_are_the_published_ones():
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


def test_lengths_and_ratios_of_2005_are_strict():
    l12 = get_preset("L12").criteria
    assert [l12.admits_length(length) for length in (5, 6, 29, 30)] == [False, True, True, False]
    # 16.5 / 25 is 66 %: 25 words need 17, and 33 words, of 50.
    assert get_preset("candidates-2005").criteria.longest_partner(33) == 49
    assert get_preset("F3").criteria.longest_partner(10) == 19


def test_an_unknown_preset_names_the_nearest():
    with pytest.raises(CriteriaError, match=r"^L12-2005: no such preset\. Did you mean L12-2004\?$"):
        get_preset("L12-2005")
    with pytest.raises(CriteriaError, match=r"Did you mean F2-2004\?$"):
        get_preset("f2-2004")
    with pytest.raises(CriteriaError, match=rf"Available: {', '.join(PRESETS)}\.$"):
        get_preset("minhash")
