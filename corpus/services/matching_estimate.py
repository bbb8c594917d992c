"""How many pairs a matching would find, from a random sample of fixed size, nothing stored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import User

from corpus.models import Article, Extraction
from corpus.specs import ProjectMatchingSpec
from paragold.matching.expected_pairs import ExpectedPairs, expected_pairs
from projects.errors import PublicError
from projects.models import Project

from .cluster_sizes import sizes_of_clusters
from .matching import ROW_CAP, launch_matching, sentences_of_clusters

MAX_SENTENCES = 200_000
ROWS_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """sentences: how many would be matched; expected is None where `reason` says why it is not estimated."""

    sentences: int
    expected: ExpectedPairs | None
    reason: str = ""


def estimate(
    *,
    project: Project,
    spec: ProjectMatchingSpec,
    seed: int = 1,
) -> Estimate:
    """Match a sample drawn by `seed`. The same sentences and seed give the same numbers on every machine.

    Not estimated are projects of more than MAX_SENTENCES sentences: reading them takes too long for a page.
    """
    sentences = sentences_of_clusters(project, spec.clusters)
    count = sentences.count()
    if count > MAX_SENTENCES:
        reason = (
            f"Not estimated: {count:,} sentences are too many to read within seconds "
            f"(limit {MAX_SENTENCES:,})."
        )
        return Estimate(count, None, reason)
    of_articles = {
        pk: (cluster, int(held_out))
        for pk, cluster, held_out in Article.objects.filter(cluster__project=project).values_list(
            "pk", "cluster", "cluster__held_out"
        )
    }
    texts, articles, places = [], [], []
    rows = sentences.order_by("pk").values_list("article_id", "tokens")
    for article, tokens in rows.iterator(chunk_size=ROWS_AT_ONCE):
        cluster, side = of_articles[article]
        texts.append(tokens.lower())
        articles.append(article)
        places.append(side if spec.scope == "project" else cluster)
    expected = expected_pairs(
        texts, np.array(articles, np.int64), np.array(places, np.int64), spec, seed=seed
    )
    return Estimate(count, expected)


def launch_within_cap(
    *,
    project: Project,
    by: User | None,
    spec: ProjectMatchingSpec,
    name: str = "",
    confirmed: bool = False,
) -> Extraction:
    """`launch_matching`, refused when more than ROW_CAP pairs are expected, unless `confirmed`.

    A corpus with fewer pairs of sentences than that is not estimated. One that is too large to be estimated
    is launched; its job stops at ROW_CAP.
    """
    if not confirmed and _possible(project, spec) > ROW_CAP:
        expected = estimate(project=project, spec=spec).expected
        if expected is not None and expected.pairs > ROW_CAP:
            raise PublicError(
                f"About {expected.pairs:,} pairs are expected ({expected.low:,} to {expected.high:,}), more "
                f"than {ROW_CAP:,}. Give a higher threshold, or confirm that you want them.",
                field="confirmed",
            )
    return launch_matching(project=project, by=by, spec=spec, name=name, confirmed=confirmed)


def _possible(project: Project, spec: ProjectMatchingSpec) -> int:
    if spec.scope == "clusters":
        return sum(size**2 for size in sizes_of_clusters(project, spec.clusters).values()) // 2
    return sentences_of_clusters(project, spec.clusters).count() ** 2 // 2
