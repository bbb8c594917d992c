from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.aligners.identity import IdentityAligner, IdentityStemAligner, common_subsequence

WORDS = st.lists(st.sampled_from(["a", "A", "b", "c", "d", "É", "é"]), max_size=12)


def align(source: str, target: str) -> list[tuple[int, int]]:
    return IdentityAligner().align(source.split(), target.split())


def length_by_table(source: list[str], target: list[str]) -> int:
    table = [[0] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i, left in enumerate(source):
        for j, right in enumerate(target):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def test_longest_common_subsequence_ignores_case():
    assert align("The dog saw a cat", "the big dog saw the Cat") == [(0, 0), (1, 2), (2, 3), (4, 5)]


def test_tie_is_settled_as_late_as_possible_in_the_target():
    assert align("the cat", "the the cat") == [(0, 1), (1, 2)]


def test_tie_is_settled_as_late_as_possible_in_the_source():
    assert align("the the cat", "the cat") == [(1, 0), (2, 1)]


def test_target_is_passed_over_before_source():
    # LCS of length 1 either way: the target's first word goes, then the other pair is left over.
    assert common_subsequence(["a", "b"], ["b", "a"]) == [(0, 1)]
    assert align("a b", "b a") == [(0, 1), (1, 0)]


def test_leftover_identical_words_are_linked_in_order():
    assert align("w W a b c", "a b c w w") == [(0, 3), (1, 4), (2, 0), (3, 1), (4, 2)]


def test_leftover_takes_the_first_free_word_only():
    assert align("w a b c", "a b c w w") == [(0, 3), (1, 0), (2, 1), (3, 2)]


@pytest.mark.parametrize(("source", "target"), [("", ""), ("a", ""), ("", "a"), ("a", "b")])
def test_nothing_in_common_has_no_links(source, target):
    assert align(source, target) == []


@given(WORDS, WORDS)
def test_common_subsequence_is_common_and_longest(source, target):
    links = common_subsequence(source, target)
    assert all(source[i] == target[j] for i, j in links)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(links))
    assert len(links) == length_by_table(source, target)


@given(WORDS, WORDS)
def test_every_word_that_can_be_is_linked_once(source, target):
    links = IdentityAligner().align(source, target)
    lower_source, lower_target = [w.lower() for w in source], [w.lower() for w in target]
    assert links == sorted(set(links))
    assert all(lower_source[i] == lower_target[j] for i, j in links)
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert len(links) == (Counter(lower_source) & Counter(lower_target)).total()


def test_long_sentences_are_aligned_at_once():
    source = [str(n * n % 97) for n in range(3000)]
    links = IdentityAligner().align(source, source[::-1])
    assert len(links) == 3000


def test_words_with_equal_stems_are_linked_after_identical_ones():
    links = IdentityStemAligner().align(
        ["dogs", "run", "the", "dog", "Runs"], ["the", "dog", "running", "dogs", "ran"]
    )
    assert links == [(0, 3), (1, 2), (2, 0), (3, 1)]


def test_each_word_has_one_partner():
    assert IdentityStemAligner().align(["vendors", "vendors"], ["vendor"]) == [(0, 0)]


def test_other_languages_have_other_stems():
    assert IdentityStemAligner("german").align(["Häuser"], ["häusern"]) == [(0, 0)]
    assert "german" in IdentityStemAligner("german").signature
    with pytest.raises(ValueError, match="no stemmer for 'klingon'"):
        IdentityStemAligner("klingon")


def test_quotes_and_dashes_of_another_style_are_identical():
    source = ["“", "It", "’s", "twenty–five", "—", "so", "”"]
    target = ['"', "it", "'s", "twenty-five", "--", "so", '"']
    assert IdentityAligner().align(source, target) == [(i, i) for i in range(7)]
