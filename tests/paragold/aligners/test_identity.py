from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from paragold.aligners.identity import Identity, common_subsequence

WORDS = st.lists(st.sampled_from(["a", "A", "b", "c", "d", "É", "é"]), max_size=12)


def length_by_table(source, target):
    table = [[0] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i, left in enumerate(source):
        for j, right in enumerate(target):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@pytest.mark.parametrize(
    ("source", "target", "links"),
    [
        ("The dog saw a cat", "the big dog saw the Cat", [(0, 0), (1, 2), (2, 3), (4, 5)]),
        # A tie is settled as late as possible, in the target and in the source.
        ("the cat", "the the cat", [(0, 1), (1, 2)]),
        ("the the cat", "the cat", [(1, 0), (2, 1)]),
        # A longest subsequence has one word either way: the target's first is passed over, then left over.
        ("a b", "b a", [(0, 1), (1, 0)]),
        # Identical words that are left over are linked in order, to the first that is free.
        ("w W a b c", "a b c w w", [(0, 3), (1, 4), (2, 0), (3, 1), (4, 2)]),
        ("w a b c", "a b c w w", [(0, 3), (1, 0), (2, 1), (3, 2)]),
        # Quotes and dashes of another style are identical.
        ("“ It ’s twenty–five — so ”", '" it \'s twenty-five -- so "', [(i, i) for i in range(7)]),
    ],
)
def test_worked_examples(source, target, links):
    assert Identity().align(source.split(), target.split()) == links


@given(WORDS, WORDS)
def test_common_subsequence_is_common_and_longest(source, target):
    links = common_subsequence(source, target)
    assert all(source[i] == target[j] for i, j in links)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(links))
    assert len(links) == length_by_table(source, target)


@given(WORDS, WORDS)
def test_every_word_that_can_be_is_linked_once(source, target):
    links = Identity().align(source, target)
    lower_source, lower_target = [w.lower() for w in source], [w.lower() for w in target]
    assert links == sorted(set(links))
    assert all(lower_source[i] == lower_target[j] for i, j in links)
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert len(links) == (Counter(lower_source) & Counter(lower_target)).total()
