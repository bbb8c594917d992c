"""Stems by Snowball, beside nltk's own copy of the algorithm."""

import pytest
from nltk.stem.snowball import SnowballStemmer

from paragold.text.stemming import LANGUAGES, Stemmer

WORDS = "orbital orbits orbiting Operations suppliers vendors said nationalisation generously 's % 1,000 U.S."


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("orbital", "orbit"),
        ("Orbits", "orbit"),
        ("decided", "decid"),
        ("%", "%"),
        ("1,000", "1,000"),
        ("", ""),
    ],
)
def test_english_stems(word: str, stem: str) -> None:
    assert Stemmer().stem(word) == stem


def test_agrees_with_another_implementation() -> None:
    other = SnowballStemmer("english")
    words = [word for word in WORDS.split() if word.isalpha()]
    assert [Stemmer().stem(word) for word in words] == [other.stem(word) for word in words]


def test_other_languages() -> None:
    assert "dutch" in LANGUAGES
    assert Stemmer("dutch").stem("boeken") == "boek"
    assert Stemmer("dutch").signature != Stemmer("english").signature
    with pytest.raises(ValueError, match="no stemmer for 'klingon'"):
        Stemmer("klingon")
