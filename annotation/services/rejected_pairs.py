"""Sentence pairs that a dataset's extractions rejected, drawn at random: what recall is estimated from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.db.models import Count, QuerySet

from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.services.pairs import measured, store_pairs
from paragold.sampling.sentence_pairs import pair_count, random_pairs
from projects.errors import PublicError

LOOKED_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class RejectedPairs:
    """`ids` of the pairs by key in hex, the `sentence_pairs` of the clusters, how many were `looked_at`."""

    ids: dict[str, int]
    sentence_pairs: int
    looked_at: int


def draw_rejected(clusters: QuerySet[Cluster], *, count: int, known: set[str], seed: int) -> RejectedPairs:
    """Draw `count` sentence pairs of different articles that are not `known` (keys in hex), at random.

    They become candidate pairs without findings. Identical sentences, and those that differ in
    punctuation or case alone, are passed over, as every extraction does. Raises PublicError when there
    are too few.
    """
    articles: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    counted = Article.objects.filter(cluster__in=clusters).annotate(sentence_count=Count("sentences"))
    for cluster, key, pk, size in counted.values_list("cluster__key", "key", "pk", "sentence_count"):
        articles[cluster].append((key, pk, size))
    for rows in articles.values():
        rows.sort()
    sizes = {cluster: [size for _, _, size in rows] for cluster, rows in articles.items()}
    places = random_pairs(sizes, seed=seed)
    chosen: dict[str, CandidatePair] = {}
    looked_at = 0
    while len(chosen) < count:
        part = list(islice(places, LOOKED_AT_ONCE))
        if not part:
            raise PublicError(
                f"{count} rejected pairs asked for; the clusters hold {len(chosen)} that can be drawn.",
                field="rejected",
            )
        ids = [
            tuple((articles[cluster][place.article][1], place.sentence) for place in both)
            for cluster, *both in part
        ]
        for pair in _candidates(ids):
            if len(chosen) == count:
                break
            looked_at += 1
            if pair is not None and pair.content_key.hex not in known:
                chosen.setdefault(pair.content_key.hex, pair)
    total = sum(pair_count(each) for each in sizes.values())
    return RejectedPairs(store_pairs(list(chosen.values())), total, looked_at)


def _candidates(places: list[tuple[tuple[int, int], ...]]) -> Iterator[CandidatePair | None]:
    """The pairs at ((article id, sentence number), ...), in order."""
    wanted = [place for both in places for place in both]
    rows = Sentence.objects.filter(
        article__in={article for article, _ in wanted}, number__in={number for _, number in wanted}
    ).select_related("article__cluster")
    found = {(row.article_id, row.number): row for row in rows}
    for first, second in places:
        yield measured(found[first], found[second])
