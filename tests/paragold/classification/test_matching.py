from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from paragold.classification.classes import ASSOCIATION
from paragold.classification.lexicons import word_pairs
from paragold.classification.words import KINDS, code_pairs, match, words_of


def test_words_are_folded_and_punctuation_dropped():
    assert [words_of(token) for token in ("The", "1,000", "...", "n’t", "%", "A.B.", "%%number%%")] == [
        *("the", "1000", "", "n't", "", "a.b.", "%%number%%")
    ]
    coded = code_pairs([("He said: Oslo won.", "Oslo, he said, won")])
    assert [coded.vocabulary[word] for word in coded.first.words] == ["he", "said", "oslo", "won"]
    assert coded.first.names.tolist() == [False, False, True, False]
    assert coded.second.names.tolist() == [False] * 4


WORD = st.sampled_from("abcdef")
SENTENCES = st.lists(
    st.tuples(st.lists(WORD, max_size=6), st.lists(WORD, max_size=6)), min_size=1, max_size=4
)
WORD_PAIRS = st.sets(st.tuples(WORD, WORD).filter(lambda pair: pair[0] < pair[1]), max_size=6)


@given(SENTENCES, WORD_PAIRS, st.booleans())
def test_word_pairs_of_the_residue_and_of_all_words_like_a_slow_reference(sentences, known, all_words):
    coded = code_pairs((" ".join(first), " ".join(second)) for first, second in sentences)
    related = {ASSOCIATION: word_pairs(sorted(known)).related(coded.vocabulary)}
    ((_, first_kinds), _), events, _ = match(coded, related, np.zeros(0, dtype=np.int64), all_words=all_words)
    size = len(coded.vocabulary)
    result = {
        (row, *sorted((coded.vocabulary[key // size], coded.vocabulary[key % size])))
        for row, key in zip(*(values.tolist() for values in events[ASSOCIATION]), strict=True)
    }
    expected, matched = set(), []
    for row, (first, second) in enumerate(sentences):
        common = Counter(first) & Counter(second)
        left, right = Counter(first) - common, Counter(second) - common
        matched.append(sum(left[a] for a in left if any(tuple(sorted((a, b))) in known for b in right)))
        words = (first, second) if all_words else (left, right)
        expected |= {
            (row, *sorted((a, b))) for a in words[0] for b in words[1] if tuple(sorted((a, b))) in known
        }
    assert result == expected
    # Matches of tokens are of the residue in any case.
    of_class = first_kinds == KINDS.index(ASSOCIATION)
    assert np.bincount(coded.first.rows[of_class], minlength=len(sentences)).tolist() == matched


VOCABULARY = (
    *("orbit", "orbital", "operations", "procedure", "activity", "vendors", "suppliers"),
    *("rose", "fell", "falls", "sellers", "in", "7", "orbit's"),
)


def words(lexicon):
    size = len(VOCABULARY)
    keys = lexicon.related(VOCABULARY).tolist()
    assert keys == sorted(set(keys))
    assert all(key // size < key % size for key in keys)
    return {frozenset((VOCABULARY[key // size], VOCABULARY[key % size])) for key in keys}
