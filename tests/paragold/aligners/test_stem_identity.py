import pytest

from paragold.aligners.registry import aligner
from paragold.aligners.stem_identity import IdentityStemAligner


def test_words_with_equal_stems_are_linked_after_identical_ones():
    links = aligner("identity-stem").align(
        ["dogs", "run", "the", "dog", "Runs"], ["the", "dog", "running", "dogs", "ran"]
    )
    assert links == [(0, 3), (1, 2), (2, 0), (3, 1)]


def test_each_word_has_one_partner():
    assert IdentityStemAligner().align(["vendors", "vendors"], ["vendor"]) == [(0, 0)]


def test_other_languages_have_other_stems():
    assert IdentityStemAligner("german").align(["Häuser"], ["häusern"]) == [(0, 0)]
    assert "german" in IdentityStemAligner("german").signature
    with pytest.raises(ValueError, match="no stemmer for 'klingon'"):
        IdentityStemAligner("klingon")
