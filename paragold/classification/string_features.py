"""String features (Brockett and Dolan 2005, section 3.4), and the measures of overlap beyond the paper.

No feature depends on the order of the two sentences: where it has two sides it stands as the lesser and the
greater.
"""

from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Indel, LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from paragold.classification.coded_pairs import CodedPairs, Integers, Side, as_strings
from paragold.classification.matching import Numbers
from paragold.classification.residue import member

LONGEST_N_GRAM = 4
_MIXER = 0x2545F4914F6CDD1D
# Of the hash of an n-gram; what is left of 64 bits numbers 262,144 pairs.
_GRAM_BITS = 44


def ratio(part: Numbers | Integers, whole: Numbers | Integers) -> Numbers:
    """part / whole, 0 where the whole is 0."""
    return np.asarray(part / np.maximum(whole, 1), dtype=np.float64)


def edit_distances(pairs: CodedPairs) -> Numbers:
    """Word edit distance (Levenshtein) of each pair. Shape (n,)."""
    first = as_strings(pairs.first.words, pairs.first.starts)
    second = as_strings(pairs.second.words, pairs.second.starts)
    return cpdist(first, second, scorer=Levenshtein.distance, dtype=np.uint32, workers=1).astype(np.float64)


def string_features(pairs: CodedPairs, alphabet: Integers) -> dict[str, Numbers]:
    """The class `string` by name, each of shape (n,).

    alphabet: (v,) the alphabetical rank of each word of the vocabulary. The lexical distance is the word edit
    distance of the sentences' unique words in alphabetical order.
    """
    first_length, second_length = pairs.first.lengths, pairs.second.lengths
    shorter, longer = np.minimum(first_length, second_length), np.maximum(first_length, second_length)
    first_types, second_types = _types(pairs.first, alphabet), _types(pairs.second, alphabet)
    shared = _shared_types(first_types, second_types, len(pairs))
    distance = edit_distances(pairs)
    lexical = cpdist(
        as_strings(*first_types), as_strings(*second_types), scorer=Levenshtein.distance, dtype=np.uint32
    ).astype(np.float64)
    most_types = np.maximum(np.diff(first_types[1]), np.diff(second_types[1]))
    return {
        "length_shorter": shorter.astype(np.float64),
        "length_longer": longer.astype(np.float64),
        "length_difference": (longer - shorter).astype(np.float64),
        "length_ratio": ratio(shorter, longer),
        "shared_words": shared,
        "shared_words/shorter": ratio(shared, shorter),
        "shared_words/longer": ratio(shared, longer),
        "edit_distance": distance,
        "edit_distance/longer": ratio(distance, longer),
        "lexical_distance": lexical,
        "lexical_distance/most_types": ratio(lexical, most_types),
    }


def overlap_features(pairs: CodedPairs) -> dict[str, Numbers]:
    """The class `overlap`, beyond the paper: n-grams, longest common subsequence, characters."""
    features: dict[str, Numbers] = {}
    for n in range(1, LONGEST_N_GRAM + 1):
        shared, of_first, of_second = shared_grams(pairs, n)
        of_first, of_second = ratio(shared, of_first), ratio(shared, of_second)
        features[f"{n}-grams_lesser"] = np.minimum(of_first, of_second)
        features[f"{n}-grams_greater"] = np.maximum(of_first, of_second)
    common = cpdist(
        as_strings(pairs.first.words, pairs.first.starts),
        as_strings(pairs.second.words, pairs.second.starts),
        scorer=LCSseq.similarity,
        dtype=np.uint32,
    ).astype(np.float64)
    lengths = pairs.first.lengths, pairs.second.lengths
    features["common_subsequence_lesser"] = ratio(common, np.maximum(*lengths))
    features["common_subsequence_greater"] = ratio(common, np.minimum(*lengths))
    features["characters"] = cpdist(
        _texts(pairs.vocabulary, pairs.first),
        _texts(pairs.vocabulary, pairs.second),
        scorer=Indel.normalized_similarity,
        dtype=np.float64,
    )
    return features


def _types(side: Side, alphabet: Integers) -> tuple[Integers, Integers]:
    """Alphabetical ranks of the unique words of each sentence in order, and where each sentence begins."""
    size = len(alphabet) + 1
    keys = np.unique(side.rows * size + alphabet[side.words])
    return keys % size, np.searchsorted(keys, np.arange(len(side) + 1) * size)


def _shared_types(first: tuple[Integers, Integers], second: tuple[Integers, Integers], count: int) -> Numbers:
    size = 1 + max((int(types.max()) for types, _ in (first, second) if len(types)), default=0)
    rows = np.arange(count) * size
    first_keys = np.repeat(rows, np.diff(first[1])) + first[0]
    second_keys = np.repeat(rows, np.diff(second[1])) + second[0]
    shared = first_keys[member(first_keys, second_keys)]
    return np.bincount(shared // size, minlength=count).astype(np.float64)


def shared_grams(pairs: CodedPairs, n: int) -> tuple[Numbers, Numbers, Numbers]:
    """How many n-grams the sentences of each pair share, one for one, and how many each has. (p,) each."""
    sides = [_grams(side, n) for side in (pairs.first, pairs.second)]
    keys = np.concatenate([keys for _, keys in sides])
    keys <<= 1
    keys[len(sides[0][1]) :] += 1
    keys.sort()
    # Equal n-grams of a pair stand together, those of the first sentence before those of the second.
    grams = keys >> 1
    begins = np.flatnonzero(np.concatenate(([True], grams[1:] != grams[:-1]))) if len(keys) else keys
    second = np.add.reduceat(keys & 1, begins) if len(keys) else keys
    first = np.diff(np.concatenate((begins, [len(keys)]))) - second
    rows = grams[begins] >> _GRAM_BITS
    shared = np.bincount(rows, np.minimum(first, second), minlength=len(pairs))
    of_first, of_second = (np.bincount(rows, minlength=len(pairs)).astype(np.float64) for rows, _ in sides)
    return shared.astype(np.float64), of_first, of_second


def _grams(side: Side, n: int) -> tuple[Integers, Integers]:
    """The pair of each n-gram, and a number that equal n-grams of one pair have in common.

    The number is the pair and a hash of 44 bits: two n-grams of 30 words agree by chance once in 10^10 pairs.
    """
    count = max(len(side.words) - n + 1, 0)
    keys = np.zeros(count, dtype=np.int64)
    for step in range(n):
        keys = (keys + side.words[step : step + count] + 1) * _MIXER
        keys ^= keys >> 29
    whole = side.rows[:count] == side.rows[n - 1 : n - 1 + count]
    rows = side.rows[:count][whole]
    return rows, (rows << _GRAM_BITS) | (keys[whole] & ((1 << _GRAM_BITS) - 1))


def _texts(vocabulary: tuple[str, ...], side: Side) -> list[str]:
    words = [vocabulary[word] for word in side.words.tolist()]
    return [" ".join(words[start:stop]) for start, stop in pairwise(side.starts.tolist())]
