"""Similar pairs of texts by three methods: exact Jaccard, MinHash, and bands of MinHash keys.

MinHash is as Chung & Knight have it: the keys of a text under m permuted dictionaries. For a whole corpus,
texts with a band of equal keys are candidates, whose Jaccard is exact: with b bands of r keys, a pair of
Jaccard s has a band in common with probability 1 - (1 - s^r)^b.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from paragold.matching.word_sets import WordSets

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs of different texts, each pair once, by falling score; ties by `first`, then `second`.

    first, second: int64, shape (pairs,), indices of texts, first < second; with two files the texts of the
    second are numbered after those of the first. scores: float64, shape (pairs,), from 0 to 1.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return self.scores.size

    @classmethod
    def sorted(cls, first: NDArray[np.int64], second: NDArray[np.int64], scores: NDArray[np.float64]) -> Self:
        order = np.lexsort((second, first, -scores))
        return cls(first[order], second[order], scores[order])

    @classmethod
    def joined(cls, parts: Iterable[tuple[Indices, Indices, NDArray[np.float64]]]) -> Self:
        """The pairs of all parts, each given as first, second and scores."""
        nothing = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        return cls.sorted(*(np.concatenate(column) for column in zip(nothing, *parts, strict=True)))

    def at_least(self, threshold: float) -> Self:
        """The pairs whose score is `threshold` or more."""
        accepted = int(np.count_nonzero(self.scores >= threshold))
        return type(self)(self.first[:accepted], self.second[:accepted], self.scores[:accepted])


def one_partner_each(pairs: ScoredPairs) -> ScoredPairs:
    """Pairs taken by falling score, passing over those with a text that has a partner already.

    Chung & Knight, section 4. The pairs at or above a threshold are the same whether it is applied before or
    after.
    """
    taken: set[int] = set()
    accepted = []
    for index, (first, second) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        if first not in taken and second not in taken:
            taken.update((first, second))
            accepted.append(index)
    return ScoredPairs(pairs.first[accepted], pairs.second[accepted], pairs.scores[accepted])


Keys = NDArray[np.uint32]

# With fewer permutations or equal keys, or at a lower threshold, skipping frequent words would miss more than
# about one pair of a thousand; half of the pairs with 16 permutations at a threshold of 0.33.
_LIMITED_FROM, _LIMITED_KEYS, _LIMITED_THRESHOLD = 64, 36, 0.3

# Pairs whose equal keys are counted at a time.
_PAIRS_HELD = 1 << 22


@dataclass(frozen=True, slots=True)
class Permutations:
    """m permuted dictionaries of any length: one-to-one mappings of the numbers of 32 bits.

    The code of a word is mixed, multiplied and shifted by a permutation's own odd multiplier and increment
    (uint32, shape (m,) each), and mixed again. Its place among the words then is as good as random, and
    no dictionary need be held: its ranks would be read from all over the memory.
    """

    multipliers: Keys
    increments: Keys


def draw_permutations(count: int, random: np.random.Generator) -> Permutations:
    """Raises ValueError for less than one."""
    if count < 1:
        raise ValueError("There must be at least one permutation.")
    drawn = random.integers(1 << 32, size=(2, count), dtype=np.uint32)
    return Permutations(drawn[0] | np.uint32(1), drawn[1])


def signatures(sets: WordSets, permutations: int = 128, seed: int = 1) -> Keys:
    """The keys of every text, shape (texts, permutations).

    A key is the place, in the k-th permuted dictionary, of the text's word nearest the front, which names
    the word. Texts without words have `EMPTY_KEY` everywhere.
    """
    return keys_under(sets, draw_permutations(permutations, np.random.default_rng(seed)))


def keys_under(sets: WordSets, permutations: Permutations) -> Keys:
    """The keys of every text under given permutations, shape (texts, m)."""
    from paragold.matching.kernels import minimum_places

    keys: Keys = minimum_places(sets.offsets, sets.codes, permutations.multipliers, permutations.increments)
    return keys


def estimated_pairs(
    sets: WordSets,
    threshold: float,
    *,
    split: int = 0,
    permutations: int = 128,
    seed: int = 1,
    max_entry: int = 0,
) -> ScoredPairs:
    """The pairs whose share of equal keys, the estimate of Jaccard, is `threshold` or more.

    Candidates come from hash tables by permutation and word (section 3, steps 4 to 6); the keys of each are
    all counted. With `max_entry` = 0 no pair is missed: the result is that of comparing all signatures. The
    tables take 24 bytes a key. Parameters and errors are those of `exact_pairs`, and:

    Parameters
    ----------
    permutations, seed : int
        The number of keys of a text (m), and the random seed of the permutations.
    max_entry : int
        Above 0, a text does not look at entries with more texts after it, those of frequent words, which
        saves most of the time. Estimates stay the same; a pair is missed when fewer than four of its equal
        keys are in smaller entries: about one of a thousand. Where it would be more, with fewer than 64
        permutations, 36 keys that must be equal, or a threshold below 0.3, nothing is skipped.

    References
    ----------
    Chung & Knight, section 3.
    """
    from paragold.matching.kernels import colliding_pairs

    require_threshold(threshold)
    with_words = np.flatnonzero(sets.sizes)
    keys = signatures(sets, permutations, seed)[with_words]
    minimum = max(1, int(np.ceil(threshold * permutations - 1e-9)))
    if permutations < _LIMITED_FROM or minimum < _LIMITED_KEYS or threshold < _LIMITED_THRESHOLD:
        max_entry = 0
    first_file = int(np.searchsorted(with_words, split))
    if split and not first_file:
        return ScoredPairs.joined(())
    first, second, equal = colliding_pairs(keys, first_file, minimum, max_entry)
    return ScoredPairs.sorted(with_words[first], with_words[second], equal / permutations)


def pairs_with_equal_keys(
    sets: WordSets,
    keys: Keys,
    minimum: Callable[[Indices, Indices], NDArray[np.float64] | int],
    *,
    split: int = 0,
) -> Iterator[tuple[Indices, Indices, NDArray[np.int32]]]:
    """The pairs of texts with words that have enough equal keys, and how many, some of them at a time.

    `minimum` gives how many are enough: one number, or of texts as rows and columns one for each pair.
    """
    from paragold.matching.kernels import equal_keys

    with_words = np.flatnonzero(sets.sizes)
    rows = with_words[with_words < split] if split else with_words
    columns = with_words[with_words >= split] if split else with_words
    height = max(1, _PAIRS_HELD // max(columns.size, 1))
    for start in range(0, rows.size, height):
        block = rows[start : start + height]
        beyond = columns if split else columns[start + 1 :]
        equal = equal_keys(keys[block], keys[beyond])
        row, column = np.nonzero(equal >= minimum(block, beyond))
        below = block[row] < beyond[column]
        row, column = row[below], column[below]
        yield block[row], beyond[column], equal[row, column]


def require_threshold(threshold: float) -> None:
    """Raises ValueError for a threshold outside (0, 1]."""
    if not 0 < threshold <= 1:
        raise ValueError(f"The threshold is {threshold}: give one above 0 and up to 1.")


def exact_pairs(sets: WordSets, threshold: float, *, split: int = 0) -> ScoredPairs:
    """Every pair with |A n B| / |A u B| of `threshold` or more; texts without words are in none.

    Parameters
    ----------
    sets : WordSets
        The words of each text.
    threshold : float
        Above 0, at most 1.
    split : int
        Above 0, texts before it are compared with those from it on, else all with each other.

    Raises
    ------
    ValueError
        The threshold is not above 0: such pairs are all pairs.
    """
    from paragold.matching.kernels import similar_sets

    require_threshold(threshold)
    return ScoredPairs.sorted(*similar_sets(sets.offsets, sets.codes, threshold, split))


def jaccard_of(sets: WordSets, pairs: ScoredPairs) -> NDArray[np.float64]:
    """The exact Jaccard of each pair, shape (pairs,), whatever its score is."""
    from paragold.matching.kernels import shared_words

    shared = shared_words(sets.offsets, sets.codes, pairs.first, pairs.second)
    words = sets.sizes[pairs.first] + sets.sizes[pairs.second] - shared
    return np.asarray(shared / np.maximum(words, 1))


# Odd, so that multiplication loses nothing; from the golden ratio.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LONGEST_BAND = 8
# A line of the processor's cache holds sixteen keys.
_KEYS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Banding:
    """`bands` bands of `rows` keys each."""

    bands: int
    rows: int

    def recall(self, similarity: float) -> float:
        """The chance, from 0 to 1, that a pair of this Jaccard is found."""
        chance: float = 1 - (1 - similarity**self.rows) ** self.bands
        return chance


def banding_for(threshold: float, *, recall: float = 0.97, permutations: int = 256) -> Banding:
    """The longest bands that find pairs at the threshold with a chance of `recall`, in as few as do.

    Longer bands have fewer false candidates. `permutations` bounds bands * rows, but for bands of one row,
    which take what they need. Raises ValueError for shares outside (0, 1].
    """
    require_threshold(threshold)
    if not 0 < recall < 1:
        raise ValueError(f"The recall is {recall}: give one between 0 and 1.")
    if threshold == 1:
        return Banding(1, min(permutations, _LONGEST_BAND))
    rows = 1
    while _bands_needed(threshold, rows + 1, recall) * (rows + 1) <= permutations:
        rows += 1
    return Banding(_bands_needed(threshold, rows, recall), rows)


def _bands_needed(threshold: float, rows: int, recall: float) -> int:
    return int(np.ceil(np.log1p(-recall) / np.log1p(-(threshold**rows))))


def banded_pairs(
    sets: WordSets,
    threshold: float,
    *,
    split: int = 0,
    banding: Banding | None = None,
    seed: int = 1,
) -> ScoredPairs:
    """Pairs with an exact Jaccard of `threshold` or more among those with an equal band; some are missed.

    `Banding.recall` gives the share; the default finds 97 % of the pairs just at the threshold and
    more of those above. Raises ValueError for a threshold that is not above 0.
    """
    from paragold.matching.kernels import similar_in_groups

    require_threshold(threshold)
    banding = banding or banding_for(threshold)
    with_words = np.flatnonzero(sets.sizes)
    codes = np.empty((0,), np.int64)
    jaccard = np.empty(0)
    texts = len(sets)
    for keys in band_keys(sets, banding, seed):
        members, bounds = groups_of_equal(keys, with_words)
        first, second, scores = similar_in_groups(sets.offsets, sets.codes, members, bounds, threshold, split)
        codes, places = np.unique(np.concatenate((codes, first * texts + second)), return_index=True)
        jaccard = np.concatenate((jaccard, scores))[places]
    first, second = np.divmod(codes, max(texts, 1))
    return ScoredPairs.sorted(first, second, jaccard)


def band_keys(sets: WordSets, banding: Banding, seed: int) -> Iterator[NDArray[np.uint64]]:
    """For each band one key of 64 bits for each text that has words, in their order.

    Texts with equal keys of a band are candidates: should two different bands ever get the same key, a false
    candidate is verified.
    """
    with_words = np.flatnonzero(sets.sizes)
    random = np.random.default_rng(seed)
    at_once = max(1, _KEYS_AT_ONCE // banding.rows)
    for start in range(0, banding.bands, at_once):
        columns = banding.rows * min(at_once, banding.bands - start)
        # A few bands at a time: the keys of all are never held.
        keys = keys_under(sets, draw_permutations(columns, random))[with_words]
        for column in range(0, keys.shape[1], banding.rows):
            mixed = np.zeros(len(keys), np.uint64)
            for row in keys[:, column : column + banding.rows].T:
                mixed = (mixed ^ row) * _MULTIPLIER
                mixed ^= mixed >> np.uint64(29)
            yield mixed


def groups_of_equal(
    mixed: NDArray[np.uint64], texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Texts whose keys are equal, two or more a group, and where groups begin and end."""
    order = np.argsort(mixed)
    mixed = mixed[order]
    starts = np.flatnonzero(np.concatenate(([True], mixed[1:] != mixed[:-1]))) if mixed.size else order
    lengths = np.diff(np.append(starts, mixed.size))
    shared = lengths > 1
    members = texts[order[np.repeat(shared, lengths)]]
    owners = np.repeat(np.arange(np.count_nonzero(shared)), lengths[shared])
    bounds = np.concatenate(([0], np.cumsum(lengths[shared]))).astype(np.int64)
    return members[np.lexsort((members, owners))], bounds
