"""The interface of kernels, which measure distances, and the one without a compiler: rapidfuzz on blocks."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist, cpdist

from paragold.extraction.criteria import Criteria

Measured = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Pairs of texts as three arrays of one length: the shorter text, the longer one, their distance."""


# Tables of lengths end at a multiple of this, so that few are made.
STEP = 128


def longest_partners(
    criteria: Criteria, lengths: NDArray[np.int64], *, first: bool = False
) -> NDArray[np.int64]:
    """`Criteria.longest_partner` of each of these lengths, which ascend."""
    longest = int(lengths[-1]) if len(lengths) else 0
    return _longest_partners(criteria, longest + STEP - longest % STEP, first)[lengths]


@lru_cache(maxsize=16)
def _longest_partners(criteria: Criteria, end: int, first: bool) -> NDArray[np.int64]:
    return np.array([criteria.longest_partner(length, first=first) for length in range(end)], dtype=np.int64)


def partner_ends(criteria: Criteria, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The partners of text a are a + 1 to ends[a], the last left out, of texts in the order of their lengths.

    Raises ValueError for criteria without a maximum edit distance.
    """
    if criteria.max_edit_distance is None:
        raise ValueError("A kernel needs max_edit_distance.")
    return np.searchsorted(lengths, longest_partners(criteria, lengths), side="right").astype(np.int64)


class PreparedTexts(Protocol):
    """Texts as a kernel compares them, in the order of their lengths."""

    def hits(
        self, lengths: NDArray[np.int64], criteria: Criteria, stretches: Iterable[range]
    ) -> Iterator[Measured]:
        """The pairs of texts a < b, a in `stretches`, whose lengths and distance the criteria allow.

        lengths: shape (n,), ascending, in tokens. The criteria have a maximum edit distance. Pairs come block
        by block; memory is bounded by a block.
        """
        ...


# A kernel turns texts, as sequences of words, into what it compares.
Kernel = Callable[[Sequence[Sequence[str]]], PreparedTexts]


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


# Few enough rows for a narrow length window of a block, enough to fill the kernel's vector lanes.
BLOCK_ROWS = 32


class RapidfuzzBlocks:
    """Texts as strings, or as arrays when there are more words than characters; made at their first use."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._texts = texts

    @cached_property
    def _codes(self) -> Sequence[Sequence[object]]:
        return encode_words(self._texts)

    def distances(
        self, a: NDArray[np.int64], b: NDArray[np.int64], *, indel: bool = False
    ) -> NDArray[np.int64]:
        """The distance of each text of `a`, by its number, to the text of `b` at the same place."""
        if not len(a):
            return np.zeros(0, dtype=np.int64)
        left, right = ([self._codes[text] for text in side.tolist()] for side in (a, b))
        scorer = Indel.distance if indel else Levenshtein.distance
        return cpdist(left, right, scorer=scorer, dtype=np.uint32, workers=1).astype(np.int64)

    def hits(
        self, lengths: NDArray[np.int64], criteria: Criteria, stretches: Iterable[range]
    ) -> Iterator[Measured]:
        """The partners of a block of rows are one stretch of columns. Memory is `BLOCK_ROWS` x n."""
        codes, ends, maximum = self._codes, partner_ends(criteria, lengths), criteria.max_edit_distance or 0
        scorer = Indel.distance if criteria.distance == "indel" else Levenshtein.distance
        for start, stop in (
            (start, min(start + BLOCK_ROWS, rows.stop))
            for rows in stretches
            for start in range(rows.start, rows.stop, BLOCK_ROWS)
        ):
            end = int(ends[stop - 1])
            if end <= start:
                continue
            distances = cdist(
                codes[start:stop],
                codes[start:end],
                scorer=scorer,
                score_cutoff=maximum,
                dtype=distance_type(maximum),
                workers=1,
            )
            a, b = np.nonzero(distances <= maximum)
            measured = distances[a, b]
            a, b = a + start, b + start
            fits = (b > a) & (b < ends[a]) & (measured >= criteria.min_edit_distance)
            yield a[fits], b[fits], measured[fits]


def distance_type(cutoff: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The narrowest type for distances up to a cutoff and for a miss, which rapidfuzz reports as cutoff + 1.

    Too narrow a type would wrap round in silence and turn misses into hits.
    """
    if cutoff < np.iinfo(np.uint8).max:
        return np.uint8
    return np.uint16 if cutoff < np.iinfo(np.uint16).max else np.uint32
