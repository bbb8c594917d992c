"""Sentence pairs as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source and of a target sentence."""


class Vocabulary:
    """Words, lower-cased, and their numbers from 0 in the order in which they were first seen."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.numbers: dict[str, int] = {}
        for word in words:
            self.numbers.setdefault(word, len(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of the tokens; unseen ones get the next free numbers."""
        numbers = self.numbers
        return [numbers.setdefault(token.lower(), len(numbers)) for token in tokens]

    @property
    def words(self) -> list[str]:
        return list(self.numbers)


@dataclass(frozen=True, slots=True)
class Text:
    """One side of the pairs: word numbers end to end; sentence p is words[starts[p]:starts[p + 1]]."""

    words: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], vocabulary: Vocabulary) -> Text:
        words, starts = array("i"), array("q", [0])
        for sentence in sentences:
            words.extend(vocabulary.encode(sentence))
            starts.append(len(words))
        return cls(np.array(words, dtype=np.int32), np.array(starts, dtype=np.int64))

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)
