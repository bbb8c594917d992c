from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from paragold.matching.kernels import plain_colliding_pairs
from paragold.matching.similar_pairs import (
    chance_of_fewer,
    estimated_pairs,
    neighbours_needed,
    scored_pairs,
    signatures,
    word_sets,
)
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
def test_equals_comparing_all(words, threshold, permutations, split):
    sets = word_sets(words)
    split = min(split, len(sets))
    pairs = estimated_pairs(sets, threshold, split=split, permutations=permutations, seed=3)
    assert as_dict(pairs) == as_dict(by_comparing_all(sets, threshold, split, permutations))


@given(st.integers(1, 12), st.data())
def test_the_chance_of_fewer_neighbours_is_that_of_counting_all_choices(columns, data):
    equal = data.draw(st.integers(1, columns))
    needed = data.draw(st.integers(1, 4))
    choices = [set(chosen) for chosen in combinations(range(columns), equal)]
    fewer = [sum((one + 1) % columns in chosen for one in chosen) < needed for chosen in choices]
    assert chance_of_fewer(columns, equal, needed) == pytest.approx(sum(fewer) / len(choices))


def test_tables_of_neighbours_where_a_pair_in_100_000_is_missed_at_most():
    assert neighbours_needed(128, 43) == 4
    assert neighbours_needed(64, 36) == 8
    assert neighbours_needed(64, 20) == 0


@pytest.mark.parametrize(("threshold", "count"), [(0.05, 128), (0.33, 128), (0.33, 300), (0.9, 64)])
def test_many_texts(threshold, count):
    sets = random_sets(seed=5, texts=1500, words=300, longest=14)
    expected = as_dict(by_comparing_all(sets, threshold, 0, count))
    assert expected
    assert as_dict(estimated_pairs(sets, threshold, permutations=count, seed=3)) == expected


@pytest.fixture(scope="module")
def frequent():
    """1,200 texts with frequent and rare words, as without stop words: 600 and a changed copy of each."""
    random = np.random.default_rng(8)
    share = 1 / np.arange(6, 4_006)
    texts = []
    for size in random.integers(6, 25, 600):
        words = random.choice(4_000, size, replace=False, p=share / share.sum())
        kept = words[random.random(size) < random.uniform(0.3, 1)]
        other = random.choice(4_000, size - kept.size, p=share / share.sum())
        texts += [[f"w{word}" for word in words], [f"w{word}" for word in (*kept, *other)]]
    return word_sets(texts)


@pytest.mark.parametrize(
    ("count", "threshold"),
    [(4, 0.33), (16, 0.6), (64, 0.2), (64, 0.33), (128, 0.33), (128, 0.8)],
)
def test_frequent_words(frequent, count, threshold):
    expected = as_dict(by_comparing_all(frequent, threshold, 0, count))
    assert as_dict(estimated_pairs(frequent, threshold, permutations=count, seed=3)) == expected
