"""Pairs of sentences as arrays of word numbers, the form in which features are counted."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paragold.problems import quoted
from paragold.text.tokenisation import tokenise

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_FIRST_SURROGATE = 0xD800
_SURROGATES = 0x800
MAX_WORDS = 0x110000 - _SURROGATES

# Pairs and word combinations of one chunk: enough for long arrays, few enough for little memory.
CHUNK_PAIRS = 8_192
CHUNK_COMBINATIONS = 1 << 23


@dataclass(frozen=True, slots=True)
class Side:
    """The words of n sentences one after the other.

    words: (m,) word numbers. rows: (m,) the sentence of each, ascending. starts: (n + 1,) where each
    sentence begins. names: (m,) whether the word is capitalised within its sentence, not at its beginning.
    """

    words: Integers
    rows: Integers
    starts: Integers
    names: Flags

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        return np.diff(self.starts)

    def part(self, start: int, stop: int) -> "Side":
        """The sentences from `start` up to `stop`, numbered from 0."""
        first, last = int(self.starts[start]), int(self.starts[stop])
        return Side(
            self.words[first:last],
            self.rows[first:last] - start,
            self.starts[start : stop + 1] - first,
            self.names[first:last],
        )


@dataclass(frozen=True, slots=True)
class CodedPairs:
    """n pairs of sentences; a word number is the word's place in `vocabulary`."""

    vocabulary: tuple[str, ...]
    first: Side
    second: Side

    def __len__(self) -> int:
        return len(self.first)

    def part(self, start: int, stop: int) -> "CodedPairs":
        """The pairs from `start` up to `stop` with the whole vocabulary."""
        return CodedPairs(self.vocabulary, self.first.part(start, stop), self.second.part(start, stop))

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Stretches (start, stop) of pairs, in order, whose word combinations fit into memory."""
        combined = np.cumsum(self.first.lengths * self.second.lengths)
        start = 0
        while start < len(self):
            before = int(combined[start - 1]) if start else 0
            fitting = int(np.searchsorted(combined, before + CHUNK_COMBINATIONS, side="right"))
            stop = min(max(fitting, start + 1), start + CHUNK_PAIRS)
            yield start, stop
            start = stop


def words_of(token: str) -> str:
    """The word that a token counts as, in lower case, thousands without commas; "" for punctuation."""
    word = token.lower().replace("’", "'")
    if word[0].isdigit():
        word = word.replace(",", "")
    return word if any(map(str.isalnum, word)) else ""


class _Chunks(dict[str, int]):
    """Text between white space -> its number; `codes` has the words of each, one after the other.

    The code of a word is twice its number, plus one if it is capitalised. Punctuation has none. Most chunks
    come again and again, and the tokeniser looks at each by itself: so each is tokenised once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.vocabulary: dict[str, int] = {}
        self.codes = array("q")
        self.lengths = array("q")

    def __missing__(self, chunk: str) -> int:
        before = len(self.codes)
        for token in tokenise(chunk)[0]:
            if word := words_of(token):
                number = self.vocabulary.setdefault(word, len(self.vocabulary))
                self.codes.append(2 * number + token[0].isupper())
        self.lengths.append(len(self.codes) - before)
        number = self[chunk] = len(self)
        return number


def code_pairs(texts: Iterable[tuple[str, str]]) -> CodedPairs:
    """Tokenise pairs of texts, drop punctuation, fold case and number the words.

    Raises TypeError for lists of words, and OverflowError beyond 1.1 million different words: give the pairs
    in parts.
    """
    chunks = _Chunks()
    seconds: list[str] = []

    def firsts() -> Iterator[str]:
        for pair in texts:
            if isinstance(pair, str) or not all(isinstance(text, str) for text in pair):
                raise TypeError(
                    f"A pair must be two texts here, not {quoted(pair)}. Join lists of words by spaces."
                )
            first, second = pair
            seconds.append(second)
            yield first

    # The words of the first sentences have the lower numbers.
    numbered = [_number(sentences, chunks) for sentences in (firsts(), seconds)]
    if len(chunks.vocabulary) > MAX_WORDS:
        raise OverflowError(f"More than {MAX_WORDS:,} different words at once: split the pairs.")
    sides = [_side(numbers, counts, chunks) for numbers, counts in numbered]
    return CodedPairs(tuple(chunks.vocabulary), sides[0], sides[1])


def _number(texts: Iterable[str], chunks: _Chunks) -> tuple[Integers, Integers]:
    """The chunks of n texts one after the other, (m,), and how many each text has, (n,)."""
    numbers, counts = array("q"), array("q")
    for text in texts:
        parts = text.split()
        numbers.extend(map(chunks.__getitem__, parts))
        counts.append(len(parts))
    return _integers(numbers), _integers(counts)


def _side(numbers: Integers, counts: Integers, chunks: _Chunks) -> Side:
    lengths = _integers(chunks.lengths)
    begins = np.cumsum(lengths) - lengths
    words_in = lengths[numbers]
    stops = np.cumsum(words_in)
    places = np.arange(int(words_in.sum())) - np.repeat(stops - words_in - begins[numbers], words_in)
    codes = _integers(chunks.codes)[places]
    rows = np.repeat(np.repeat(np.arange(len(counts)), counts), words_in)
    starts = np.searchsorted(rows, np.arange(len(counts) + 1))
    names = (codes & 1).astype(bool)
    names[starts[:-1][np.diff(starts) > 0]] = False
    return Side(codes >> 1, rows, starts, names)


def _integers(numbers: "array[int]") -> Integers:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.zeros(0, dtype=np.int64)


def as_strings(words: Integers, starts: Integers) -> list[str]:
    """Each sentence as a string of one character a word, for string kernels."""
    points = np.where(words < _FIRST_SURROGATE, words, words + _SURROGATES).astype("<u4")
    text = points.tobytes().decode("utf-32-le")
    return [text[start:stop] for start, stop in pairwise(starts.tolist())]
