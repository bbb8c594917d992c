"""What the check of an import tells of near duplicates: pairs of articles, and their share of equal text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from paragold.matching.near_articles import LEAST_SHARE
from paragold.matching.shingle_codes import Codes, ShingleCoder, near_articles_of_many, near_pairs
from paragold.matching.similar_pairs import ScoredPairs
from paragold.sources.records import ClusterRecord

# Up to so many articles all shingles are compared; more are looked through by MinHash.
FEW = 100
PAIRS_OF_A_CLUSTER, PAIRS = 100, 1_000

Standing = Callable[[str], Mapping[str, Iterable[Sequence[str]]]]


class NearReport:
    """Looks at clusters as they are read. Those that share `least` of the shorter one's text are near.

    `standing` gives the sentences, as tokens, of the articles that a cluster of the project has already, by
    their keys: pairs of two of them are not told again. Counts are of all pairs; of the pairs themselves the
    nearest 100 of a cluster are kept, and 1,000 in all.
    """

    def __init__(self, least: float = LEAST_SHARE, standing: Standing = lambda key: {}) -> None:
        self._least = least
        self._standing = standing
        self._coder = ShingleCoder()
        self._pairs = self._clusters = self._articles = 0
        self._shown: list[list[Any]] = []

    def look(self, cluster: ClusterRecord) -> None:
        """Compare the articles of one cluster with each other and with those that stand already."""
        articles = {name: self._coder.codes(told) for name, told in self._standing(cluster.key).items()}
        standing = len(articles)
        if standing + len(cluster.articles) < 2:
            return
        for article in cluster.articles:
            if article.key not in articles:
                articles[article.key] = self._coder.codes(sentence.tokens for sentence in article.sentences)
        names = list(articles)
        # Those that stand come first: a pair is new when its second article is.
        near = [pair for pair in _rows(_near(list(articles.values()), self._least)) if pair[1] >= standing]
        if not near:
            return
        self._pairs += len(near)
        self._clusters += 1
        self._articles += len({place for first, second, _ in near for place in (first, second)})
        room = min(PAIRS_OF_A_CLUSTER, PAIRS - len(self._shown))
        self._shown += [
            [cluster.key, names[one], names[other], round(share, 4)] for one, other, share in near[:room]
        ]

    def to_json(self) -> dict[str, Any]:
        """`shown` has rows of cluster, article, article and share; empty where no two are near."""
        if not self._pairs:
            return {}
        return {
            "least": self._least,
            "pairs": self._pairs,
            "clusters": self._clusters,
            "articles": self._articles,
            "shown": self._shown,
        }


def _near(articles: list[Codes], least: float) -> ScoredPairs:
    if len(articles) <= FEW:
        return near_pairs(articles, least=least)
    return near_articles_of_many(articles, least=least)


def _rows(pairs: ScoredPairs) -> Iterable[tuple[int, int, float]]:
    """Places of two articles and their share, the nearest first."""
    return zip(pairs.first.tolist(), pairs.second.tolist(), pairs.scores.tolist(), strict=True)


def near_note(near: Mapping[str, Any]) -> list[str]:
    """The same in a sentence, where there is anything to tell."""
    if not near:
        return []
    return [
        f"{near['pairs']:,} pairs of articles in {near['clusters']:,} clusters share {near['least']:.0%} of "
        "the shorter one's text or more."
    ]
