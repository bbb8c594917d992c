"""Articles of a cluster that are nearly the same text, such as rewritten wire stories, by shared shingles.

A shingle is a row of five words within a sentence (Broder 1997, "On the resemblance and containment of
documents"); a shorter sentence is one shingle. The share of equal text is Broder's containment of the shorter
article in the longer: what part of its different shingles the other has, too. All pairs of a cluster are
compared by way of the shingles that they share, exactly: a cluster is small enough to need no bands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

SHINGLE_WORDS = 5
# Half of the text of the shorter article: below that, two reports share quotations, not a source.
MIN_SHARE = 0.5

Shingle = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearArticles:
    """Two articles, in the order in which they were given, and the share (0 to 1) of the shorter one."""

    first: int
    second: int
    share: float


def shingles(sentences: Iterable[Sequence[str]]) -> set[Shingle]:
    """The different shingles of sentences, given as tokens; case and punctuation do not count."""
    return {shingle for tokens in sentences for shingle in _of_sentence(tokens)}


def _of_sentence(tokens: Sequence[str]) -> Iterator[Shingle]:
    words = [token.casefold() for token in tokens if any(character.isalnum() for character in token)]
    if 0 < len(words) < SHINGLE_WORDS:
        yield tuple(words)
    for start in range(len(words) - SHINGLE_WORDS + 1):
        yield tuple(words[start : start + SHINGLE_WORDS])


class NearFilter:
    """Lets an article of a cluster pass that shares less than `min_share` with each one passed before."""

    def __init__(self, min_share: float) -> None:
        self._min_share = min_share
        self._owners: dict[Shingle, list[int]] = {}
        self._sizes: list[int] = []

    def passes(self, own: set[Shingle]) -> bool:
        """Whether an article with these shingles is new; then it is one of those that have passed."""
        common = Counter(place for shingle in own for place in self._owners.get(shingle, ()))
        for place, count in common.items():
            if count / min(len(own), self._sizes[place]) >= self._min_share:
                return False
        self.take(own)
        return True

    def take(self, own: set[Shingle]) -> None:
        """Have all later articles compared with this one, however near it is to others."""
        for shingle in own:
            self._owners.setdefault(shingle, []).append(len(self._sizes))
        self._sizes.append(len(own))


def near_articles(
    articles: Mapping[int, set[Shingle]], *, min_share: float = MIN_SHARE
) -> list[NearArticles]:
    """The pairs of articles, by key, that share `min_share` or more of the shorter one's text, highest first.

    articles: the shingles of each, in the order that pairs are to have.
    """
    place = {key: number for number, key in enumerate(articles)}
    owners: dict[Shingle, list[int]] = {}
    for key, own in articles.items():
        for shingle in own:
            owners.setdefault(shingle, []).append(key)
    common: Counter[tuple[int, int]] = Counter()
    for keys in owners.values():
        common.update(combinations(keys, 2))
    pairs = [
        NearArticles(first, second, count / min(len(articles[first]), len(articles[second])))
        for (first, second), count in common.items()
    ]
    near = [pair for pair in pairs if pair.share >= min_share]
    return sorted(near, key=lambda pair: (-pair.share, place[pair.first], place[pair.second]))
