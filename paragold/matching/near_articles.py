"""Articles of a cluster that are nearly the same text, such as rewritten wire stories, by shared shingles.

A shingle is a row of five words within a sentence (Broder 1997, "On the resemblance and containment of
documents"); a shorter sentence is one shingle; case and punctuation do not count. The share of equal text is
Broder's containment of the shorter article in the longer: what part of its different shingles the other has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

SHINGLE_WORDS = 5


def shingles(sentences: Iterable[Sequence[str]]) -> set[int]:
    """The different shingles of sentences, given as tokens, as hashes of 64 bits that hold in this process.

    Two shingles have the same hash with a chance of about 2^-60.
    """
    hashes: set[int] = set()
    for tokens in sentences:
        words = [token.casefold() for token in tokens if token.isalnum() or any(map(str.isalnum, token))]
        starts = range(max(len(words) - SHINGLE_WORDS, 0) + 1) if words else ()
        hashes.update(hash(tuple(words[start : start + SHINGLE_WORDS])) for start in starts)
    return hashes


class NearFilter:
    """Lets an article of a cluster pass that shares less than `min_share` with each one passed before.

    Articles are given as their sentences, these as tokens.
    """

    def __init__(self, min_share: float) -> None:
        self._min_share = min_share
        self._owners: dict[int, list[int]] = {}
        self._sizes: list[int] = []

    def passes(self, sentences: Iterable[Sequence[str]]) -> bool:
        """Whether an article is new; then it is one of those that have passed."""
        own = shingles(sentences)
        common = Counter(place for shingle in own for place in self._owners.get(shingle, ()))
        for place, count in common.items():
            if count / min(len(own), self._sizes[place]) >= self._min_share:
                return False
        self._add(own)
        return True

    def take(self, sentences: Iterable[Sequence[str]]) -> None:
        """Compare all later articles with this one, however near it is to others."""
        self._add(shingles(sentences))

    def _add(self, own: set[int]) -> None:
        for shingle in own:
            self._owners.setdefault(shingle, []).append(len(self._sizes))
        self._sizes.append(len(own))
