"""Sentences matched by the words they share (Chung & Knight), within clusters or across a whole project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from django.contrib.auth.models import User
from django.utils.translation import gettext

from corpus.models import Article, Extraction, Sentence
from corpus.specs import ProjectMatchingSpec
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.ledger import ChunkPlan
from jobs.services.running import stop_check
from paragold.languages import language
from paragold.matching.expected_pairs import MAX_TEXTS, expected_pairs
from paragold.matching.similar_pairs import jaccard_of, matched, sets_of_tokens
from paragold.matching.specs import STOP_WORDS, MatchingSpec
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.services.server_choices import check_encoder

from . import scored_pairs
from .clusters import chunks_of_clusters, pairs_within, sentences_of_clusters, sizes_of_clusters
from .extraction import SECONDS_A_VECTOR, launch
from .scored_pairs import Proposed, Sentences, propose, sentences_of

OwnSpec = TypeVar("OwnSpec", bound=MatchingSpec)

KIND = "match"
SCOPES = {"clusters": "within clusters", "project": "across the whole project"}
# What a name says of a choice of clusters; all of them go without saying.
CHOSEN_CLUSTERS = {
    "held_out": ", held-out clusters only",
    "rest": ", clusters not held out",
    "with_imported": ", with imported pairs",
}
# Sentences of a block: they are compared with each other or with those of another block.
BLOCK = {"minhash": 50_000, "exact": 20_000, "bands": 200_000, "meaning": 20_000}
CLUSTERS_A_CHUNK = 100
SENTENCES_A_CHUNK = 20_000
ROW_CAP = 20_000_000
# The rates where nothing was matched here yet: slower than measured (docs/matching.md). MinHash and bands
# look at few pairs; MinHash puts every key of a sentence into a table.
SECONDS_A_SENTENCE = 1e-4
SECONDS_A_PAIR = 5e-8
SECONDS_A_KEY = 2e-6
# Vectors are slow, and an estimate takes seconds.
VECTORS_OF_A_SAMPLE = 400
MAX_SENTENCES = 200_000
ROWS_AT_ONCE = 5_000


def launch_matching(
    *,
    project: Project,
    by: User | None,
    spec: ProjectMatchingSpec,
    name: str = "",
    confirmed: bool = False,
) -> Extraction:
    """Ask for sentences to be matched: an extraction whose findings keep score and Jaccard.

    Raises PublicError when there is nothing to compare, and when more than ROW_CAP pairs are expected, unless
    `confirmed`. A corpus with fewer pairs of sentences than that is not estimated. One that is too large to
    be estimated is launched; its job stops at ROW_CAP.
    """
    spec = for_project(project, spec)
    if spec.scope == "clusters":
        sizes = sizes_of_clusters(project, spec.clusters).items()
        chunks = chunks_of_clusters(sizes, work=SENTENCES_A_CHUNK, maximum=CLUSTERS_A_CHUNK)
    else:
        chunks = _chunks_of_blocks(project, spec.clusters, BLOCK[spec.method])
    if not chunks:
        raise PublicError(
            "There are no two articles to compare. Import a corpus first, or choose other clusters.",
            field="clusters",
        )
    if not confirmed and pairs_within(_sizes(project, spec)) > ROW_CAP:
        expected, _ = estimate(project=project, spec=spec)
        if expected is not None and expected["pairs"] > ROW_CAP:
            raise PublicError(
                "About %(pairs)s pairs are expected (%(low)s to %(high)s), more than %(limit)s. Raise "
                "the threshold, or confirm that you want them.",
                field="confirmed",
                pairs=grouped(expected["pairs"]),
                low=grouped(expected["low"]),
                high=grouped(expected["high"]),
                limit=grouped(ROW_CAP),
            )
    return launch(
        project=project,
        by=by,
        kind=KIND,
        verb="Match",
        name=name.strip() or default_name(spec),
        preset=f"minhash-{spec.permutations}" if spec.method == "minhash" else spec.method,
        parameters={
            "spec": spec.as_json(),
            "units": "clusters" if spec.scope == "clusters" else "blocks of sentences",
            scored_pairs.ONE_PARTNER: spec.greedy,
            "confirmed": confirmed,
            **matching_cost(project=project, spec=spec).work,
        },
        signature=f"match|{spec.signature()}|{project.imports.text_signature()}",
        chunks=chunks,
    )


def matching_cost(*, project: Project, spec: ProjectMatchingSpec, **others: Any) -> LaunchCost:
    """The sentences and pairs that a matching compares, and the time that takes."""
    sizes = _sizes(project, spec)
    spec = spec.for_size(max(sizes, default=0))
    sentences, pairs = sum(sizes), pairs_within(sizes)
    keys = spec.permutations if spec.method == "minhash" else 0
    return launch_cost(
        KIND,
        f"{sentences:,} sentences, {pairs:,} pairs of sentences",
        sentences * (SECONDS_A_VECTOR if spec.method == "meaning" else SECONDS_A_SENTENCE)
        + sentences * keys * SECONDS_A_KEY
        + (pairs * SECONDS_A_PAIR if spec.method in ("exact", "meaning") else 0),
        how=f"{spec.method}, {spec.scope}",
        project=project,
    )


def for_project(project: Project, spec: ProjectMatchingSpec) -> ProjectMatchingSpec:
    """In the project's language, with the method for the largest group that is compared at once."""
    spec = in_language(project, spec)
    return spec.for_size(max(_sizes(project, spec), default=0))


def in_language(project: Project, spec: OwnSpec) -> OwnSpec:
    """In the project's language, with its stop words in place of those of English.

    Raises PublicError where the method needs an encoder that is not here, or a folder is named.
    """
    if spec.method == "meaning":
        check_encoder(spec, spec.encoder)
    own = language(project.language)
    stop_words = own.stop_words if spec.stop_words == STOP_WORDS else spec.stop_words
    return spec.replace(language=own.tag, stop_words=stop_words)


def _sizes(project: Project, spec: ProjectMatchingSpec) -> list[int]:
    """The sentences of each group within which a matching compares."""
    if spec.scope == "clusters":
        return list(sizes_of_clusters(project, spec.clusters).values())
    return [sentences_of_clusters(project, spec.clusters).count()]


def default_name(spec: ProjectMatchingSpec) -> str:
    """Such as "Exact Jaccard 0.33, within clusters, held-out clusters only"."""
    methods = {
        "exact": "Exact Jaccard",
        "bands": "Bands",
        "minhash": f"MinHash {spec.permutations},",
        "meaning": "Meaning",
    }
    clusters = CHOSEN_CLUSTERS.get(spec.clusters, "")
    return f"{methods[spec.method]} {spec.threshold:g}, {SCOPES[spec.scope]}{clusters}"


def _chunks_of_blocks(project: Project, clusters: str, size: int) -> list[ChunkPlan]:
    """Each block of sentences with itself and with every later one; blocks as [lowest id, highest id]."""
    rows = sentences_of_clusters(project, clusters)
    if rows.order_by().values("article").distinct()[:2].count() < 2:
        return []
    ids = np.fromiter(rows.order_by("pk").values_list("pk", flat=True).iterator(), np.int64)
    edges = np.linspace(0, ids.size, -(-ids.size // size) + 1).astype(int).tolist()
    blocks = [[int(ids[low]), int(ids[high - 1])] for low, high in pairwise(edges)]
    return [
        ChunkPlan(units=1, payload={"first": first, "second": second})
        for number, first in enumerate(blocks)
        for second in blocks[number:]
    ]


def spec_of(job: Job) -> ProjectMatchingSpec:
    return ProjectMatchingSpec.from_json(job.parameters["spec"])


def match_sentences(sentences: Sentences, spec: MatchingSpec, split: int = 0) -> Proposed:
    """The pairs at or above the threshold, measured; with `split`, of a sentence before it and another one.

    Whether a sentence gets one partner only is decided where all pairs are known, not here.
    """
    known: dict[str, str] = {}
    # One object for each word, however often it occurs.
    tokens = [[known.setdefault(word, word) for word in text.split(" ")] for text in sentences.texts]
    sets = sets_of_tokens(tokens, spec)
    pairs = matched(sets, spec.replace(greedy=False), split=split)
    return propose(sentences, pairs["first"], pairs["second"], pairs["score"], jaccard_of(sets, pairs))


def compute(job: Job, chunk: JobChunk) -> Proposed:
    spec = spec_of(job)
    payload: Mapping[str, Any] = chunk.payload
    parts = _clusters(job, spec, payload) if "clusters" in payload else _blocks(job, spec, payload)
    return scored_pairs.collected(job, parts, ROW_CAP)


def _clusters(job: Job, spec: MatchingSpec, payload: Mapping[str, Any]) -> Iterator[Proposed]:
    check = stop_check(job)
    sentences = sentences_of(Sentence.objects.filter(article__cluster__in=payload["clusters"]))
    clusters = sentences.rows["cluster"]
    by_cluster = np.argsort(clusters, kind="stable")
    edges = np.flatnonzero(np.diff(clusters[by_cluster])) + 1
    for chosen in np.split(by_cluster, edges):
        own = sentences.take(chosen.tolist())
        yield _counted(match_sentences(own.distinct(), spec), [own], clusters=1)
        check()


def _blocks(job: Job, spec: ProjectMatchingSpec, payload: Mapping[str, Any]) -> Iterator[Proposed]:
    check = stop_check(job)
    rows = sentences_of_clusters(job.project, spec.clusters)
    first, second = payload["first"], payload["second"]
    blocks = [sentences_of(rows.filter(pk__range=first))]
    if second != first:
        blocks.append(sentences_of(rows.filter(pk__range=second)))
    check()
    distinct = [block.distinct() for block in blocks]
    sentences, split = distinct[0], 0
    if len(distinct) > 1:
        split = len(sentences)
        sentences = sentences + distinct[1]
    proposed = match_sentences(sentences, spec, split)
    check()
    yield _counted(proposed, blocks)


def _counted(proposed: Proposed, blocks: Sequence[Sentences], clusters: int = 0) -> Proposed:
    """With the pairs of sentences that were compared, and the sentences where a block met itself."""
    first = len(blocks[0])
    compared = first * len(blocks[1]) if len(blocks) > 1 else first * (first - 1) // 2
    proposed.counts["pairs_compared"] = compared
    if len(blocks) == 1:
        proposed.counts["sentences"] = first
    if clusters:
        proposed.counts["clusters"] = clusters
    return proposed


def estimate(*, project: Project, spec: ProjectMatchingSpec) -> tuple[dict[str, Any] | None, str]:
    """Match a sample: what `expected_pairs` gives, or None and the reason why it is not estimated.

    The same sentences give the same numbers on every machine.

    Not estimated are projects of more than MAX_SENTENCES sentences: reading them takes too long for a page.
    """
    spec = for_project(project, spec)
    sentences = sentences_of_clusters(project, spec.clusters)
    count = sentences.count()
    if count > MAX_SENTENCES:
        reason = gettext(
            "Not estimated: %(count)s sentences are too many to read within seconds (limit %(limit)s)."
        ) % {"count": grouped(count), "limit": grouped(MAX_SENTENCES)}
        return None, reason
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
    most = VECTORS_OF_A_SAMPLE if spec.method == "meaning" else MAX_TEXTS
    of_article, of_place = (np.array(numbers, np.int64) for numbers in (articles, places))
    return expected_pairs(texts, of_article, of_place, spec, seed=1, max_texts=most), ""


RUNNER = Runner(compute=compute, store=scored_pairs.store, finish=scored_pairs.finish)
