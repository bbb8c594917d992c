"""Pairs of sentences as arrays of word numbers, the form in which features are counted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from corpus.text.tokenisation import tokenise

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_NO_WORD = -1
_FIRST_SURROGATE = 0xD800
_SURROGATES = 0x800
MOST_WORDS = 0x110000 - _SURROGATES

# What is worked on at a time: enough to keep the arrays long, little enough to keep them small.
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


class _Codes(dict[str, int]):
    """Token -> twice its word's number, plus one if it is capitalised; -1 for punctuation."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        word = words_of(token)
        number = self.numbers.setdefault(word, len(self.numbers)) if word else _NO_WORD
        code = self[token] = 2 * number + token[0].isupper() if word else _NO_WORD
        return code


def code_pairs(texts: Iterable[tuple[str, str]]) -> CodedPairs:
    """Tokenise pairs of texts, drop punctuation, fold case and number the words.

    Raises OverflowError beyond 1.1 million different words: give the pairs in parts.
    """
    codes = _Codes()
    firsts: list[list[str]] = []
    seconds: list[list[str]] = []
    for first, second in texts:
        firsts.append(tokenise(first)[0])
        seconds.append(tokenise(second)[0])
    sides = [_side(sentences, codes) for sentences in (firsts, seconds)]
    if len(codes.numbers) > MOST_WORDS:
        raise OverflowError(f"More than {MOST_WORDS:,} different words at once: give the pairs in parts.")
    return CodedPairs(tuple(codes.numbers), sides[0], sides[1])


def _side(sentences: Sequence[Sequence[str]], codes: _Codes) -> Side:
    lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    code = codes.__getitem__
    flat = np.fromiter(
        (code(token) for tokens in sentences for token in tokens), np.int64, int(lengths.sum())
    )
    rows = np.repeat(np.arange(len(sentences)), lengths)
    keep = flat != _NO_WORD
    words, rows = flat[keep] >> 1, rows[keep]
    starts = np.searchsorted(rows, np.arange(len(sentences) + 1))
    names = (flat[keep] & 1).astype(bool)
    names[starts[:-1][np.diff(starts) > 0]] = False
    return Side(words, rows, starts, names)


def as_strings(words: Integers, starts: Integers) -> list[str]:
    """Each sentence as a string of one character a word, for string kernels."""
    points = np.where(words < _FIRST_SURROGATE, words, words + _SURROGATES).astype("<u4")
    text = points.tobytes().decode("utf-32-le")
    return [text[start:stop] for start, stop in pairwise(starts.tolist())]
