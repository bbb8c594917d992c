"""Articles of a cluster that are nearly the same text, such as rewritten wire stories, by shared shingles.

A shingle is a row of five words within a sentence (Broder 1997, "On the resemblance and containment of
documents"); a shorter sentence is one shingle; case and punctuation do not count. The share of equal text is
Broder's containment of the shorter article in the longer: what part of its different shingles the other has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

SHINGLE_WORDS = 5

Codes = NDArray[np.uint64]

# Odd, so that multiplication loses nothing; from the golden ratio.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
# Words that are remembered; then all are forgotten.
_WORDS = 1 << 19


class _Words(dict[str, int]):
    """The code of each token; 0 of those without a letter or digit."""

    def __missing__(self, token: str) -> int:
        if len(self) >= _WORDS:
            self.clear()
        code = 0
        if any(map(str.isalnum, token)):
            word = token.casefold().encode("utf-8", "surrogatepass")
            code = int.from_bytes(blake2b(word, digest_size=8).digest()) or 1
        self[token] = code
        return code


class ShingleCoder:
    """Makes codes of 64 bits of shingles; it remembers those of the words.

    A word's code is the same wherever and whenever it is made; two different shingles have one code with a
    chance of 2^-64.
    """

    def __init__(self) -> None:
        self._words = _Words()

    def codes(self, sentences: Iterable[Sequence[str]]) -> Codes:
        """The different shingles of sentences, given as tokens, as ascending codes."""
        flat: list[int] = []
        ends: list[int] = []
        for tokens in sentences:
            words = [code for code in map(self._words.__getitem__, tokens) if code]
            if words:
                # A shorter sentence is one shingle; no word has the code 0.
                flat += words + [0] * (SHINGLE_WORDS - len(words))
                ends.append(len(flat))
        if not flat:
            return np.empty(0, np.uint64)
        words_of_all = np.array(flat, np.uint64)
        windows = len(flat) - SHINGLE_WORDS + 1
        codes = words_of_all[:windows].copy()
        for place in range(1, SHINGLE_WORDS):
            codes *= _MULTIPLIER
            codes += words_of_all[place : place + windows]
        within = np.ones(len(flat), bool)
        within[(np.array(ends)[:, None] - np.arange(1, SHINGLE_WORDS)).ravel()] = False
        distinct: Codes = np.unique(codes[within[:windows]])
        return distinct


class NearFilter:
    """Lets an article of a cluster pass that shares less than `min_share` with each one passed before.

    Articles are given as their sentences, these as tokens.
    """

    def __init__(self, min_share: float) -> None:
        self._min_share = min_share
        self._coder = ShingleCoder()
        self._owners: dict[int, list[int]] = {}
        self._sizes: list[int] = []

    def passes(self, sentences: Iterable[Sequence[str]]) -> bool:
        """Whether an article is new; then it is one of those that have passed."""
        codes = self._coder.codes(sentences).tolist()
        common = Counter(place for code in codes for place in self._owners.get(code, ()))
        for place, count in common.items():
            if count / min(len(codes), self._sizes[place]) >= self._min_share:
                return False
        self._add(codes)
        return True

    def take(self, sentences: Iterable[Sequence[str]]) -> None:
        """Compare all later articles with this one, however near it is to others."""
        self._add(self._coder.codes(sentences).tolist())

    def _add(self, codes: Sequence[int]) -> None:
        for code in codes:
            self._owners.setdefault(code, []).append(len(self._sizes))
        self._sizes.append(len(codes))
