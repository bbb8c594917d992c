"""Small corpora, and the methods written out as their definitions say."""

from itertools import combinations, product

import numpy as np

from paragold.matching.kernels import FIRST_FACTOR, LAST_FACTOR, SECOND_FACTOR
from paragold.matching.similar_pairs import word_sets


def random_sets(seed, texts=120, words=40, longest=9):
    random = np.random.default_rng(seed)
    lengths = random.integers(0, longest + 1, texts)
    return word_sets([[f"w{word}" for word in random.integers(0, words, length)] for length in lengths])


def sets_of(sets):
    return [set(part.tolist()) for part in np.split(sets.codes, sets.offsets[1:-1])]


def all_pairs(texts, split=0):
    if split:
        return list(product(range(split), range(split, texts)))
    return list(combinations(range(texts), 2))


def jaccard(first, second):
    return len(first & second) / len(first | second) if first | second else 0.0


def as_dict(pairs):
    result = {(first, second): score for first, second, score in pairs.tolist()}
    assert len(result) == len(pairs), "a pair came twice"
    return result


def places(words, multipliers, increments):
    """The place of each word in each permuted dictionary, shape (words, multipliers.size)."""
    # Each line maps the numbers of 32 bits onto each other, one to one: no two words share a place.
    mixed = np.arange(words, dtype=np.uint32)
    mixed = (mixed ^ (mixed >> np.uint32(16))) * FIRST_FACTOR
    mixed = (mixed ^ (mixed >> np.uint32(13))) * SECOND_FACTOR
    mixed ^= mixed >> np.uint32(16)
    shuffled = mixed[:, None] * multipliers + increments
    shuffled ^= shuffled >> np.uint32(16)
    return shuffled * LAST_FACTOR
