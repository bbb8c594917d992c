"""Keys of pairs of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.extraction.records import content_key, sentence_bytes, words_only

tokens = st.lists(st.sampled_from(["a", "b", "ab", "é", "\x00", "\n", "", "\ud800"]), max_size=4).map(tuple)


def key(a: tuple[str, ...], b: tuple[str, ...]) -> bytes:
    return content_key(sentence_bytes(a), sentence_bytes(b))


@given(tokens, tokens, tokens, tokens)
def test_keys_are_equal_for_the_same_two_texts_only(a, b, c, d):
    assert key(a, b) == key(b, a)
    assert (key(a, b) == key(c, d)) == (sorted([a, b]) == sorted([c, d]))


def test_the_key_is_stable():
    """It is stored with every pair."""
    stored = bytes.fromhex("14d7bfbbff2a76c720bc15df52e4cdfb")
    assert key(("the", "king"), ("a", "king", ".")) == stored
    assert len(stored) == 16


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("the river rose .", "the river rose", True),
        ("`` the river rose ''", "the river , rose !", True),
        (". .", "! ? --", True),
        (".", "river", False),
        ("river rose", "rose river", False),
        ("u.s. 5", "u.s. 6", False),
        ("john's", "johns", False),
        ("٣ 東京", "東京", False),
        ("½ cup", "cup", False),
        ("-- o' % 7% é _ §", "o' 7% é", True),
    ],
)
def test_same_text_looks_at_words_only(a, b, same):
    assert (words_only(a.split()) == words_only(b.split())) is same
