import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from paragold.matching.kernels import plain_colliding_pairs
from paragold.matching.similar_pairs import estimated_pairs, exact_pairs, scored_pairs, signatures, word_sets
from tests.paragold.matching.toy import as_dict, random_sets

texts = st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=8), max_size=25)
permutations = st.sampled_from((1, 2, 7, 16, 40, 80))


def by_comparing_all(sets, threshold, split, permutations):
    """The plain version's pairs of texts with words."""
    minimum = max(1, int(np.ceil(threshold * permutations - 1e-9)))
    pairs = plain_colliding_pairs(signatures(sets, permutations, seed=3), split, minimum)
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 3)
    first, second, equal = columns[(sets.sizes[columns[:, :2]] > 0).all(axis=1)].T
    return scored_pairs(first, second, equal / permutations)


@given(texts, st.floats(0.01, 1), permutations, st.integers(0, 25))
@example([["a"], ["a"]], 1.0, 40, 1)
@example([[], ["a"], ["a"]], 0.5, 16, 1)
def test_without_guard_equals_comparing_all(words, threshold, permutations, split):
    sets = word_sets(words)
    split = min(split, len(sets))
    pairs = estimated_pairs(sets, threshold, split=split, permutations=permutations, seed=3)
    assert as_dict(pairs) == as_dict(by_comparing_all(sets, threshold, split, permutations))


@given(texts, st.floats(0.01, 1), permutations, st.integers(1, 6))
def test_the_guard_changes_no_estimate(words, threshold, permutations, max_entry):
    sets = word_sets(words)
    pairs = estimated_pairs(sets, threshold, permutations=permutations, seed=3, max_entry=max_entry)
    everything = as_dict(by_comparing_all(sets, threshold, 0, permutations))
    assert as_dict(pairs).items() <= everything.items()
    # The limit is off below 64 permutations.
    if len(sets) <= max_entry + 1 or permutations < 64:
        assert as_dict(pairs) == everything


@pytest.mark.parametrize(("threshold", "count"), [(0.05, 128), (0.33, 128), (0.33, 300), (0.9, 64)])
def test_many_texts(threshold, count):
    sets = random_sets(seed=5, texts=1500, words=300, longest=14)
    expected = as_dict(by_comparing_all(sets, threshold, 0, count))
    assert expected
    assert as_dict(estimated_pairs(sets, threshold, permutations=count, seed=3)) == expected


@pytest.fixture(scope="module")
def frequent():
    """4,000 texts with frequent and rare words, as without stop words: 2,000 and a changed copy of each."""
    random = np.random.default_rng(8)
    share = 1 / np.arange(6, 4_006)
    texts = []
    for size in random.integers(6, 25, 2_000):
        words = random.choice(4_000, size, replace=False, p=share / share.sum())
        kept = words[random.random(size) < random.uniform(0.3, 1)]
        other = random.choice(4_000, size - kept.size, p=share / share.sum())
        texts += [[f"w{word}" for word in words], [f"w{word}" for word in (*kept, *other)]]
    return word_sets(texts)


@pytest.mark.parametrize(
    ("count", "threshold"),
    [(4, 0.33), (16, 0.6), (64, 0.2), (64, 0.33), (128, 0.33), (128, 0.8)],
)
def test_about_one_pair_in_a_thousand_is_missed(frequent, count, threshold):
    similar = as_dict(exact_pairs(frequent, threshold)).keys()
    every = as_dict(estimated_pairs(frequent, threshold, permutations=count)).keys()
    limited = as_dict(estimated_pairs(frequent, threshold, permutations=count, max_entry=500)).keys()
    assert limited <= every
    assert len(every - limited) <= 0.002 * len(every)
    assert len(similar & every) - len(similar & limited) <= 0.002 * len(similar & every)
    if count < 64 or threshold < 0.3:
        assert limited == every
