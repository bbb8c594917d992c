"""Extraction of candidate pairs: asked for here, done in chunks of clusters by the workers."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q
from numpy.typing import NDArray

from corpus.models import Article, Dataset, Extraction, Sentence
from corpus.services import datasets, presets
from corpus.services.cached_counts import distances_of
from corpus.services.deletion_lock import keep_imports
from jobs.kinds import Runner
from jobs.models import Job, JobChunk, JobState
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.running import LeaseLost
from paragold.extraction.cluster import WHOLE, ClusterSearch, Part
from paragold.extraction.criteria import WITH_IMPORTED, Criteria
from paragold.extraction.kernels import NAMES, kernel_name
from paragold.extraction.records import ClusterSentences, ExtractionCounts
from paragold.extraction.registry import EXTRACTION_METHODS
from paragold.text import segmentation, tokenisation
from projects.errors import PublicError
from projects.models import Project

from .characteristics import characteristics
from .pair_storage import in_order, remove_repeated_pairs, rows_of, store_pairs

KIND = "extract"
# A chunk takes a worker a second or so: this many sentence comparisons, or this many clusters.
COMPARISONS_A_CHUNK = 2_000_000
# A part of a cluster takes more, because each part reads the whole cluster.
COMPARISONS_A_PART = 8_000_000
CLUSTERS_A_CHUNK = 200
# The rates where nothing was extracted here yet: several times slower than measured (docs/extraction.md).
SECONDS_A_SENTENCE = 1e-4
SECONDS_A_PAIR = 1e-6
ROWS_AT_ONCE = 2_000
# How often a chunk looks whether its job still runs.
LOOK_AFTER_SECONDS = 0.5


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


def free_name(project: Project, base: str) -> str:
    """`base`, or `base 2`, `base 3`, ... when an extraction or dataset has that name already."""
    taken = {
        *project.extractions.values_list("name", flat=True),
        *project.datasets.values_list("name", flat=True),
    }
    names = (base if n == 1 else f"{base} {n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


@transaction.atomic
def launch_extraction(
    *,
    project: Project,
    by: User | None,
    preset: str,
    settings: Mapping[str, object] | None = None,
    name: str = "",
    kernel: str = "",
) -> Extraction:
    """Ask for an extraction with a preset, some of its parameters replaced by `settings`.

    `preset` is one of the papers' or of the project's own; `kernel` a name, "" for the fastest that a worker
    has. Raises PublicError for an unknown preset, parameter or kernel, or when there is nothing to pair.
    """
    keep_imports(project)
    criteria = presets.criteria_from(project, preset, settings)
    sizes = sizes_of_clusters(project, criteria.clusters)
    chunks = list(plan_chunks(sizes.items()))
    if not chunks and criteria.clusters == "held_out":
        raise PublicError(
            "No held-out cluster has two articles, so there is nothing to pair. Clusters are held out when "
            "they are imported, by the project's share of them; or set clusters to all."
        )
    if not chunks:
        raise PublicError("No cluster has two articles, so there is nothing to pair. Import a corpus first.")
    signature = f"{criteria.signature()}|{tokenisation.SIGNATURE}|{segmentation.SIGNATURE}"
    name = free_name(project, name.strip() or preset)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Extract {name}",
        parameters={
            "preset": preset,
            "criteria": criteria.settings(),
            "kernel": checked_kernel(kernel),
            **_cost(project, criteria, sizes).work,
        },
        signature=signature,
        chunks=chunks,
    )
    extraction = Extraction.objects.create(
        project=project, job=job, name=name, preset=preset, criteria=criteria.settings(), signature=signature
    )
    ledger.hand_over(job)
    return extraction


def extraction_cost(project: Project, criteria: Criteria) -> LaunchCost:
    """The sentences and pairs that an extraction with these criteria looks at, and the time that takes."""
    return _cost(project, criteria, sizes_of_clusters(project, criteria.clusters))


def _cost(project: Project, criteria: Criteria, sizes: Mapping[int, int]) -> LaunchCost:
    compared: Collection[int] = sizes.values()
    if EXTRACTION_METHODS.get(criteria.method).first_sentences == "only" and criteria.first_n:
        articles = articles_of_clusters(project, criteria.clusters)
        compared = [min(size, criteria.first_n * articles[pk]) for pk, size in sizes.items()]
    sentences, pairs = sum(sizes.values()), pairs_within(compared)
    return launch_cost(
        KIND,
        f"{sentences:,} sentences, up to {pairs:,} pairs of sentences",
        sentences * SECONDS_A_SENTENCE + pairs * SECONDS_A_PAIR,
        how=criteria.method,
    )


def pairs_within(sizes: Collection[int]) -> int:
    """The pairs within groups of these sizes."""
    return sum(size * (size - 1) // 2 for size in sizes)


def plan_chunks(clusters: Any) -> Iterator[ledger.ChunkPlan]:
    """Cut (cluster id, sentences) rows, in order, into chunks of about equal work.

    A cluster too large for one chunk gets several, each a part of it. It counts as done with the last.
    """
    chunk: list[int] = []
    work = 0
    for pk, sentences in clusters:
        parts = -(-sentences * sentences // COMPARISONS_A_PART)
        if parts > 1:
            for number in range(parts):
                payload = {"clusters": [pk], "part": [number, parts]}
                yield ledger.ChunkPlan(units=int(number == parts - 1), payload=payload)
            continue
        chunk.append(pk)
        work += sentences * sentences
        if work >= COMPARISONS_A_CHUNK or len(chunk) >= CLUSTERS_A_CHUNK:
            yield ledger.ChunkPlan(units=len(chunk), payload={"clusters": chunk})
            chunk, work = [], 0
    if chunk:
        yield ledger.ChunkPlan(units=len(chunk), payload={"clusters": chunk})


def criteria_of(job: Job) -> Criteria:
    """What was asked for, whatever has become of the preset since."""
    return Criteria(**job.parameters["criteria"])


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


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """The collector of cycles rests: extraction makes none, but so many objects that it would often look."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@garbage_collection_paused()
def compute(job: Job, chunk: JobChunk) -> tuple[NDArray[np.void], ExtractionCounts]:
    criteria = criteria_of(job)
    part = Part(*chunk.payload.get("part", WHOLE))
    counts = ExtractionCounts()
    blocks = []
    looked_at = monotonic()
    for cluster_id, sentences in load_clusters(chunk.payload["clusters"]):
        search = ClusterSearch(sentences, criteria, part, kernel=job.parameters.get("kernel") or None)
        for block in search.blocks():
            blocks.append(rows_of(cluster_id, sentences, block))
            if monotonic() - looked_at > LOOK_AFTER_SECONDS:
                looked_at = monotonic()
                if not Job.objects.filter(pk=job.pk, state=JobState.RUNNING).exists():
                    raise LeaseLost
        counts += search.counts
    return in_order(blocks), counts


def store(job: Job, result: tuple[NDArray[np.void], ExtractionCounts]) -> dict[str, int]:
    rows, counts = result
    store_pairs(job.extraction, rows)
    numbers = asdict(counts)
    numbers["milliseconds"] = round(1000 * numbers.pop("seconds"))
    if EXTRACTION_METHODS.get(job.parameters["criteria"]["method"]).limits_distance:
        used = kernel_name(job.parameters.get("kernel") or None)
        numbers |= {f"chunks_{name}": int(name == used) for name in NAMES}
    return numbers


def finish(job: Job) -> None:
    """Leave each two texts once in the whole run, at their first place, then freeze the dataset."""
    repeated = remove_repeated_pairs(job.extraction)
    counts = dict(job.counts)
    counts["pairs_kept"] = counts.get("pairs_kept", 0) - repeated
    counts["rejected_seen_before"] = counts.get("rejected_seen_before", 0) + repeated
    job.counts = counts
    job.save(update_fields=["counts"])
    freeze_result(job)


def freeze_result(job: Job) -> None:
    """Freeze what a job's extraction found, where it found any; `pairs_kept` is counted already."""
    counts = job.counts
    if counts["pairs_kept"]:
        taken = job.project.datasets.filter(name=job.extraction.name).exists()
        name = free_name(job.project, job.extraction.name) if taken else job.extraction.name
        dataset = datasets.freeze_dataset(
            project=job.project, name=name, extractions=[job.extraction], size=counts["pairs_kept"]
        )
        transaction.on_commit(lambda: cache_counts(job.extraction, dataset), robust=True)


def cache_counts(extraction: Extraction, dataset: Dataset) -> None:
    """What pages show of millions of pairs, computed by the worker before somebody waits for it."""
    characteristics(dataset)
    for found in (extraction, dataset):
        distances_of(found)


RUNNER = Runner(compute=compute, store=store, finish=finish)


def checked_kernel(name: str) -> str:
    """`name`, "" for the fastest. Raises PublicError when this installation has no such kernel.

    The package is looked for, not loaded: only workers need it.
    """
    if name and name not in NAMES:
        raise PublicError(f"{name}: no such kernel. There are: {', '.join(NAMES)}.", field="kernel")
    if name == "numba" and find_spec("numba") is None:
        raise PublicError(
            "The kernel numba needs the package numba, which is not installed here. Install it, or use "
            "rapidfuzz: it finds the same pairs in more time.",
            field="kernel",
        )
    return name
