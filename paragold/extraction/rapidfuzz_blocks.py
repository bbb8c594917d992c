"""The interface of kernels, which measure distances, and the one without a compiler: rapidfuzz on blocks."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Window:
    """Which pairs of texts a < b, sorted by length, to measure, and which distances to report.

    lengths: int64, shape (n,), ascending, in tokens.
    ends: int64, shape (n,); the partners of text a are a + 1 to ends[a], the last one left out.
    minimum, maximum: the bounds of the distances to report, inclusive.
    indel: whether a replacement costs 2, as a deletion and an insertion.
    """

    lengths: NDArray[np.int64]
    ends: NDArray[np.int64]
    minimum: int
    maximum: int
    indel: bool = False

    @classmethod
    def of(cls, lengths: NDArray[np.int64], criteria: Criteria) -> Window:
        """The window of criteria with a maximum edit distance. Raises ValueError when they have none."""
        if criteria.max_edit_distance is None:
            raise ValueError("A window needs max_edit_distance.")
        partners = longest_partners(criteria, lengths)
        ends = np.searchsorted(lengths, partners, side="right").astype(np.int64)
        indel = criteria.distance == "indel"
        return cls(lengths, ends, criteria.min_edit_distance, criteria.max_edit_distance, indel)


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


class PreparedTexts(Protocol):
    """Texts as a kernel compares them, in the order of its windows."""

    def hits(self, window: Window, stretches: Iterable[range]) -> Iterator[Measured]:
        """The hits of the rows in `stretches`, block by block; memory is bounded by a block."""
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

    def hits(self, window: Window, stretches: Iterable[range]) -> Iterator[Measured]:
        """The partners of a block of rows are one stretch of columns. Memory is `BLOCK_ROWS` x n."""
        codes, maximum = self._codes, window.maximum
        scorer = Indel.distance if window.indel else Levenshtein.distance
        for start, stop in (
            (start, min(start + BLOCK_ROWS, rows.stop))
            for rows in stretches
            for start in range(rows.start, rows.stop, BLOCK_ROWS)
        ):
            end = int(window.ends[stop - 1])
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
            fits = (b > a) & (b < window.ends[a]) & (measured >= window.minimum)
            yield a[fits], b[fits], measured[fits]


def distance_type(cutoff: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The narrowest type for distances up to a cutoff and for a miss, which rapidfuzz reports as cutoff + 1.

    Too narrow a type would wrap round in silence and turn misses into hits.
    """
    if cutoff < np.iinfo(np.uint8).max:
        return np.uint8
    return np.uint16 if cutoff < np.iinfo(np.uint16).max else np.uint32
