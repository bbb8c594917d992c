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

from paragold.matching.similar_pairs import (
    ScoredPairs,
    WordSets,
    by_score,
    pairs_with_equal_keys,
    scored_pairs,
    signatures,
)

SHINGLE_WORDS = 5
# Half of the text of the shorter article: below that, two reports share quotations, not a source.
MIN_SHARE = 0.5

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


def near_pairs(articles: Sequence[Codes], *, min_share: float) -> ScoredPairs:
    """The pairs of articles, by their places, that share `min_share` or more of the shorter one's shingles.

    The score is that share. For up to hundreds of articles.
    """
    count = len(articles)
    sizes = np.array([codes.size for codes in articles], np.int64)
    joined = np.concatenate([np.empty(0, np.uint64), *articles])
    order = np.argsort(joined, kind="stable")
    joined, owners = joined[order], np.repeat(np.arange(count), sizes)[order]
    shared = np.zeros(count * count, np.int64)
    # Owners of a code are side by side, in their order: next to each other, then with one between, ...
    for step in range(1, count):
        equal = np.flatnonzero(joined[step:] == joined[:-step])
        if not equal.size:
            break
        shared += np.bincount(owners[equal] * count + owners[equal + step], minlength=shared.size)
    pairs = np.flatnonzero(shared)
    first, second = np.divmod(pairs, max(count, 1))
    shares = shared[pairs] / np.minimum(sizes[first], sizes[second])
    near = shares >= min_share
    return scored_pairs(first[near], second[near], shares[near])


PERMUTATIONS = 128
# Standard deviations that the estimate may lie below what is looked for.
_SLACK = 3.0


def near_articles_of_many(articles: Sequence[Codes], *, min_share: float = MIN_SHARE) -> ScoredPairs:
    """As `near_pairs`, for thousands of articles: pairs by their places, with the share as their score.

    MinHash says which pairs to look at: the shingles that all of a thousand copies share would be counted
    half a million times each; equal keys are counted at once.

    Shares are exact; a pair is missed where its estimate is very low. A pair is looked at whose equal keys
    are at most three standard deviations fewer than those of the Jaccard that `min_share` comes to with the
    sizes of the two: about one pair of a thousand at `min_share` is missed, and fewer above it. Where one
    article is more than ten times as long as the other, more may be.
    """
    from paragold.matching.kernels import rarest_first, shared_words

    # The codes of 64 bits become those of word sets, from 0; the mapping is not stored.
    bounds = np.zeros(len(articles) + 1, np.int64)
    np.cumsum([own.size for own in articles], out=bounds[1:])
    names, numbers = np.unique(np.concatenate([np.empty(0, np.uint64), *articles]), return_inverse=True)
    offsets, codes, _ = rarest_first(bounds, numbers.astype(np.int32), len(names))
    sets = WordSets(codes, offsets)
    keys = signatures(sets, PERMUTATIONS)
    parts = []
    for first, second, _ in pairs_with_equal_keys(
        sets,
        keys,
        lambda rows, columns: _needed(sets.sizes[rows], sets.sizes[columns], min_share),
    ):
        shared = shared_words(sets.offsets, sets.codes, first, second)
        shares = shared / np.minimum(sets.sizes[first], sets.sizes[second])
        near = shares >= min_share
        parts.append(scored_pairs(first[near], second[near], shares[near]))
    return by_score(*parts)


def _needed(first: NDArray[np.int64], second: NDArray[np.int64], min_share: float) -> NDArray[np.float64]:
    """The minimum number of equal keys for each two sizes, shape (first, second)."""
    shorter = np.minimum(first[:, None], second)
    shared = min_share * shorter
    jaccard = shared / (first[:, None] + second - shared)
    expected = PERMUTATIONS * jaccard
    needed: NDArray[np.float64] = np.maximum(1.0, expected - _SLACK * np.sqrt(expected * (1 - jaccard)))
    return needed
