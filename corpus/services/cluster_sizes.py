"""How large the clusters are that an extraction looks at: what its chunks and its dry run are planned by."""

from __future__ import annotations

from django.db.models import Count, Q

from corpus.extraction.criteria import Criteria
from corpus.models import Article, Project, Sentence


def pairable_clusters(project: Project, criteria: Criteria) -> dict[int, int]:
    """Cluster id -> its sentences, of the clusters that an extraction with these criteria looks at, by id."""
    return sizes_of_clusters(project, criteria.clusters)


def sizes_of_clusters(project: Project, clusters: str) -> dict[int, int]:
    """Cluster id -> its sentences, of clusters with two articles and any text: all, held_out, or the rest.

    Articles and sentences are counted one after the other: together the database would sort all sentences.
    """
    wanted = Q(cluster__project=project)
    of_sentence = Q(article__cluster__project=project)
    if clusters != "all":
        held_out = clusters == "held_out"
        wanted &= Q(cluster__held_out=held_out)
        of_sentence &= Q(article__cluster__held_out=held_out)
    outlets = (
        Article.objects.filter(wanted)
        .order_by("cluster")
        .values_list("cluster")
        .annotate(outlets=Count("pk"))
        .filter(outlets__gte=2)
    )
    sentences = dict(
        Sentence.objects.filter(of_sentence)
        .order_by()
        .values_list("article__cluster")
        .annotate(sentences=Count("pk"))
    )
    return {cluster: sentences[cluster] for cluster, _ in outlets if cluster in sentences}
