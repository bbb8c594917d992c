"""MinHash as Chung & Knight have it: the keys of a text under m permuted dictionaries."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.matching.kernels import get_kernels
from paragold.matching.pairs import ScoredPairs
from paragold.matching.word_sets import WordSets

Keys = NDArray[np.uint32]

# Pairs whose equal keys are counted at a time.
_PAIRS_HELD = 1 << 22


@dataclass(frozen=True, slots=True)
class Permutations:
    """m permuted dictionaries of any length: one-to-one mappings of the numbers of 32 bits.

    The code of a word is mixed, multiplied and shifted by a permutation's own odd multiplier and increment
    (uint32, shape (m,) each), and mixed again. Where it then stands among the words is as good as random, and
    no dictionary need be held: its ranks would be read from all over the memory.
    """

    multipliers: Keys
    increments: Keys

    def __len__(self) -> int:
        return self.multipliers.size

    def places(self, words: int, kernel: str | None = None) -> Keys:
        """Where each of `words` words stands in each dictionary, shape (words, m): order counts, not size."""
        return get_kernels(kernel).places(words, self.multipliers, self.increments)


def draw_permutations(count: int, random: np.random.Generator) -> Permutations:
    """Raises ValueError for less than one."""
    if count < 1:
        raise ValueError("There must be at least one permutation.")
    drawn = random.integers(1 << 32, size=(2, count), dtype=np.uint32)
    return Permutations(drawn[0] | np.uint32(1), drawn[1])


def signatures(sets: WordSets, permutations: int = 128, seed: int = 1, kernel: str | None = None) -> Keys:
    """The keys of every text, shape (texts, permutations).

    A key is the place, in the k-th permuted dictionary, of the text's word nearest the front, which names
    the word. Texts without words have `EMPTY_KEY` everywhere.
    """
    return keys_under(sets, draw_permutations(permutations, np.random.default_rng(seed)), kernel)


def keys_under(sets: WordSets, permutations: Permutations, kernel: str | None = None) -> Keys:
    """The keys of every text under given permutations, shape (texts, len(permutations))."""
    return get_kernels(kernel).least_places(
        sets.offsets, sets.codes, permutations.multipliers, permutations.increments
    )


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
