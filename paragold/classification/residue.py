"""What is left of a pair when identical words are taken out, and the word pairs that can be made of it."""

from dataclasses import dataclass

import numpy as np

from paragold.classification.coded_pairs import CodedPairs, Flags, Integers

# Of `perhaps_member`: a flag for each value of the upper bits of the mixed keys.
_TABLE = 1 << 22
_SHIFT = 64 - 22
_MIXER = 0x1E3779B97F4A7C15


def occurrences(keys: Integers) -> Integers:
    """How many earlier elements equal each element: 0 for the first of its kind. Shape (m,)."""
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    begins = np.flatnonzero(np.concatenate(([True], in_order[1:] != in_order[:-1]))) if len(keys) else order
    runs = np.diff(np.concatenate((begins, [len(keys)])))
    counted = np.empty(len(keys), dtype=np.int64)
    counted[order] = np.arange(len(keys)) - np.repeat(begins, runs)
    return counted


def shared_one_to_one(first: Integers, second: Integers) -> tuple[Flags, Flags]:
    """Which elements find an equal partner on the other side, each partner serving once."""
    # Odd, so that hashed elements stay apart when the product wraps round.
    width = max(len(first), len(second)) | 1
    numbered_first = first * width + occurrences(first)
    numbered_second = second * width + occurrences(second)
    return member(numbered_first, np.sort(numbered_second)), member(numbered_second, np.sort(numbered_first))


def member(values: Integers, sorted_values: Integers) -> Flags:
    """Whether each value is among the sorted ones."""
    if not len(sorted_values):
        return np.zeros(len(values), dtype=bool)
    places = np.searchsorted(sorted_values, values)
    places[places == len(sorted_values)] = 0
    return np.asarray(sorted_values[places] == values)


def perhaps_member(values: Integers, others: Integers) -> Integers:
    """The places of all values that are among the others, ascending, and of a few that are not.

    Much faster than `member`, to which it hands on what is left, where few of the values are.
    """
    table = np.zeros(_TABLE, dtype=bool)
    table[_mixed(others)] = True
    return np.flatnonzero(table[_mixed(values)])


def _mixed(keys: Integers) -> Integers:
    return np.asarray((keys * _MIXER) >> _SHIFT) & (_TABLE - 1)


@dataclass(frozen=True, slots=True)
class Residue:
    """Tokens without an identical partner, and all their combinations within a pair.

    identical_first, identical_second: flags by token. first_tokens, second_tokens: (k,) the tokens of each
    combination, as places in the sides' words. rows: (k,) its pair.
    """

    identical_first: Flags
    identical_second: Flags
    first_tokens: Integers
    second_tokens: Integers
    rows: Integers


def find_residue(pairs: CodedPairs) -> Residue:
    """Take out identical words, one for one, and combine what is left."""
    size = len(pairs.vocabulary)
    identical_first, identical_second = shared_one_to_one(
        pairs.first.rows * size + pairs.first.words, pairs.second.rows * size + pairs.second.words
    )
    left, right = np.flatnonzero(~identical_first), np.flatnonzero(~identical_second)
    left_rows, right_rows = pairs.first.rows[left], pairs.second.rows[right]
    bounds = np.searchsorted(right_rows, np.arange(len(pairs) + 1))
    partners = np.diff(bounds)[left_rows]
    begins = np.cumsum(partners) - partners
    inner = np.arange(int(partners.sum())) - np.repeat(begins, partners)
    return Residue(
        identical_first,
        identical_second,
        first_tokens=np.repeat(left, partners),
        second_tokens=right[np.repeat(bounds[:-1][left_rows], partners) + inner],
        rows=np.repeat(left_rows, partners),
    )


def pair_keys(first: Integers, second: Integers, size: int) -> Integers:
    """One number for each unordered pair of word numbers below `size`."""
    return np.minimum(first, second) * size + np.maximum(first, second)
