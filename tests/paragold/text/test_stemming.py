import pytest

from paragold.text.tokenisation import same_form


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
