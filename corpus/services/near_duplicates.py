"""Articles that an import leaves out: nearly the same text as others of their cluster."""

from __future__ import annotations

from corpus.models import Cluster, Sentence
from paragold.matching.near_articles import NearFilter
from projects.models import Project


def near_filter(project: Project, key: str) -> NearFilter | None:
    """Decides whether an article is new to a cluster of the project; None where every article is taken."""
    if project.near_duplicate_share is None:
        return None
    near = NearFilter(project.near_duplicate_share)
    cluster = project.clusters.of_corpus().filter(key=key).first()
    for own in _sentences_of(cluster).values() if cluster else ():
        near.take(own)
    return near


def _sentences_of(cluster: Cluster) -> dict[int, list[list[str]]]:
    """The tokens of each article's sentences, by its id, in the order of the ids."""
    sentences: dict[int, list[list[str]]] = {}
    rows = (
        Sentence.objects.filter(article__cluster=cluster).order_by("article").values_list("article", "tokens")
    )
    for pk, tokens in rows.iterator():
        sentences.setdefault(pk, []).append(tokens.split(" "))
    return sentences
