"""Similar pairs of texts: by exact Jaccard, MinHash, bands of MinHash keys, or the vectors of an encoder.

MinHash is as Chung & Knight have it: the keys of a text under m permuted dictionaries. For a whole corpus,
texts with a band of equal keys are candidates, whose Jaccard is exact: with b bands of r keys, a pair of
Jaccard s has a band in common with probability 1 - (1 - s^r)^b.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from paragold.arrays import Float32s, Floats, Int32s, Integers
from paragold.languages import ENGLISH, Language, language as language_of
from paragold.matching.specs import STOP_WORDS, MatchingSpec

Keys = NDArray[np.uint32]

SCORED = np.dtype([("first", np.int64), ("second", np.int64), ("score", np.float64)])
"""Pairs of different texts, by their numbers: first < second, a score from 0 to 1.

With two files the texts of the second are numbered after those of the first.
"""
ScoredPairs = NDArray[np.void]


def content_words(
    text: str, stop_words: frozenset[str] = STOP_WORDS, language: Language = ENGLISH
) -> list[str]:
    """The tokens of a text of that language in lower case, in order, without punctuation and stop words.

    Punctuation is a token without a letter or digit.
    """
    return words_that_count((token.lower() for token in language.tokens(text)[0]), stop_words)


def words_that_count(words: Iterable[str], stop_words: frozenset[str] = STOP_WORDS) -> list[str]:
    """The lower-case tokens that are neither punctuation nor stop words, in order."""
    return [word for word in words if word not in stop_words and any(map(str.isalnum, word))]


@dataclass(frozen=True, slots=True)
class WordSets:
    """The sets of words of n texts.

    codes: int32, shape (offsets[-1],); those of text t are codes[offsets[t]:offsets[t + 1]], ascending and
    distinct. The rarest word (in texts; then the first) has the code 0.
    offsets: int64, shape (n + 1,).
    vectors: float32, shape (n, size), each of length 1, where texts are compared by meaning.
    """

    codes: Int32s
    offsets: Integers
    vectors: Float32s | None = None

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def sizes(self) -> Integers:
        """The number of different words of each text, shape (n,)."""
        return np.diff(self.offsets)

    def take(self, texts: Integers) -> WordSets:
        """The sets of these texts, in this order."""
        sizes = self.sizes[texts]
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        shift = np.repeat(self.offsets[texts] - offsets[:-1], sizes)
        vectors = None if self.vectors is None else self.vectors[texts]
        return WordSets(self.codes[np.arange(offsets[-1]) + shift], offsets, vectors)


def word_sets(texts: Iterable[Sequence[str]]) -> WordSets:
    """Sets of the words of each text; repeated words count once.

    Raises ValueError for words that hold all of the characters of `_ENDS`.
    """
    from paragold.matching.kernels import numbered_words, rarest_first

    texts = list(texts)
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=bounds[1:])
    text, end = _joined(texts, int(bounds[-1]))
    # By first appearance; a dict of strings, which lie all over the memory, takes twice as long.
    numbers, words = numbered_words(np.frombuffer(text, np.uint8), int(bounds[-1]), end)
    return WordSets(*rarest_first(bounds, numbers, words))


_ENDS = "\n\0\x1f"
"""Characters that may end a word where words are joined: the first that is in none."""


def _joined(texts: Sequence[Sequence[str]], words: int) -> tuple[bytes, int]:
    """The words of all texts, so many, with a byte behind each that is in none of them; and that byte."""
    for end in _ENDS:
        joined = end.join(map(end.join, filter(len, texts))) + end
        text = joined.encode("utf-8", "surrogatepass")
        if np.count_nonzero(np.frombuffer(text, np.uint8) == ord(end)) == max(words, 1):
            return text, ord(end)
    raise ValueError("Words hold line breaks, NUL and unit separators: take one of them out.")


def sets_of_files(*files: Iterable[str], spec: MatchingSpec | None = None) -> tuple[WordSets, int]:
    """The word sets of all texts of one file or two, and how many texts the first of two has (0 for one).

    Of the spec, language and stop words matter.
    """
    spec = spec or MatchingSpec()
    language = language_of(spec.language)
    listed = [[[token.lower() for token in language.tokens(text)[0]] for text in texts] for texts in files]
    return sets_of_tokens(list(chain(*listed)), spec), len(listed[0]) if len(listed) > 1 else 0


def sets_of_tokens(tokens: Sequence[Sequence[str]], spec: MatchingSpec) -> WordSets:
    """The word sets of texts given as lower-case tokens, with vectors where the spec compares by meaning.

    Raises FileProblem for a folder without an encoder, ValueError where none is named or a package is
    missing.
    """
    sets = word_sets(words_that_count(words, spec.stop_words) for words in tokens)
    if spec.method != "meaning":
        return sets
    from paragold.text.encoder import LAST, open_encoder

    return replace(sets, vectors=open_encoder(spec.encoder, LAST).of_sentences(tokens))


def scored_pairs(first: Integers, second: Integers, scores: Floats) -> ScoredPairs:
    """The table of these pairs by falling score; ties by `first`, then `second`."""
    pairs = np.empty(len(scores), SCORED)
    pairs["first"], pairs["second"], pairs["score"] = first, second, scores
    return by_score(pairs)


def _room() -> ScoredPairs:
    """Room for the first pairs that a kernel finds."""
    return np.empty(1 << 14, SCORED)


def by_score(*parts: ScoredPairs) -> ScoredPairs:
    """The pairs of all parts by falling score; ties by `first`, then `second`."""
    pairs = np.concatenate((np.empty(0, SCORED), *parts))
    return pairs[np.lexsort((pairs["second"], pairs["first"], -pairs["score"]))]


def one_partner_each(pairs: ScoredPairs) -> ScoredPairs:
    """Pairs taken by falling score, passing over those with a text that has a partner already.

    Chung & Knight, section 4. The pairs at or above a threshold are the same whether it is applied before or
    after.
    """
    taken: set[int] = set()
    accepted = []
    for index, (first, second) in enumerate(pairs[["first", "second"]].tolist()):
        if first not in taken and second not in taken:
            taken.update((first, second))
            accepted.append(index)
    return pairs[accepted]


def matched(
    sets: WordSets, spec: MatchingSpec, threshold: float | None = None, split: int = 0
) -> ScoredPairs:
    """Pairs at or above `threshold`, or else that of the spec, by its method. Raises ValueError."""
    spec = spec.for_size(len(sets))
    threshold = spec.threshold if threshold is None else threshold
    if spec.method == "exact":
        pairs = exact_pairs(sets, threshold, split=split)
    elif spec.method == "bands":
        pairs = banded_pairs(sets, threshold, split=split, seed=spec.seed)
    elif spec.method == "meaning":
        pairs = pairs_by_meaning(sets, threshold, split=split)
    else:
        pairs = estimated_pairs(
            sets,
            threshold,
            split=split,
            permutations=spec.permutations,
            seed=spec.seed,
        )
    return one_partner_each(pairs) if spec.greedy else pairs


_ROWS_AT_ONCE = 256
"""Of vectors, compared with all others: a block of cosines takes a few megabytes."""


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
    return by_score(similar_sets(sets.offsets, sets.codes, threshold, split, _room()))


def pairs_by_meaning(sets: WordSets, threshold: float, *, split: int = 0) -> ScoredPairs:
    """Every pair whose vectors have a cosine, rounded to four digits, of `threshold` or more.

    Parameters and errors are those of `exact_pairs`; the sets have vectors.
    """
    from paragold.text.nearness import near_blocks

    require_threshold(threshold)
    if sets.vectors is None:
        raise ValueError("Texts without vectors cannot be compared by meaning.")
    count = split or len(sets)
    stretches = (range(start, min(start + _ROWS_AT_ONCE, count)) for start in range(0, count, _ROWS_AT_ONCE))
    parts = [
        scored_pairs(a[b >= split], b[b >= split], cosines[b >= split])
        for a, b, cosines in near_blocks(sets.vectors, stretches, threshold)
    ]
    return by_score(*parts)


def pairs_by_definition(sets: WordSets, threshold: float, *, split: int = 0) -> ScoredPairs:
    """As `exact_pairs`, by comparing each two texts: slow, to be read, and to compare the kernels with."""
    words = [frozenset(codes.tolist()) for codes in np.split(sets.codes, sets.offsets[1:-1])]
    places = range(len(words))
    both = product(places[:split], places[split:]) if split else combinations(places, 2)
    pairs = (
        (first, second, len(words[first] & words[second]) / len(words[first] | words[second]))
        for first, second in both
        if words[first] and words[second]
    )
    return by_score(np.array([pair for pair in pairs if pair[2] >= threshold], SCORED))


def jaccard_of(sets: WordSets, pairs: ScoredPairs) -> Floats:
    """The exact Jaccard of each pair, shape (pairs,), whatever its score is."""
    from paragold.matching.kernels import shared_words

    first, second = (np.ascontiguousarray(pairs[side]) for side in ("first", "second"))
    shared = shared_words(sets.offsets, sets.codes, first, second)
    words = sets.sizes[first] + sets.sizes[second] - shared
    return np.asarray(shared / np.maximum(words, 1))


# Equal keys that make a candidate: the more, the fewer are compared in full and the more entries looked at.
_MET = 8
# The share of pairs at the threshold that may be missed.
_MISSED = 1e-5
# Texts in an entry of two frequent words, which is passed over: a similar pair is met in others, too.
_LARGEST_ENTRY = 500
# Entries are numbered by 32 bits.
_MAX_ENTRIES = 1 << 32


def chance_of_fewer(columns: int, equal: int, needed: int) -> float:
    """The chance that `equal` of so many columns in a ring have less than `needed` neighbours among them.

    Of the comb(columns, equal) choices, columns / runs * comb(equal - 1, runs - 1) * comb(others - 1,
    runs - 1) make so many runs, and each run of length l has l - 1 neighbours.
    """
    others = columns - equal
    if not others:
        return float(columns < needed)
    runs = range(max(1, equal - needed + 1), min(equal, others) + 1)
    choices = sum(columns * comb(equal - 1, n - 1) * comb(others - 1, n - 1) // n for n in runs)
    return choices / comb(columns, equal)


@cache
def neighbours_needed(columns: int, equal: int) -> int:
    """How many neighbouring keys a pair with so many equal ones has but for one pair in 100,000; up to 8."""
    enough = [needed for needed in range(1, _MET + 1) if chance_of_fewer(columns, equal, needed) <= _MISSED]
    return max(enough, default=0)


def draw_permutations(count: int, random: np.random.Generator) -> Keys:
    """m permuted dictionaries of any length: one-to-one mappings of the numbers of 32 bits, shape (2, m).

    The code of a word is mixed, multiplied by a permutation's own odd number (the first row), shifted (by the
    second), and mixed again. Its place among the words then is as good as random, and no dictionary need be
    held: its ranks would be read from all over the memory. Raises ValueError for less than one.
    """
    if count < 1:
        raise ValueError("There must be at least one permutation.")
    drawn = random.integers(1 << 32, size=(2, count), dtype=np.uint32)
    drawn[0] |= np.uint32(1)
    return drawn


def signatures(sets: WordSets, permutations: int = 128, seed: int = 1) -> Keys:
    """The keys of every text, shape (texts, permutations).

    A key is the place, in the k-th permuted dictionary, of the text's word nearest the front, which names
    the word. Texts without words have `EMPTY_KEY` everywhere.
    """
    return _keys_under(sets, draw_permutations(permutations, np.random.default_rng(seed)))


def _keys_under(sets: WordSets, permutations: Keys) -> Keys:
    from paragold.matching.kernels import minimum_places

    keys: Keys = minimum_places(sets.offsets, sets.codes, *permutations)
    return keys


def estimated_pairs(
    sets: WordSets, threshold: float, *, split: int = 0, permutations: int = 128, seed: int = 1
) -> ScoredPairs:
    """The pairs whose share of equal keys, the estimate of Jaccard, is `threshold` or more.

    Candidates come from hash tables by permutation and word (section 3, steps 4 to 6); the keys of each are
    all counted. Where a pair with just enough equal keys has some in neighbouring permutations, but for one
    in 100,000 such pairs (`neighbours_needed`), the tables are of two neighbouring keys each: frequent words
    then fill few large entries, and those with more than 500 later texts are passed over: 4 of 187,091 pairs
    were missed among 100,000 news sentences. Otherwise the result is that of comparing all signatures.
    The tables take 16 bytes a key. Parameters and errors are those of `exact_pairs`, and:

    Parameters
    ----------
    permutations, seed : int
        The number of keys of a text (m), and the random seed of the permutations. With more than 2^32 keys
        in all, ValueError.

    References
    ----------
    Chung & Knight, section 3.
    """
    from paragold.matching.kernels import colliding_pairs, neighbours_mixed

    require_threshold(threshold)
    with_words = np.flatnonzero(sets.sizes)
    if with_words.size * permutations >= _MAX_ENTRIES:
        raise ValueError(f"{with_words.size:,} texts are too many for MinHash: match them by bands.")
    keys = signatures(sets, permutations, seed)[with_words]
    minimum = max(1, int(np.ceil(threshold * permutations - 1e-9)))
    first_file = int(np.searchsorted(with_words, split))
    if split and not first_file:
        return np.empty(0, SCORED)
    entered, quota, largest = keys, permutations, _LARGEST_ENTRY
    needed = neighbours_needed(permutations, minimum)
    if needed:
        entered = neighbours_mixed(keys)
    else:
        # A pair with `minimum` equal keys has `needed` of them at least outside its largest entries.
        needed = min(minimum, _MET)
        quota, largest = permutations - minimum + needed, with_words.size
    pairs = colliding_pairs(keys, entered, first_file, minimum, quota, needed, largest, _room())
    return scored_pairs(
        with_words[pairs["first"]], with_words[pairs["second"]], pairs["score"] / permutations
    )


# Odd, so that multiplication loses nothing; from the golden ratio.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LONGEST_BAND = 8
# The share of pairs at the threshold that bands find, and the number of keys that are spent on it.
_RECALL, _MAX_KEYS = 0.97, 256
# A line of the processor's cache holds sixteen keys.
_KEYS_AT_ONCE = 16

Banding = tuple[int, int]
"""So many bands, of so many keys each."""


def recall_of(banding: Banding, similarity: float) -> float:
    """The chance, from 0 to 1, that bands find a pair of this Jaccard."""
    bands, rows = banding
    chance: float = 1 - (1 - similarity**rows) ** bands
    return chance


def banding_for(threshold: float) -> Banding:
    """The longest bands that find 97 % of the pairs at the threshold, in as few as do.

    Longer bands have fewer false candidates. There are at most 256 keys, but for bands of one key, which take
    what they need. Raises ValueError for a threshold outside (0, 1].
    """
    require_threshold(threshold)
    if threshold == 1:
        return 1, _LONGEST_BAND

    def needed(rows: int) -> int:
        return int(np.ceil(np.log1p(-_RECALL) / np.log1p(-(threshold**rows))))

    rows = 1
    while needed(rows + 1) * (rows + 1) <= _MAX_KEYS:
        rows += 1
    return needed(rows), rows


def banded_pairs(
    sets: WordSets,
    threshold: float,
    *,
    split: int = 0,
    banding: Banding | None = None,
    seed: int = 1,
) -> ScoredPairs:
    """Pairs with an exact Jaccard of `threshold` or more among those with an equal band; some are missed.

    `recall_of` gives the share; the default finds 97 % of the pairs just at the threshold and more of those
    above. Raises ValueError for a threshold that is not above 0.
    """
    from paragold.matching.kernels import similar_in_groups

    require_threshold(threshold)
    pairs = np.empty(0, SCORED)
    for keys in band_keys(sets, banding or banding_for(threshold), seed):
        members, bounds = groups_of_equal(keys, np.flatnonzero(sets.sizes))
        new = similar_in_groups(sets.offsets, sets.codes, members, bounds, threshold, split, _room())
        pairs = np.concatenate((pairs, new))
        codes = pairs["first"] * len(sets) + pairs["second"]
        pairs = pairs[np.unique(codes, return_index=True)[1]]
    return by_score(pairs)


def band_keys(sets: WordSets, banding: Banding, seed: int) -> Iterator[NDArray[np.uint64]]:
    """For each band one key of 64 bits for each text that has words, in their order.

    Texts with equal keys of a band are candidates: should two different bands ever get the same key, a false
    candidate is verified.
    """
    bands, rows = banding
    with_words = np.flatnonzero(sets.sizes)
    random = np.random.default_rng(seed)
    at_once = max(1, _KEYS_AT_ONCE // rows)
    for start in range(0, bands, at_once):
        columns = rows * min(at_once, bands - start)
        # A few bands at a time: the keys of all are never held.
        keys = _keys_under(sets, draw_permutations(columns, random))[with_words]
        for column in range(0, keys.shape[1], rows):
            mixed = np.zeros(len(keys), np.uint64)
            for row in keys[:, column : column + rows].T:
                mixed = (mixed ^ row) * _MULTIPLIER
                mixed ^= mixed >> np.uint64(29)
            yield mixed


def groups_of_equal(mixed: NDArray[np.uint64], texts: Integers) -> tuple[Integers, Integers]:
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
