"""Which words of a pair answer each other, and by what."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.classification.classes import LEXICAL_CLASSES
from paragold.classification.coded_pairs import CodedPairs, Flags, Integers, Side
from paragold.classification.residue import find_residue, member, pair_keys, perhaps_member

IDENTICAL = "identical"
KINDS = (IDENTICAL, *LEXICAL_CLASSES)
UNMATCHED = len(KINDS)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Matching:
    """How the words of n pairs are matched.

    first_kinds, second_kinds: by token, the place in KINDS of the best match it has, or UNMATCHED. Equal
    words serve once each; other matches may share a partner.
    events: by lexical class (rows, keys) of the word pairs found, once for each pair of sentences; a key is
    that of `pair_keys`. opposed: (n,) whether words of opposite meaning face each other.
    """

    pairs: CodedPairs
    first_kinds: Integers
    second_kinds: Integers
    events: Mapping[str, tuple[Integers, Integers]]
    opposed: Flags

    def sides(self) -> tuple[tuple[Side, Integers], tuple[Side, Integers]]:
        """Both sides with the kinds of their tokens."""
        return (self.pairs.first, self.first_kinds), (self.pairs.second, self.second_kinds)


def match(pairs: CodedPairs, related: Mapping[str, Integers], opposites: Integers) -> Matching:
    """Match the words of each pair by the lexicons that are given.

    related: by lexical class the ascending keys of its word pairs; opposites: those of words of opposite
    meaning. All are keys over the vocabulary of `pairs`.
    """
    size = len(pairs.vocabulary)
    residue = find_residue(pairs)
    keys = pair_keys(pairs.first.words[residue.first_tokens], pairs.second.words[residue.second_tokens], size)
    # Hardly any of the combinations is known to a lexicon.
    known = perhaps_member(keys, np.concatenate([*related.values(), opposites]))
    keys, rows = keys[known], residue.rows[known]
    first_tokens, second_tokens = residue.first_tokens[known], residue.second_tokens[known]
    first_kinds = np.where(residue.identical_first, 0, UNMATCHED)
    second_kinds = np.where(residue.identical_second, 0, UNMATCHED)
    events = {}
    for kind, name in reversed(list(enumerate(KINDS))):
        if name not in related:
            continue
        found = member(keys, related[name])
        first_kinds[first_tokens[found]] = kind
        second_kinds[second_tokens[found]] = kind
        events[name] = _distinct(rows[found], keys[found])
    opposed = np.zeros(len(pairs), dtype=bool)
    opposed[rows[member(keys, opposites)]] = True
    return Matching(pairs, first_kinds, second_kinds, events, opposed)


def _distinct(rows: Integers, keys: Integers) -> tuple[Integers, Integers]:
    order = np.lexsort((keys, rows))
    rows, keys = rows[order], keys[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    return rows[fresh], keys[fresh]


def sum_by_pair(side: Side, weights: NDArray[np.generic]) -> Numbers:
    """The sum of a number of each token over each sentence. Shape (n,)."""
    return np.bincount(side.rows, weights.astype(np.float64), minlength=len(side)).astype(np.float64)


def most_by_pair(side: Side, weights: Numbers) -> Numbers:
    """The largest number (at least 0) of the tokens of each sentence. Shape (n,)."""
    most = np.zeros(len(side))
    np.maximum.at(most, side.rows, weights)
    return most


def longest_run(side: Side, flags: Flags) -> Numbers:
    """The longest run of flagged tokens in each sentence. Shape (n,)."""
    places = np.arange(len(flags))
    # The place of the last token that is not in the run, or the one before the sentence.
    before = np.maximum.accumulate(np.where(flags, -1, places)) if len(flags) else places
    before = np.maximum(before, side.starts[side.rows] - 1)
    return most_by_pair(side, np.where(flags, places - before, 0).astype(np.float64))
