"""Words that count as identical."""

import pytest

from paragold.text.word_forms import same_form


@pytest.mark.parametrize(
    "words",
    [
        ("Don’t", "don't", "DON‘T"),
        ("“", '"', "”", "„", "«"),
        ("--", "—", "–", "-", "‐"),
        ("twenty–five", "Twenty-five"),
    ],
)
def test_case_and_the_style_of_quotes_and_dashes_do_not_matter(words):
    assert len({same_form(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("word", "other"), [("e", "é"), ("'", '"'), ("-", ""), ("co", "co-"), ("-LRB-", "LRB"), ("its", "it's")]
)
def test_everything_else_does(word, other):
    assert same_form(word) != same_form(other)
