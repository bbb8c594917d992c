import pytest

from paragold.text.stemming import LANGUAGES, STEMMERS, stemmer_name


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("en", "english"),
        ("EN-gb", "english"),
        ("pt_BR", "portuguese"),
        ("nb", "norwegian"),
        ("ja", None),
        ("", None),
    ],
)
def test_the_stemmer_of_a_tag(tag, name):
    assert stemmer_name(tag) == name


def test_every_stemmer_but_the_older_ones_has_a_language():
    assert set(LANGUAGES) - set(STEMMERS.values()) == {"porter", "dutch_porter"}
