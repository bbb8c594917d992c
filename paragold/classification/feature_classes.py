"""The features of each class, by name.

The paper's string and composite features (Brockett and Dolan 2005, section 3.4), and beyond it measures of
overlap and of matched words by rarity. No feature depends on the order of the two sentences: a measure with
two sides gives two numbers, the lesser and the greater. BLEU is the measure of a pair scorer.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np
from rapidfuzz.distance import Indel, LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from paragold.arrays import Flags, Floats, Integers
from paragold.classification.classes import LEXICAL_CLASSES
from paragold.classification.words import (
    KINDS,
    UNMATCHED,
    CodedPairs,
    Events,
    Side,
    Sides,
    as_strings,
    longest_run,
    max_by_pair,
    member,
    sum_by_pair,
)
from paragold.languages import Language

LONGEST_N_GRAM = 4
_MIXER = 0x2545F4914F6CDD1D
# Bits of the hash of an n-gram; the rest of 64 bits numbers 262,144 pairs.
_GRAM_BITS = 44


def ratio(part: Floats | Integers, whole: Floats | Integers) -> Floats:
    """part / whole, 0 where the whole is 0."""
    return np.asarray(part / np.maximum(whole, 1), dtype=np.float64)


def edit_distances(pairs: CodedPairs) -> Floats:
    """Word edit distance (Levenshtein) of each pair. Shape (n,)."""
    first = as_strings(pairs.first.words, pairs.first.starts)
    second = as_strings(pairs.second.words, pairs.second.starts)
    return cpdist(first, second, scorer=Levenshtein.distance, dtype=np.uint32, workers=1).astype(np.float64)


def string_features(pairs: CodedPairs, alphabet: Integers) -> dict[str, Floats]:
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


def plain_string_features(first: Sequence[str], second: Sequence[str]) -> dict[str, float]:
    """`string_features` of one pair of sentences, by their words in lower case."""
    shorter, longer = sorted((len(first), len(second)))
    types = sorted(set(first)), sorted(set(second))
    shared = len(set(first) & set(second))
    distance, lexical = Levenshtein.distance(first, second), Levenshtein.distance(*types)
    return {
        "length_shorter": shorter,
        "length_longer": longer,
        "length_difference": longer - shorter,
        "length_ratio": shorter / max(longer, 1),
        "shared_words": shared,
        "shared_words/shorter": shared / max(shorter, 1),
        "shared_words/longer": shared / max(longer, 1),
        "edit_distance": distance,
        "edit_distance/longer": distance / max(longer, 1),
        "lexical_distance": lexical,
        "lexical_distance/most_types": lexical / max(*map(len, types), 1),
    }


def overlap_features(pairs: CodedPairs) -> dict[str, Floats]:
    """The class `overlap`, beyond the paper: n-grams, longest common subsequence, characters."""
    features: dict[str, Floats] = {}
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


def _shared_types(first: tuple[Integers, Integers], second: tuple[Integers, Integers], count: int) -> Floats:
    size = 1 + max((int(types.max()) for types, _ in (first, second) if len(types)), default=0)
    rows = np.arange(count) * size
    first_keys = np.repeat(rows, np.diff(first[1])) + first[0]
    second_keys = np.repeat(rows, np.diff(second[1])) + second[0]
    shared = first_keys[member(first_keys, second_keys)]
    return np.bincount(shared // size, minlength=count).astype(np.float64)


def shared_grams(pairs: CodedPairs, n: int) -> tuple[Floats, Floats, Floats]:
    """The n-grams that the sentences of each pair share, one for one, and those of each side. (p,) each."""
    sides = [_grams(side, n) for side in (pairs.first, pairs.second)]
    keys = np.concatenate([keys for _, keys in sides])
    keys <<= 1
    keys[len(sides[0][1]) :] += 1
    keys.sort()
    # Equal n-grams of a pair are together, those of the first sentence before those of the second.
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


def composite_features(sides: Sides, distance: Floats, classes: Collection[str]) -> dict[str, Floats]:
    """The class `composite` (Brockett and Dolan 2005, section 3.4) by name, each of shape (n,).

    Matches of each lexical class in `classes` and of all together, as counts, relative to the longer
    sentence and to the word edit distance, (n,).
    """
    longer = np.maximum(*(side.lengths for side, _ in sides))
    features: dict[str, Floats] = {}
    total = np.zeros(len(longer))
    for kind, name in enumerate(KINDS):
        if name in LEXICAL_CLASSES and name not in classes:
            continue
        counts = [sum_by_pair(side, kinds == kind) for side, kinds in sides]
        matches = np.minimum(*counts)
        features[f"{name}_matches"] = matches
        features[f"{name}_matches/longer"] = ratio(matches, longer)
        if name in LEXICAL_CLASSES:
            features[f"{name}_matches/edit_distance"] = ratio(matches, distance)
            total += matches
    features["external_matches"] = total
    features["external_matches/edit_distance"] = ratio(total, distance)
    features["matches/longer"] = ratio(total + features["identical_matches"], longer)
    for bound, unmatched in _bounds(sides, lambda side, kinds: sum_by_pair(side, kinds == UNMATCHED)):
        features[f"unmatched_{bound}"] = unmatched
    return features


def correlation_features(events: Events, strings: dict[str, Floats]) -> dict[str, Floats]:
    """The class `correlations`: composite features "in correlation with others" (the same section).

    The number of word pairs of each lexical class, of all together and of shared words: relative to each
    length and distance of `strings`, to those of each other class, and how many two classes both have.
    """
    counts = {
        name: np.bincount(rows, minlength=len(strings["shared_words"])).astype(np.float64)
        for name, (rows, _) in sorted(events.items())
    }
    total = sum(counts.values(), np.zeros(len(strings["shared_words"])))
    features = {}
    for name, values in {**counts, "external": total}.items():
        features[f"{name}_pairs"] = values
        for measure in ("length_shorter", "length_longer", "edit_distance", "lexical_distance"):
            features[f"{name}_pairs/{measure}"] = ratio(values, strings[measure])
    counts["shared"] = strings["shared_words"]
    for (name, pairs), (other_name, other_pairs) in combinations(counts.items(), 2):
        features[f"{name}_and_{other_name}"] = np.minimum(pairs, other_pairs)
        both = pairs + other_pairs
        features[f"{name}/{other_name}"] = np.divide(pairs, both, out=np.zeros(len(both)), where=both > 0)
    return features


def word_kinds(vocabulary: Sequence[str], language: Language) -> dict[str, Flags]:
    """Flags by word of a vocabulary: numbers, negations, words that say up or down."""
    tests: dict[str, Callable[[str], bool]] = {
        "numbers": lambda word: any(map(str.isdigit, word)),
        "negations": language.negation.__contains__,
        "upward": language.upward.__contains__,
        "downward": language.downward.__contains__,
    }
    return {
        name: np.fromiter(map(test, vocabulary), dtype=bool, count=len(vocabulary))
        for name, test in tests.items()
    }


def weighted_features(
    sides: Sides, opposed: Flags, idf: Floats, kinds: Mapping[str, Flags]
) -> dict[str, Floats]:
    """The class `weighted`, beyond the paper: what is matched and what is not, weighed by rarity.

    opposed: (n,) whether words of opposite meaning face each other. idf: (v,) the weight of each word of the
    vocabulary.
    """
    features: dict[str, Floats] = {}

    def add(name: str, measure: Callable[[Side, Integers], Floats]) -> None:
        for bound, values in _bounds(sides, measure):
            features[f"{name}_{bound}"] = values

    def weight(side: Side, of_kind: Flags) -> Floats:
        return sum_by_pair(side, idf[side.words] * of_kind)

    def share(side: Side, of_kind: Flags) -> Floats:
        return weight(side, of_kind) / np.maximum(sum_by_pair(side, idf[side.words]), 1e-9)

    add("identical_weight", lambda side, matches: share(side, matches == 0))
    add("matched_weight", lambda side, matches: share(side, matches < UNMATCHED))
    add("unmatched_weight", lambda side, matches: weight(side, matches == UNMATCHED))
    add(
        "heaviest_unmatched",
        lambda side, matches: max_by_pair(side, idf[side.words] * (matches == UNMATCHED)),
    )
    add("longest_unmatched_run", lambda side, matches: longest_run(side, matches == UNMATCHED))
    add("names_unmatched", lambda side, matches: sum_by_pair(side, side.names & (matches == UNMATCHED)))
    add(
        "numbers_unmatched",
        lambda side, matches: sum_by_pair(side, kinds["numbers"][side.words] & (matches != 0)),
    )
    negations = [sum_by_pair(side, kinds["negations"][side.words]) for side, _ in sides]
    features["negation_differs"] = np.asarray(negations[0] != negations[1], dtype=np.float64)
    features["opposite_words"] = opposed.astype(np.float64)
    # A word of one list on one side faces a word of the other list on the other, both unmatched.
    up, down = (
        [sum_by_pair(side, kinds[name][side.words] & (matches != 0)) > 0 for side, matches in sides]
        for name in ("upward", "downward")
    )
    features["opposite_direction"] = ((up[0] & down[1]) | (down[0] & up[1])).astype(np.float64)
    return features


def _bounds(
    sides: Sides, measure: Callable[[Side, Integers], Floats]
) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
    first, second = (measure(side, kinds) for side, kinds in sides)
    return ("lesser", np.minimum(first, second)), ("greater", np.maximum(first, second))


def bleu(pairs: CodedPairs) -> tuple[Floats, Floats]:
    """BLEU of sentences (Papineni et al. 2002), the first and the second as the translation. (n,) each.

    Precisions of 1- to 4-grams, those from 2 on plus one in numerator and denominator (Lin and Och 2004),
    their geometric mean, times the brevity penalty. 0 where no word is shared.
    """
    logs = [np.zeros(len(pairs)), np.zeros(len(pairs))]
    shared_words = np.zeros(len(pairs))
    for n in range(1, LONGEST_N_GRAM + 1):
        shared, *totals = shared_grams(pairs, n)
        if n == 1:
            shared_words = shared
        more = float(n > 1)
        for side, total in enumerate(totals):
            logs[side] += np.log((np.maximum(shared, 1e-9 * (1 - more)) + more) / np.maximum(total + more, 1))
    first_lengths, second_lengths = (np.maximum(side.lengths, 1) for side in (pairs.first, pairs.second))
    penalties = 1 - second_lengths / first_lengths, 1 - first_lengths / second_lengths
    scores = [
        np.where(shared_words > 0, np.exp(log / LONGEST_N_GRAM + np.minimum(penalty, 0)), 0.0)
        for log, penalty in zip(logs, penalties, strict=True)
    ]
    return scores[0], scores[1]
