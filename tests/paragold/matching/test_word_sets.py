"""Word sets beside a plain reading of their definition, whatever the words hold."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from paragold.matching.similar_pairs import word_sets

# Words that share their first and last eight bytes, or are told apart by their length alone.
ALIKE = ["", "\0", "\0\0", "a", "\0a", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefgh\x1fjklmnop"]
WORDS = st.one_of(st.sampled_from(ALIKE), st.text(st.characters(codec=None), max_size=20))


def by_definition(texts):
    words = list(dict.fromkeys(word for text in texts for word in text))
    frequencies = Counter(word for text in texts for word in set(text))
    ordered = sorted(words, key=lambda word: frequencies[word])
    code_of = {word: code for code, word in enumerate(ordered)}
    return ordered, [sorted(map(code_of.__getitem__, set(text))) for text in texts]


@given(st.lists(st.lists(WORDS, max_size=80), max_size=20))
def test_any_words(texts):
    held = set("".join(word for text in texts for word in text))
    if held.issuperset("\n\0\x1f"):
        with pytest.raises(ValueError, match="take one of them out"):
            word_sets(texts)
        return
    sets = word_sets(texts)
    words, codes = by_definition(texts)
    assert list(sets.words) == words
    assert [sets.codes[start:end].tolist() for start, end in pairwise(sets.offsets.tolist())] == codes


def test_many_words_of_one_text():
    text = [f"w{number * 7919 % 10_007}" for number in range(20_000)]
    sets = word_sets([text, text[:5]])
    words, (first, second) = by_definition([text, text[:5]])
    assert list(sets.words) == words
    assert sets.codes.tolist() == first + second
