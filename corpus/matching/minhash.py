"""MinHash as Chung & Knight have it: the keys of a text under m permuted dictionaries."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from corpus.matching.kernels import get_kernels
from corpus.matching.pairs import ScoredPairs
from corpus.matching.word_sets import WordSets

Ranks = NDArray[np.uint32]
Signatures = NDArray[np.uint32]

# Permutations whose rank table is held at a time, and pairs whose equal keys are counted at a time.
_PERMUTATIONS_HELD = 128
_PAIRS_HELD = 1 << 22


def permuted_dictionaries(words: int, permutations: int, seed: int) -> Iterator[Ranks]:
    """Where each word stands in each shuffled dictionary, in blocks of shape (words, up to 128).

    Raises ValueError for less than one permutation.
    """
    if permutations < 1:
        raise ValueError("There must be at least one permutation.")
    random = np.random.default_rng(seed)
    for start in range(0, permutations, _PERMUTATIONS_HELD):
        block = np.empty((words, min(_PERMUTATIONS_HELD, permutations - start)), np.uint32)
        for column in range(block.shape[1]):
            block[:, column] = random.permutation(words)
        yield block


def signatures(
    sets: WordSets, permutations: int = 128, seed: int = 1, kernel: str | None = None
) -> Signatures:
    """The keys of every text, shape (texts, permutations).

    A key is the rank, in the k-th permuted dictionary, of the text's word nearest its front, which names the
    word. Texts without words have `EMPTY_KEY` everywhere.
    """
    kernels = get_kernels(kernel)
    keys = np.empty((len(sets), permutations), np.uint32)
    start = 0
    for ranks in permuted_dictionaries(len(sets.words), permutations, seed):
        end = start + ranks.shape[1]
        keys[:, start:end] = kernels.minimum_ranks(sets.offsets, sets.codes, ranks)
        start = end
    return keys


def estimated_pairs(
    sets: WordSets,
    threshold: float,
    *,
    split: int = 0,
    permutations: int = 128,
    seed: int = 1,
    kernel: str | None = None,
) -> ScoredPairs:
    """Every pair whose share of equal keys, the estimate of Jaccard, is `threshold` or more.

    The hash tables of the paper (section 3, steps 4 to 6) hold each pair as often as its keys are equal;
    signatures are compared directly here, which frequent words do not slow down. All texts are compared with
    each other, or, with `split`, those before it with those from it on. Raises ValueError for a threshold
    that is not above 0.
    """
    require_threshold(threshold)
    kernels = get_kernels(kernel)
    keys = signatures(sets, permutations, seed, kernel)
    with_words = np.flatnonzero(sets.sizes)
    rows = with_words[with_words < split] if split else with_words
    columns = with_words[with_words >= split] if split else with_words
    least = max(1, int(np.ceil(threshold * permutations - 1e-9)))
    height = max(1, _PAIRS_HELD // max(columns.size, 1))
    first, second, equal = [], [], []
    for start in range(0, rows.size, height):
        block = rows[start : start + height]
        beyond = columns if split else columns[start + 1 :]
        counts = kernels.equal_keys(keys[block], keys[beyond])
        row, column = np.nonzero(counts >= least)
        below = block[row] < beyond[column]
        row, column = row[below], column[below]
        first.append(block[row])
        second.append(beyond[column])
        equal.append(counts[row, column])
    if not first:
        return ScoredPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    scores = np.concatenate(equal) / permutations
    return ScoredPairs.sorted(np.concatenate(first), np.concatenate(second), scores)


def require_threshold(threshold: float) -> None:
    """Raises ValueError for a threshold outside (0, 1]."""
    if not 0 < threshold <= 1:
        raise ValueError(f"The threshold is {threshold}: give one above 0 and up to 1.")
