"""Word edit distances of given pairs of texts."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cpdist

from paragold.extraction.word_codes import encode_words


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
