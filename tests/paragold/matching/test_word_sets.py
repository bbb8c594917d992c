"""Word sets beside a plain reading of their definition, whatever the words hold."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from paragold.matching.similar_pairs import word_sets

# Words that share their first and last eight bytes, or are told apart by their length alone.
ALIKE = ["", "\0", "\0\0", "a", "\0a", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefgh\x1fjklmnop"]
WORDS = st.one_of(st.sampled_from(ALIKE), st.text(st.characters(codec=None), max_size=20))


def by_definition(texts):
    """The codes of each text: ascending, the rarest word of all has the first."""
    words = dict.fromkeys(word for text in texts for word in text)
    frequencies = Counter(word for text in texts for word in set(text))
    code_of = {word: code for code, word in enumerate(sorted(words, key=frequencies.__getitem__))}
    return [sorted(map(code_of.__getitem__, set(text))) for text in texts]


def codes(sets):
    return [sets.codes[start:end].tolist() for start, end in pairwise(sets.offsets.tolist())]


@given(st.lists(st.lists(WORDS, max_size=80), max_size=20))
def test_any_words(texts):
    held = set("".join(word for text in texts for word in text))
    if held.issuperset("\n\0\x1f"):
        with pytest.raises(ValueError, match="take one of them out"):
            word_sets(texts)
    else:
        assert codes(word_sets(texts)) == by_definition(texts)


def test_many_texts_and_many_words_of_one():
    random = np.random.default_rng(3)
    drawn = random.integers(0, 60_000, (900, 9)).tolist()
    texts = [[f"\u00f6{word:x}" for word in of_text] + ["", "e", "\u00e9", "ee"] for of_text in drawn]
    texts.append([f"w{number * 7919 % 10_007}" for number in range(20_000)])
    assert codes(word_sets(texts)) == by_definition(texts)
