"""MinHash in the paper's mode, beside the algorithm as the paper writes it."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from paragold.matching.kernels import NAMES, KernelError, get_kernels
from paragold.matching.minhash import draw_permutations, estimated_pairs, signatures
from paragold.matching.word_sets import word_sets
from tests.paragold.matching.toy import all_pairs, as_dict, jaccard, random_sets, sets_of

PERMUTATIONS = 150


def by_hash_tables(seed: int, sets_seed: int) -> dict[tuple[int, int], float]:
    """Section 3, steps 2 to 5, literally: hash tables of keys and a table of pairs that counts collisions."""
    sets = random_sets(sets_seed)
    texts = sets_of(sets)
    counts: dict[tuple[int, int], int] = defaultdict(int)
    permutations = draw_permutations(PERMUTATIONS, np.random.default_rng(seed))
    for column in permutations.places(len(sets.words)).T:
        front_to_back = [int(word) for word in np.argsort(column)]
        table: dict[int, list[int]] = defaultdict(list)
        for text, words in enumerate(texts):
            key = next((word for word in front_to_back if word in words), None)
            if key is not None:
                table[key].append(text)
        for bucket in table.values():
            for pair in combinations(bucket, 2):
                counts[pair] += 1
    return {pair: count / PERMUTATIONS for pair, count in counts.items()}


@pytest.mark.parametrize("kernel", NAMES)
@pytest.mark.parametrize(("threshold", "split"), [(0.1, 0), (0.4, 0), (0.1, 45)])
def test_equals_the_papers_algorithm(kernel: str, threshold: float, split: int) -> None:
    expected = by_hash_tables(seed=7, sets_seed=2)
    allowed = set(all_pairs(120, split))
    expected = {pair: share for pair, share in expected.items() if share >= threshold and pair in allowed}
    assert expected
    pairs = estimated_pairs(
        random_sets(2), threshold, split=split, permutations=PERMUTATIONS, seed=7, kernel=kernel
    )
    assert as_dict(pairs) == expected


def test_the_estimate_is_unbiased_over_seeds() -> None:
    texts = [["a", "b", "c", "d"], ["b", "c", "d", "e", "f"], ["a", "f"], ["x", "y"]]
    sets = word_sets(texts)
    permutations, seeds = 16, 400
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


def test_dictionaries_are_permutations() -> None:
    words, count = 50_000, 8
    places = draw_permutations(count, np.random.default_rng(4)).places(words)
    for column in places.T:
        assert np.unique(column).size == words
    ranks = np.argsort(np.argsort(places, axis=0), axis=0)
    # Where a word stands in one dictionary tells nothing about another, nor does its code.
    against = np.corrcoef(np.column_stack((np.arange(words), ranks)).T)
    assert np.abs(against - np.eye(count + 1)).max() < 5 / words**0.5


def test_every_word_is_nearest_the_front_equally_often() -> None:
    permutations, words = 60_000, 7
    places = draw_permutations(permutations, np.random.default_rng(11)).places(words)
    first = np.bincount(places.argmin(axis=0), minlength=words)
    expected = permutations / words
    # Chi squared with six degrees of freedom; 30 is passed by chance once in 25,000 seeds.
    assert ((first - expected) ** 2 / expected).sum() < 30


def test_kernels_give_the_same_signatures() -> None:
    sets = random_sets(seed=9, texts=300)
    assert (signatures(sets, kernel="numba") == signatures(sets, kernel="numpy")).all()


def test_a_seed_gives_the_same_signatures_again() -> None:
    sets = random_sets(seed=9)
    assert (signatures(sets, 20, seed=3) == signatures(sets, 20, seed=3)).all()
    assert (signatures(sets, 20, seed=3) != signatures(sets, 20, seed=4)).any()


@pytest.mark.parametrize("kernel", NAMES)
def test_texts_without_words_are_in_no_pair(kernel: str) -> None:
    sets = word_sets([[], ["a"], [], ["a"]])
    assert as_dict(estimated_pairs(sets, 0.1, kernel=kernel)) == {(1, 3): 1.0}
    assert as_dict(estimated_pairs(word_sets([[], []]), 0.1, kernel=kernel)) == {}


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one permutation"):
        estimated_pairs(random_sets(1), 0.3, permutations=0)
    with pytest.raises(ValueError, match="above 0"):
        estimated_pairs(random_sets(1), 0.0)
    with pytest.raises(KernelError, match="numba, numpy"):
        get_kernels("fortran")
