"""The clusters that an extraction looks at: which they are, their sizes, their sentences, chunks of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Q, QuerySet

from corpus.models import Article, Sentence
from jobs.services.ledger import ChunkPlan
from paragold.extraction.criteria import WITH_IMPORTED
from paragold.extraction.records import ClusterSentences
from projects.models import Project

ROWS_AT_ONCE = 2_000


def in_clusters(project: Project, clusters: str, path: str) -> Q:
    """The condition for rows whose `path` leads to a cluster of the project that is looked at.

    `clusters` is one of the choices of the extraction parameter of that name: all, held_out or rest of the
    corpus, or with_imported, which adds imported pairs to all.
    """
    condition = Q(**{f"{path}__project": project})
    if clusters != WITH_IMPORTED:
        condition &= Q(**{f"{path}__pair_import": None})
    if clusters in ("held_out", "rest"):
        condition &= Q(**{f"{path}__held_out": clusters == "held_out"})
    return condition


def sentences_of_clusters(project: Project, clusters: str) -> QuerySet[Sentence]:
    return Sentence.objects.filter(in_clusters(project, clusters, "article__cluster"))


def sizes_of_clusters(project: Project, clusters: str, min_articles: int = 2) -> dict[int, int]:
    """Cluster id -> its sentences, of clusters with that many articles and any text.

    `clusters` is as in `in_clusters`. Articles and sentences are counted one after the other: together the
    database would sort all sentences.
    """
    sentences = dict(
        sentences_of_clusters(project, clusters)
        .order_by()
        .values_list("article__cluster")
        .annotate(sentences=Count("pk"))
    )
    articles = articles_of_clusters(project, clusters, min_articles)
    return {cluster: sentences[cluster] for cluster in articles if cluster in sentences}


def articles_of_clusters(project: Project, clusters: str, min_articles: int = 2) -> dict[int, int]:
    """Cluster id -> its articles, of clusters with that many or more, by id; `clusters` as above."""
    return dict(
        Article.objects.filter(in_clusters(project, clusters, "cluster"))
        .order_by("cluster")
        .values_list("cluster")
        .annotate(articles=Count("pk"))
        .filter(articles__gte=min_articles)
    )


def pairs_within(sizes: Collection[int]) -> int:
    """The pairs within groups of these sizes."""
    return sum(size * (size - 1) // 2 for size in sizes)


def chunks_of_clusters(clusters: Iterable[tuple[int, int]], *, work: int, maximum: int) -> list[ChunkPlan]:
    """Clusters, ids with their work, as chunks of about this `work` and at most `maximum` clusters."""
    chunks: list[ChunkPlan] = []
    chunk: list[int] = []
    held = 0
    for pk, own in clusters:
        chunk.append(pk)
        held += own
        if held >= work or len(chunk) >= maximum:
            chunks.append(ChunkPlan(units=len(chunk), payload={"clusters": chunk}))
            chunk, held = [], 0
    if chunk:
        chunks.append(ChunkPlan(units=len(chunk), payload={"clusters": chunk}))
    return chunks


def load_clusters(cluster_ids: list[int]) -> Iterator[tuple[int, ClusterSentences]]:
    """The sentences of clusters, each in the order of import."""
    rows = (
        Sentence.objects.filter(article__cluster__in=cluster_ids)
        .order_by("article__cluster_id", "id")
        .values_list("article__cluster_id", "id", "article_id", "number", "tokens")
    )
    for cluster_id, group in groupby(rows.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter(0)):
        sentences = list(group)
        yield (
            cluster_id,
            ClusterSentences(
                ids=[row[1] for row in sentences],
                articles=[row[2] for row in sentences],
                indices=[row[3] for row in sentences],
                tokens=[tuple(row[4].lower().split(" ")) for row in sentences],
            ),
        )
