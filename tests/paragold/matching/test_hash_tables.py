"""MinHash by hash tables gives what comparing all signatures gives; with the guard no estimate changes."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paragold.matching.settings import METHOD_BY_SIZE, MatchingSpec
from paragold.matching.similar_pairs import ScoredPairs, estimated_pairs, pairs_with_equal_keys, signatures
from paragold.matching.word_sets import WordSets, word_sets
from tests.paragold.matching.toy import as_dict, random_sets

texts = st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=8), max_size=25)
permutations = st.sampled_from((1, 2, 7, 16, 40))


def by_comparing_all(sets: WordSets, threshold: float, split: int, permutations: int) -> ScoredPairs:
    """Every signature beside every other."""
    minimum = max(1, int(np.ceil(threshold * permutations - 1e-9)))
    keys = signatures(sets, permutations, seed=3)
    parts = pairs_with_equal_keys(sets, keys, lambda rows, columns: minimum, split=split)
    return ScoredPairs.joined((first, second, equal / permutations) for first, second, equal in parts)


@given(texts, st.floats(0.01, 1), permutations, st.integers(0, 25))
@example([["a"], ["a"]], 1.0, 40, 1)
@example([[], ["a"], ["a"]], 0.5, 16, 1)
def test_without_guard_equals_comparing_all(
    words: list[list[str]], threshold: float, permutations: int, split: int
) -> None:
    sets = word_sets(words)
    split = min(split, len(sets))
    pairs = estimated_pairs(sets, threshold, split=split, permutations=permutations, seed=3)
    assert as_dict(pairs) == as_dict(by_comparing_all(sets, threshold, split, permutations))


@given(texts, st.floats(0.01, 1), permutations, st.integers(1, 6))
def test_the_guard_changes_no_estimate(
    words: list[list[str]], threshold: float, permutations: int, max_entry: int
) -> None:
    sets = word_sets(words)
    pairs = estimated_pairs(sets, threshold, permutations=permutations, seed=3, max_entry=max_entry)
    everything = as_dict(by_comparing_all(sets, threshold, 0, permutations))
    assert as_dict(pairs).items() <= everything.items()
    if len(sets) <= max_entry + 1:
        assert as_dict(pairs) == everything


@pytest.mark.parametrize(("threshold", "count"), [(0.05, 128), (0.33, 128), (0.33, 300), (0.9, 64)])
def test_many_texts(threshold: float, count: int) -> None:
    sets = random_sets(seed=5, texts=1500, words=300, longest=14)
    expected = as_dict(by_comparing_all(sets, threshold, 0, count))
    assert expected
    assert as_dict(estimated_pairs(sets, threshold, permutations=count, seed=3)) == expected


def test_what_the_guard_misses_shares_frequent_words_only() -> None:
    # Fifty texts that share two words, one pair of which shares five others.
    common = [["of", "to", f"own{text}"] for text in range(50)]
    rare = [f"rare{word}" for word in range(5)]
    sets = word_sets([*common, ["of", "to", *rare], ["of", "to", *rare]])
    everything = as_dict(estimated_pairs(sets, 0.3, max_entry=0))
    guarded = as_dict(estimated_pairs(sets, 0.3, max_entry=3))
    assert len(everything) > 500
    assert guarded.items() < everything.items()
    assert guarded[50, 51] == 1.0
    assert (0, 1) in everything.keys() - guarded.keys()


def test_the_method_follows_from_the_size() -> None:
    spec = MatchingSpec()
    assert [spec.for_size(size).method for size in (0, 5_000, 5_001, 100_000, 100_001)] == [
        *("exact", "exact", "minhash", "minhash", "bands")
    ]
    assert MatchingSpec(method="bands").for_size(10).method == "bands"
    assert [name for name, _ in METHOD_BY_SIZE] == ["exact", "minhash", "bands"]
