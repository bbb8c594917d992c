"""MinHash in the paper's mode, beside the algorithm as the paper writes it."""

from collections import defaultdict
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from paragold.matching.similar_pairs import (
    banded_pairs,
    banding_for,
    content_words,
    draw_permutations,
    estimated_pairs,
    exact_pairs,
    one_partner_each,
    pairs_by_definition,
    recall_of,
    scored_pairs,
    signatures,
    word_sets,
)
from tests.paragold.matching.toy import all_pairs, as_dict, jaccard, places, random_sets, sets_of

PERMUTATIONS = 150


@cache
def by_hash_tables(seed, sets_seed):
    """Section 3, steps 2 to 5, literally: hash tables of keys and a table of pairs that counts collisions."""
    sets = random_sets(sets_seed)
    texts = sets_of(sets)
    counts = defaultdict(int)
    permutations = draw_permutations(PERMUTATIONS, np.random.default_rng(seed))
    for column in places(sets.codes.max() + 1, *permutations).T:
        front_to_back = [int(word) for word in np.argsort(column)]
        table = defaultdict(list)
        for text, words in enumerate(texts):
            key = next((word for word in front_to_back if word in words), None)
            if key is not None:
                table[key].append(text)
        for bucket in table.values():
            for pair in combinations(bucket, 2):
                counts[pair] += 1
    return {pair: count / PERMUTATIONS for pair, count in counts.items()}


@pytest.mark.parametrize(("threshold", "split"), [(0.1, 0), (0.4, 0), (0.1, 45)])
def test_equals_the_papers_algorithm(threshold, split):
    expected = by_hash_tables(seed=7, sets_seed=2)
    allowed = set(all_pairs(120, split))
    expected = {pair: share for pair, share in expected.items() if share >= threshold and pair in allowed}
    assert expected
    pairs = estimated_pairs(random_sets(2), threshold, split=split, permutations=PERMUTATIONS, seed=7)
    assert as_dict(pairs) == expected


def test_the_estimate_is_unbiased_over_seeds():
    texts = [["a", "b", "c", "d"], ["b", "c", "d", "e", "f"], ["a", "f"], ["x", "y"]]
    sets = word_sets(texts)
    permutations, seeds = 16, 400
    assert (signatures(sets, 20, seed=3) == signatures(sets, 20, seed=3)).all()
    sums = np.zeros((4, 4))
    for seed in range(seeds):
        keys = signatures(sets, permutations, seed)
        sums += (keys[:, None, :] == keys[None, :, :]).mean(axis=2)
    words = sets_of(sets)
    for first, second in combinations(range(4), 2):
        true = jaccard(words[first], words[second])
        # Five standard errors of the mean of binomial shares.
        allowance = 5 * (true * (1 - true) / (permutations * seeds)) ** 0.5
        assert abs(sums[first, second] / seeds - true) <= allowance


def test_dictionaries_are_permutations():
    words, count = 50_000, 8
    drawn = draw_permutations(count, np.random.default_rng(4))
    placed = places(words, *drawn)
    for column in placed.T:
        assert np.unique(column).size == words
    ranks = np.argsort(np.argsort(placed, axis=0), axis=0)
    # Where a word stands in one dictionary tells nothing about another, nor does its code.
    against = np.corrcoef(np.column_stack((np.arange(words), ranks)).T)
    assert np.abs(against - np.eye(count + 1)).max() < 5 / words**0.5


@pytest.mark.parametrize("split", [0, 50])
@pytest.mark.parametrize("threshold", [0.01, 0.2, 1 / 3, 0.5, 0.6, 2 / 3, 1.0])
def test_equals_the_definition(split, threshold):
    sets = random_sets(seed=3)
    expected = pairs_by_definition(sets, threshold, split=split)
    pairs = exact_pairs(sets, threshold, split=split)
    assert len(expected) and pairs.tolist() == expected.tolist()
    order = [(-score, first, second) for first, second, score in pairs.tolist()]
    assert order == sorted(order)


@pytest.mark.parametrize("split", [0, 50])
def test_what_is_found_is_exact_and_comes_once(split):
    sets = random_sets(seed=6)
    exact = as_dict(exact_pairs(sets, 0.4, split=split))
    result = as_dict(banded_pairs(sets, 0.4, split=split))
    assert result.items() <= exact.items()
    assert len(result) >= 0.9 * len(exact)
    # Equal texts are always found.
    assert as_dict(banded_pairs(sets, 1.0, split=split)) == as_dict(exact_pairs(sets, 1.0, split=split))


@pytest.mark.parametrize("threshold", [0.1, 0.33, 0.5, 0.8, 0.95])
def test_bandings_have_the_recall_asked_for(threshold):
    bands, rows = banding_for(threshold)
    assert recall_of((bands, rows), threshold) >= 0.97
    assert bands * rows <= 256 or rows == 1


def test_content_words_codes_and_greedy_partners():
    words = content_words("The captain's ship -- an old one, every sail torn!")
    assert words == ["captain", "ship", "old", "one", "sail", "torn"]
    assert content_words("The captain’s “No!”") == ["captain", "no"]
    sets = word_sets([["sea", "ship", "sea"], [], ["sea", "whale", "ship"], ["sea"]])
    assert sets.offsets.tolist() == [0, 2, 2, 5, 6]
    assert sets.codes.tolist() == [1, 2, 0, 1, 2, 2]
    assert sets.sizes.tolist() == [2, 0, 3, 1]
    assert (len(word_sets([])), len(word_sets([[], []]))) == (0, 2)
    scores = np.array([0.9, 0.8, 0.85, 0.3])
    pairs = scored_pairs(np.array([0, 0, 1, 2]), np.array([5, 6, 5, 6]), scores)
    assert as_dict(one_partner_each(pairs)) == {(0, 5): 0.9, (2, 6): 0.3}
    assert as_dict(one_partner_each(pairs[pairs["score"] >= 0.5])) == {(0, 5): 0.9}
