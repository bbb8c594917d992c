"""Headlines matched within their clusters by a job (Wubben et al. 2009), into the candidate pairs.

The headline of an article is its first sentence, its context what follows: so an import of headlines with
snippets, and ordinary articles too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, groupby
from operator import itemgetter
from random import Random
from typing import Any

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Max, QuerySet
from django.utils.module_loading import import_string

from corpus.models import Cluster, Extraction, Sentence
from corpus.specs import ProjectHeadlineSpec
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.running import stop_check
from paragold.matching.headlines import (
    WITHIN_CLUSTER,
    HeadlineCosines,
    Terms,
    Weights,
    distinct_titles,
    headline_terms,
    weights_over,
)
from paragold.matching.specs import CONTEXT_CHARACTERS, HeadlineSpec
from paragold.text.stemming import Stemmer, stemmer_name
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project

from . import scored_pairs
from .clusters import articles_of_clusters, chunks_of_clusters, pairs_within, sentences_of_clusters
from .extraction import launch
from .matching import ROW_CAP
from .scored_pairs import Proposed, Sentences, propose, sentences_of

KIND = "match-headlines"
# Cosines are a square of the headlines of a cluster; k-means tries as many groups as there are headlines.
MAX_HEADLINES = {"pairwise": 3_000, "kmeans": 1_000}
CLUSTERS_A_CHUNK = 100
HEADLINES_A_CHUNK = 1_000
# The rates where nothing was matched here yet: slower than measured (docs/matching.md). k-means takes some
# multiple of the pairs of a cluster for each start.
SECONDS_A_HEADLINE = 1e-3
SECONDS_A_PAIR = 1e-6
SECONDS_A_START = 2e-7
# The expected number of groups is that of so many headlines, in clusters that take no time.
HEADLINES_SAMPLED, LARGEST_SAMPLED = 120, 100
# Sentences after the first that nearly always have the characters of a context.
CONTEXT_SENTENCES = 8
ROWS_AT_ONCE = 2_000


def launch_headline_matching(
    *,
    project: Project,
    by: User | None,
    spec: ProjectHeadlineSpec,
    name: str = "",
) -> Extraction:
    """Ask for headlines to be matched: an extraction whose findings keep the cosine of the headlines.

    Stems are those of the project's language, whatever the spec says. Without a threshold of PK1 the number
    of groups of k-means is tuned on sub-clusters that people have drawn, if there are any. Raises PublicError
    when there is no stemmer, nothing to compare, or a cluster too large for the method.
    """
    spec = spec.replace(language=language_of(project))
    spec, groups_by = with_number_of_groups(project, spec)
    sizes = articles_of_clusters(project, spec.clusters)
    maximum = MAX_HEADLINES[spec.method]
    for pk, headlines in sizes.items():
        if headlines > maximum:
            raise PublicError(
                "The cluster %(cluster)s has %(headlines)s headlines; this method takes %(maximum)s in "
                "a cluster. Choose another method, or other clusters.",
                field="method",
                cluster=Cluster.objects.get(pk=pk),
                headlines=grouped(headlines),
                maximum=grouped(maximum),
            )
    if not sizes:
        raise PublicError(
            "No cluster has two headlines to compare. Import a corpus first, or choose other clusters.",
            field="clusters",
        )
    last = sentences_of_clusters(project, spec.clusters).aggregate(last=Max("pk"))["last"]
    return launch(
        project=project,
        by=by,
        kind=KIND,
        verb="Match",
        name=name,
        preset=f"headlines-{spec.method}",
        parameters={
            "spec": spec.as_json(),
            "groups_by": groups_by,
            "units": "clusters",
            # What is imported later takes no part, so that all chunks weigh words alike.
            "last_sentence": last,
            **headline_cost(project=project, spec=spec).work,
        },
        signature=f"{spec.signature()}|{project.imports.text_signature()}",
        chunks=chunks_of_clusters(sizes.items(), work=HEADLINES_A_CHUNK, maximum=CLUSTERS_A_CHUNK),
    )


def with_number_of_groups(project: Project, spec: ProjectHeadlineSpec) -> tuple[ProjectHeadlineSpec, str]:
    """The spec, with the number of groups of k-means tuned if it is open, and how it is chosen, in words."""
    if spec.method != "kmeans":
        return spec, ""
    if spec.pk1 is not None:
        return spec, f"PK1 {spec.pk1:g}, delta {spec.delta}"
    tuning: Callable[[Project, ProjectHeadlineSpec], tuple[ProjectHeadlineSpec, str]]
    tuning = import_string(settings.SUB_CLUSTER_TUNING)
    return tuning(project, spec)


def expected_groups(project: Project, spec: ProjectHeadlineSpec) -> dict[str, Any] | None:
    """What k-means would make of the chosen clusters, by some of them; None where there is nothing to match.

    The number of `groups` of so many `headlines`, extrapolated from so many `clusters`, and in words how the
    number is `chosen`. Raises PublicError when there is no stemmer.
    """
    spec = spec.replace(method="kmeans", language=language_of(project))
    sizes = articles_of_clusters(project, spec.clusters)
    sizes = {pk: size for pk, size in sizes.items() if size <= LARGEST_SAMPLED}
    order = Random(spec.seed).sample(sorted(sizes), len(sizes))  # noqa: S311 - a sample, no secret
    held = accumulate(sizes[pk] for pk in order)
    sample = [pk for pk, total in zip(order, held, strict=True) if total <= HEADLINES_SAMPLED]
    if not sample:
        return None
    spec, chosen = with_number_of_groups(project, spec)
    rows = Sentence.objects.filter(article__cluster__in=sample)
    clusters = [terms for _, terms, _ in headlines_of(rows, Stemmer(spec.language))]
    weights = weights_over(clusters) if spec.weights == "file" else WITHIN_CLUSTER
    groups = sum(HeadlineCosines(terms, weights).number_of_groups(spec) for terms in clusters)
    share = sum(sizes.values()) / sum(sizes[pk] for pk in sample)
    headlines = round(share * sum(map(len, clusters)))
    expected = {"groups": round(groups * share), "headlines": headlines, "clusters": len(sample)}
    return expected | {"chosen": chosen}


def headline_cost(*, project: Project, spec: ProjectHeadlineSpec, **others: Any) -> LaunchCost:
    """The headlines and pairs that a matching compares, and the time that takes."""
    sizes = articles_of_clusters(project, spec.clusters).values()
    headlines, pairs = sum(sizes), pairs_within(sizes)
    started = spec.starts * sum(size**2 for size in sizes) if spec.method == "kmeans" else 0
    return launch_cost(
        KIND,
        f"{headlines:,} headlines, {pairs:,} pairs of headlines",
        headlines * SECONDS_A_HEADLINE + pairs * SECONDS_A_PAIR + started * SECONDS_A_START,
        how=spec.method,
        project=project,
    )


def language_of(project: Project) -> str:
    """The name of the stemmer of a project's language. Raises PublicError when there is none."""
    name = stemmer_name(project.language)
    if name is None:
        raise PublicError("There is no stemmer for the language %(language)s.", language=project.language)
    return name


def spec_of(job: Job) -> ProjectHeadlineSpec:
    return ProjectHeadlineSpec.from_json(job.parameters["spec"])


ClusterHeadlines = tuple[list[int], list[Terms], int]
"""The headlines of a cluster, by article: ids of first sentences and terms of those that repeat none, and how
many there are with those that repeat one."""


def headlines_of(rows: QuerySet[Sentence], stemmer: Stemmer) -> Iterator[ClusterHeadlines]:
    """The headlines among some sentences, cluster by cluster."""
    listed = (
        rows.filter(number__lte=CONTEXT_SENTENCES)
        .order_by("article__cluster_id", "article_id", "number")
        .values_list("article__cluster_id", "article_id", "pk", "text")
    )
    for _, of_cluster in groupby(listed.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter(0)):
        articles = [list(sentences) for _, sentences in groupby(of_cluster, key=itemgetter(1))]
        distinct = [articles[place] for place in distinct_titles(first[3] for first, *_ in articles)]
        terms = [
            headline_terms(first[3], context_of(row[3] for row in others), stemmer)
            for first, *others in distinct
        ]
        yield [first[2] for first, *_ in distinct], terms, len(articles)


def context_of(sentences: Iterable[str]) -> str:
    """The beginning of what follows a headline."""
    return " ".join(sentences)[:CONTEXT_CHARACTERS]


def compute(job: Job, chunk: JobChunk) -> Proposed:
    spec = spec_of(job)
    weights = _weights(job.pk, str(job.requested_at)) if spec.weights == "file" else WITHIN_CLUSTER
    sentences = Sentence.objects.filter(
        article__cluster__in=chunk.payload["clusters"], pk__lte=job.parameters["last_sentence"]
    )
    return scored_pairs.collected(job, _parts(job, sentences, spec, weights), ROW_CAP)


def _parts(job: Job, rows: QuerySet[Sentence], spec: HeadlineSpec, weights: Weights) -> Iterator[Proposed]:
    check = stop_check(job)
    sentences = sentences_of(rows.filter(number=0))
    for headlines in headlines_of(rows, Stemmer(spec.language)):
        yield _matched(headlines, sentences, spec, weights)
        check()


def _matched(
    headlines: ClusterHeadlines, sentences: Sentences, spec: HeadlineSpec, weights: Weights
) -> Proposed:
    pks, terms, count = headlines
    cosines = HeadlineCosines(terms, weights)
    links = np.array(cosines.links(spec), dtype=np.int64).reshape(-1, 2)
    places = np.searchsorted(sentences.rows["id"], pks)
    first, second = places[links[:, 0]], places[links[:, 1]]
    proposed = propose(sentences, first, second, cosines.titles[links[:, 0], links[:, 1]])
    kept = len(terms)
    proposed.counts["clusters"] = 1
    proposed.counts["sentences"] = count
    proposed.counts["repeated_headlines"] = count - kept
    proposed.counts["pairs_compared"] = kept * (kept - 1) // 2
    return proposed


@lru_cache(maxsize=1)
def _weights(job_id: int, requested_at: str) -> Weights:
    """IDF over all headlines that a job looks at. Chunks of one job follow each other in a worker."""
    job = Job.objects.select_related("project").get(pk=job_id)
    sentences = sentences_of_clusters(job.project, spec_of(job).clusters)
    rows = sentences.filter(pk__lte=job.parameters["last_sentence"])
    stemmer = Stemmer(spec_of(job).language)
    return weights_over([terms for _, terms, _ in headlines_of(rows, stemmer)])


RUNNER = Runner(compute=compute, store=scored_pairs.store, finish=scored_pairs.finish)
