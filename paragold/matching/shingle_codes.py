"""Shingles as codes of 64 bits in arrays: what compares the articles of a whole import while it is read.

They are the shingles of `near_articles`, five words of a sentence without case and punctuation. A word's code
is the same wherever and whenever it is made; two different shingles have one code with a chance of 2^-64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from paragold.matching.near_articles import SHINGLE_WORDS
from paragold.matching.pairs import ScoredPairs

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
    """Makes codes of shingles; it remembers those of the words."""

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
        found: Codes = np.unique(codes[within[:windows]])
        return found


def near_pairs(articles: Sequence[Codes], *, least: float) -> ScoredPairs:
    """The pairs of articles, by their places, that share `least` or more of the shorter one's shingles.

    The score is that share, as `near_articles` has it. For up to hundreds of articles.
    """
    count = len(articles)
    sizes = np.array([codes.size for codes in articles], np.int64)
    joined = np.concatenate(articles) if articles else np.empty(0, np.uint64)
    order = np.argsort(joined, kind="stable")
    joined, owners = joined[order], np.repeat(np.arange(count), sizes)[order]
    shared = np.zeros(count * count, np.int64)
    # Owners of a code stand side by side, in their order: next to each other, then with one between, ...
    for step in range(1, count):
        equal = np.flatnonzero(joined[step:] == joined[:-step])
        if not equal.size:
            break
        shared += np.bincount(owners[equal] * count + owners[equal + step], minlength=shared.size)
    pairs = np.flatnonzero(shared)
    first, second = np.divmod(pairs, max(count, 1))
    shares = shared[pairs] / np.minimum(sizes[first], sizes[second])
    near = shares >= least
    return ScoredPairs.sorted(first[near], second[near], shares[near])
