"""The kernel without a compiler, which measures distances by rapidfuzz, and the partners of each length."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist, cpdist

from paragold.arrays import Array, Integers
from paragold.extraction.criteria import Criteria

Measured = tuple[Array, Array, Array]
"""Pairs of texts as three arrays of one length: the shorter text, the longer one, their distance."""


# Tables of lengths end at a multiple of this, so that few are made.
STEP = 128


def longest_partners(criteria: Criteria, lengths: Integers, *, first: bool = False) -> Integers:
    """`Criteria.longest_partner` of each of these lengths, which ascend."""
    longest = int(lengths[-1]) if len(lengths) else 0
    return _longest_partners(criteria, longest + STEP - longest % STEP, first)[lengths]


@lru_cache(maxsize=16)
def _longest_partners(criteria: Criteria, end: int, first: bool) -> Integers:
    return np.array([criteria.longest_partner(length, first=first) for length in range(end)], dtype=np.int64)


def partner_ends(criteria: Criteria, lengths: Integers) -> Integers:
    """The partners of text a are a + 1 to ends[a], the last left out, of texts in the order of their lengths.

    Raises ValueError for criteria without a maximum edit distance.
    """
    if criteria.max_edit_distance is None:
        raise ValueError("A kernel needs max_edit_distance.")
    return np.searchsorted(lengths, longest_partners(criteria, lengths), side="right").astype(np.int64)


# All code points but the surrogates, which are no characters and which some kernels refuse.
CHARACTERS = 0x110000 - 0x800


def _characters(number: int) -> Iterator[str]:
    """So many characters; then it raises OverflowError."""
    yield from map(chr, islice(chain(range(0xD800), range(0xE000, 0x110000)), number))
    raise OverflowError


def encode_words(
    sentences: Sequence[Sequence[str]], characters: int = CHARACTERS
) -> list[str] | list[array[int]]:
    """Each distinct word of the sentences becomes one character, the same in all of them.

    With more distinct words than there are `characters` the sentences become arrays of 64-bit numbers
    instead: slower to compare, equal in result.
    """
    character = defaultdict[str, str](_characters(characters).__next__).__getitem__
    try:
        return ["".join(map(character, sentence)) for sentence in sentences]
    except OverflowError:
        codes: dict[str, int] = {}
        return [array("q", [codes.setdefault(word, len(codes)) for word in text]) for text in sentences]


class RapidfuzzBlocks:
    """Texts as strings, or as arrays when there are more words than characters; made at their first use."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._texts = texts

    @cached_property
    def _codes(self) -> Sequence[Sequence[object]]:
        return encode_words(self._texts)

    def distances(self, a: Integers, b: Integers, *, indel: bool = False) -> Integers:
        """The distance of each text of `a`, by its number, to the text of `b` at the same place."""
        if not len(a):
            return np.zeros(0, dtype=np.int64)
        left, right = ([self._codes[text] for text in side.tolist()] for side in (a, b))
        scorer = Indel.distance if indel else Levenshtein.distance
        return cpdist(left, right, scorer=scorer, dtype=np.uint32, workers=1).astype(np.int64)

    def hits(self, lengths: Integers, criteria: Criteria, stretches: Iterable[range]) -> Iterator[Measured]:
        """The pairs of texts a < b, a in `stretches`, whose lengths and distance the criteria allow.

        lengths: shape (n,), ascending, in tokens. The criteria have a maximum edit distance. Pairs come block
        by block; memory is bounded by a block.
        """
        codes, ends, maximum = self._codes, partner_ends(criteria, lengths), criteria.max_edit_distance or 0
        scorer = Indel.distance if criteria.distance == "indel" else Levenshtein.distance
        for a in (a for rows in stretches for a in rows if ends[a] > a + 1):
            # A miss is the limit and one.
            distances = cdist(
                codes[a : a + 1], codes[a + 1 : ends[a]], scorer=scorer, score_cutoff=maximum, dtype=np.uint32
            )[0]
            fits = np.flatnonzero((distances <= maximum) & (distances >= criteria.min_edit_distance))
            yield np.full(len(fits), a), fits + a + 1, distances[fits]


Kernel = type[RapidfuzzBlocks]
"""A class of objects that are made of texts and find their `hits`."""
