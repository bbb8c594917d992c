import pytest

from corpus.templatetags.sentence_text import marked


def test_markup_is_text():
    assert marked("<b>&\"'</b>") == "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;"


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u202e", "U+202E"),
        ("\u200b", "U+200B"),
        ("\ufeff", "U+FEFF"),
        ("\x07", "U+0007"),
        ("\U000e0041", "U+E0041"),
    ],
)
def test_what_cannot_be_seen_is_named_and_kept(character, name):
    html = marked(f"a{character}b")
    assert f'data-name="{name}"' in html and f">{character}</span>b" in html
