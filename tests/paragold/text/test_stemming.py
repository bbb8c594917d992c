import pytest
from nltk.stem.snowball import SnowballStemmer

from paragold.text.stemming import LANGUAGES, STEMMERS, Stemmer, stemmer_name
from paragold.text.tokenisation import same_form


def test_stems_of_languages():
    other = SnowballStemmer("english")
    words = "orbital Orbits orbiting decided Operations suppliers vendors said nationalisation generously"
    stems = [Stemmer().stem(word) for word in words.split()]
    assert stems == [other.stem(word) for word in words.split()]
    assert stems[:4] == ["orbit", "orbit", "orbit", "decid"]
    assert [Stemmer().stem(word) for word in ("%", "1,000", "")] == ["%", "1,000", ""]
    assert Stemmer("dutch").stem("boeken") == "boek"
    assert Stemmer("dutch").signature != Stemmer("english").signature
    with pytest.raises(ValueError, match="no stemmer for 'klingon'"):
        Stemmer("klingon")
    tags = {
        "en": "english",
        "EN-gb": "english",
        "pt_BR": "portuguese",
        "nb": "norwegian",
        "ja": None,
        "": None,
    }
    assert {tag: stemmer_name(tag) for tag in tags} == tags
    # Every stemmer but the older ones has a language.
    assert set(LANGUAGES) - set(STEMMERS.values()) == {"porter", "dutch_porter"}


@pytest.mark.parametrize(
    ("words", "forms"),
    [
        ("Don’t don't DON‘T", 1),
        ('“ " ” „ «', 1),
        ("-- — – - ‐", 1),
        ("twenty–five Twenty-five", 1),
        ("e é ' \" - co co- LRB -LRB- its it's", 11),
    ],
)
def test_case_and_the_style_of_quotes_and_dashes_do_not_matter_and_all_else_does(words, forms):
    assert len({same_form(word) for word in words.split()}) == forms
