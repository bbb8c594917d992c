"""Small corpora, and the methods written out as their definitions say."""

from itertools import combinations, product

import numpy as np

from paragold.matching.similar_pairs import ScoredPairs
from paragold.matching.word_sets import WordSets, word_sets


def random_sets(seed: int, texts: int = 120, words: int = 40, longest: int = 9) -> WordSets:
    random = np.random.default_rng(seed)
    lengths = random.integers(0, longest + 1, texts)
    return word_sets([[f"w{word}" for word in random.integers(0, words, length)] for length in lengths])


def sets_of(sets: WordSets) -> list[set[int]]:
    return [set(part.tolist()) for part in np.split(sets.codes, sets.offsets[1:-1])]


def all_pairs(texts: int, split: int = 0) -> list[tuple[int, int]]:
    if split:
        return list(product(range(split), range(split, texts)))
    return list(combinations(range(texts), 2))


def jaccard(first: set[int], second: set[int]) -> float:
    return len(first & second) / len(first | second) if first | second else 0.0


def as_dict(pairs: ScoredPairs) -> dict[tuple[int, int], float]:
    result = {
        (first, second): score
        for first, second, score in zip(
            pairs.first.tolist(), pairs.second.tolist(), pairs.scores.tolist(), strict=True
        )
    }
    assert len(result) == len(pairs), "a pair came twice"
    return result
