"""Features of matched words: counts by lexical class (the paper's composite ones), and weights beyond it.

No feature depends on the order of the two sentences: where it has two sides it stands as the lesser and the
greater.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from paragold.classification.classes import LEXICAL_CLASSES
from paragold.classification.coded_pairs import Flags, Integers, Side
from paragold.classification.function_words import DOWNWARD, NEGATIONS, UPWARD
from paragold.classification.matching import (
    KINDS,
    UNMATCHED,
    Matching,
    Numbers,
    longest_run,
    most_by_pair,
    sum_by_pair,
)
from paragold.classification.string_features import ratio


def composite_features(matching: Matching, distance: Numbers, classes: Collection[str]) -> dict[str, Numbers]:
    """The class `composite` (Brockett and Dolan 2005, section 3.4) by name, each of shape (n,).

    Matches of each lexical class in `classes` and of all together, as counts, relative to the longer
    sentence and to the word edit distance, (n,).
    """
    longer = np.maximum(matching.pairs.first.lengths, matching.pairs.second.lengths)
    features: dict[str, Numbers] = {}
    total = np.zeros(len(longer))
    for kind, name in enumerate(KINDS):
        if name in LEXICAL_CLASSES and name not in classes:
            continue
        counts = [sum_by_pair(side, kinds == kind) for side, kinds in matching.sides()]
        matches = np.minimum(*counts)
        features[f"{name}_matches"] = matches
        features[f"{name}_matches/longer"] = ratio(matches, longer)
        if name in LEXICAL_CLASSES:
            features[f"{name}_matches/edit_distance"] = ratio(matches, distance)
            total += matches
    features["external_matches"] = total
    features["external_matches/edit_distance"] = ratio(total, distance)
    features["matches/longer"] = ratio(total + features["identical_matches"], longer)
    for bound, unmatched in _bounds(matching, lambda side, kinds: sum_by_pair(side, kinds == UNMATCHED)):
        features[f"unmatched_{bound}"] = unmatched
    return features


@dataclass(frozen=True, slots=True)
class WordKinds:
    """Flags by word of a vocabulary: numbers, negations, words that say up or down."""

    numbers: Flags
    negations: Flags
    upward: Flags
    downward: Flags

    @classmethod
    def of(cls, vocabulary: tuple[str, ...]) -> "WordKinds":
        """Sort the words of a vocabulary."""

        def flags(test: Callable[[str], bool]) -> Flags:
            return np.fromiter(map(test, vocabulary), dtype=bool, count=len(vocabulary))

        return cls(
            numbers=flags(lambda word: any(map(str.isdigit, word))),
            negations=flags(NEGATIONS.__contains__),
            upward=flags(UPWARD.__contains__),
            downward=flags(DOWNWARD.__contains__),
        )


def weighted_features(matching: Matching, idf: Numbers, kinds: WordKinds) -> dict[str, Numbers]:
    """The class `weighted`, beyond the paper: what is matched and what is not, weighed by rarity.

    idf: (v,) the weight of each word of the vocabulary.
    """
    features: dict[str, Numbers] = {}

    def add(name: str, measure: Callable[[Side, Integers], Numbers]) -> None:
        for bound, values in _bounds(matching, measure):
            features[f"{name}_{bound}"] = values

    def weight(side: Side, of_kind: Flags) -> Numbers:
        return sum_by_pair(side, idf[side.words] * of_kind)

    def share(side: Side, of_kind: Flags) -> Numbers:
        return weight(side, of_kind) / np.maximum(sum_by_pair(side, idf[side.words]), 1e-9)

    add("identical_weight", lambda side, found: share(side, found == 0))
    add("matched_weight", lambda side, found: share(side, found < UNMATCHED))
    add("unmatched_weight", lambda side, found: weight(side, found == UNMATCHED))
    add(
        "heaviest_unmatched",
        lambda side, found: most_by_pair(side, idf[side.words] * (found == UNMATCHED)),
    )
    add("longest_unmatched_run", lambda side, found: longest_run(side, found == UNMATCHED))
    add("names_unmatched", lambda side, found: sum_by_pair(side, side.names & (found == UNMATCHED)))
    add(
        "numbers_unmatched",
        lambda side, found: sum_by_pair(side, kinds.numbers[side.words] & (found != 0)),
    )
    features["negation_differs"] = _differs(matching, kinds.negations)
    features["opposite_words"] = matching.opposed.astype(np.float64)
    features["opposite_direction"] = _crossing(matching, kinds.upward, kinds.downward)
    return features


def _bounds(
    matching: Matching, measure: Callable[[Side, Integers], Numbers]
) -> tuple[tuple[str, Numbers], tuple[str, Numbers]]:
    first, second = (measure(side, kinds) for side, kinds in matching.sides())
    return ("lesser", np.minimum(first, second)), ("greater", np.maximum(first, second))


def _differs(matching: Matching, flags: Flags) -> Numbers:
    first, second = (sum_by_pair(side, flags[side.words]) for side, _ in matching.sides())
    return np.asarray(first != second, dtype=np.float64)


def _crossing(matching: Matching, one: Flags, other: Flags) -> Numbers:
    """Whether a word of one list on one side faces a word of the other list on the other, both unmatched."""

    def has(side: Side, kinds: Integers, flags: Flags) -> Flags:
        return np.asarray(sum_by_pair(side, flags[side.words] & (kinds != 0)) > 0)

    first, second = matching.sides()
    crossing = (has(*first, one) & has(*second, other)) | (has(*first, other) & has(*second, one))
    return crossing.astype(np.float64)
