"""How large the clusters are that an extraction looks at: what its chunks and its dry run are planned by."""

from __future__ import annotations

from django.db.models import Count, Q

from corpus.models import Article, Sentence
from paragold.extraction.criteria import WITH_IMPORTED, Criteria
from projects.models import Project


def pairable_clusters(project: Project, criteria: Criteria) -> dict[int, int]:
    """Cluster id -> its sentences, of the clusters that an extraction with these criteria looks at, by id."""
    return sizes_of_clusters(project, criteria.clusters)


def in_clusters(project: Project, clusters: str, path: str) -> Q:
    """The condition for rows whose `path` leads to a cluster of the project that is looked at.

    `clusters` is one of the choices of the extraction parameter of that name: all, held_out or rest of the
    corpus, or with_imported, which adds imported pairs to all.
    """
    wanted = Q(**{f"{path}__project": project})
    if clusters != WITH_IMPORTED:
        wanted &= Q(**{f"{path}__pair_import": None})
    if clusters in ("held_out", "rest"):
        wanted &= Q(**{f"{path}__held_out": clusters == "held_out"})
    return wanted


def sizes_of_clusters(project: Project, clusters: str) -> dict[int, int]:
    """Cluster id -> its sentences, of clusters with two articles and any text.

    `clusters` is as in `in_clusters`.

    Articles and sentences are counted one after the other: together the database would sort all sentences.
    """
    sentences = dict(
        Sentence.objects.filter(in_clusters(project, clusters, "article__cluster"))
        .order_by()
        .values_list("article__cluster")
        .annotate(sentences=Count("pk"))
    )
    articles = articles_of_clusters(project, clusters)
    return {cluster: sentences[cluster] for cluster in articles if cluster in sentences}


def articles_of_clusters(project: Project, clusters: str) -> dict[int, int]:
    """Cluster id -> its articles, of clusters with two of them or more, by id; `clusters` as above."""
    return dict(
        Article.objects.filter(in_clusters(project, clusters, "cluster"))
        .order_by("cluster")
        .values_list("cluster")
        .annotate(articles=Count("pk"))
        .filter(articles__gte=2)
    )
