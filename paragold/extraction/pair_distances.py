"""Word edit distances of given pairs of texts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cpdist

_FIRST_SURROGATE = 0xD800
_SURROGATES = 0x800

# All code points but the surrogates, which are no characters and which some kernels refuse.
CHARACTERS = 0x110000 - _SURROGATES


class _Alphabet(dict[str, str]):
    """Gives each new word the next character; raises OverflowError when there is none left."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self._characters = characters

    def __missing__(self, word: str) -> str:
        code = len(self)
        if code >= self._characters:
            raise OverflowError
        character = self[word] = chr(code if code < _FIRST_SURROGATE else code + _SURROGATES)
        return character


def encode_words(
    sentences: Sequence[Sequence[str]], characters: int = CHARACTERS
) -> list[str] | list[array[int]]:
    """Each distinct word of the sentences becomes one character, the same in all of them.

    With more distinct words than there are `characters` the sentences become arrays of 64-bit numbers
    instead: slower to compare, equal in result.
    """
    character = _Alphabet(characters).__getitem__
    try:
        return ["".join(map(character, sentence)) for sentence in sentences]
    except OverflowError:
        codes: dict[str, int] = {}
        return [array("q", [codes.setdefault(word, len(codes)) for word in text]) for text in sentences]


class PairDistances:
    """Exact distances between texts, for pairs that something else has chosen."""

    def __init__(self, texts: Sequence[Sequence[str]], *, indel: bool = False) -> None:
        self._texts = texts
        self._scorer = Indel.distance if indel else Levenshtein.distance

    @cached_property
    def _codes(self) -> Sequence[Sequence[object]]:
        return encode_words(self._texts)

    def of(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """The distance of each text of `a`, by its number, to the text of `b` at the same place."""
        if not len(a):
            return np.zeros(0, dtype=np.int64)
        codes = self._codes
        left, right = ([codes[text] for text in side.tolist()] for side in (a, b))
        distances = cpdist(left, right, scorer=self._scorer, dtype=np.uint32, workers=1)
        return distances.astype(np.int64)
