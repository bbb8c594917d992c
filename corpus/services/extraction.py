"""Extraction of candidate pairs: asked for here, done in chunks of clusters by the workers."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from numpy.typing import NDArray

from corpus.models import CorpusImport, Dataset, Extraction
from corpus.services import datasets, presets
from corpus.services.characteristics import distances_of
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import locked_against_deletion
from jobs.services.running import stop_check
from paragold.extraction.cluster import WHOLE, ClusterSearch
from paragold.extraction.criteria import EXTRACTION_METHODS, Criteria
from paragold.extraction.records import new_counts
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import first_free

from .characteristics import characteristics
from .clusters import articles_of_clusters, chunks_of_clusters, load_clusters, pairs_within, sizes_of_clusters
from .dry_run import check_row_cap, nothing_to_pair
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
# Of the method that needs an encoder, a core.
SECONDS_A_VECTOR = 1e-2


def free_name(project: Project, base: str) -> str:
    """`base`, or `base 2`, `base 3`, ... when an extraction or dataset has that name already."""
    extractions, datasets = (
        kind.values_list("name", flat=True) for kind in (project.extractions, project.datasets)
    )
    return first_free(base, {*extractions, *datasets})


def keep_imports(project: Project) -> None:
    """As `keep` of removal, for all imports of a project: an extraction is over all articles that are there.

    Raises PublicError while one is being deleted.
    """
    rows = CorpusImport.everything.filter(project=project).order_by("pk")
    for filename, deleted_at in locked_against_deletion(rows.values_list("filename", "deleted_at")):
        if deleted_at is not None:
            raise PublicError(
                "The import %(filename)s is being deleted. Try again afterwards.", filename=filename
            )


@transaction.atomic
def launch(
    *,
    project: Project,
    by: User | None,
    kind: str,
    verb: str,
    name: str,
    preset: str,
    parameters: Mapping[str, Any],
    signature: str,
    chunks: list[ledger.ChunkPlan],
    criteria: Mapping[str, Any] | None = None,
) -> Extraction:
    """Write an extraction and its job of that kind, called "<verb> <name>", and hand the job over.

    preset: or the method that scores the pairs, up to 40 characters; the name where none is given. Of the
    parameters, "units" names what chunks count where that is not clusters.
    """
    keep_imports(project)
    name = free_name(project, name.strip() or preset)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=kind,
        title=f"{verb} {name}",
        parameters=dict(parameters),
        signature=signature,
        chunks=chunks,
    )
    extraction = Extraction.objects.create(
        project=project,
        job=job,
        name=name,
        preset=preset,
        criteria=criteria or {},
        signature=signature,
    )
    ledger.hand_over(job)
    return extraction


def launch_extraction(
    *,
    project: Project,
    by: User | None,
    preset: str,
    settings: Mapping[str, object] | None = None,
    name: str = "",
    confirmed: bool = False,
) -> Extraction:
    """Ask for an extraction with a preset, some of its parameters replaced by `settings`.

    `preset` is one of the papers' or of the project's own. Raises PublicError for an unknown preset or
    parameter, when there is nothing to pair, and when a dry run projects more than ROW_CAP pairs, unless
    `confirmed`.
    """
    criteria = presets.criteria_from(project, preset, settings)
    presets.check_method(criteria)
    sizes = sizes_of_clusters(project, criteria.clusters, criteria.min_articles)
    chunks = plan_chunks(sizes)
    if not chunks:
        raise PublicError(nothing_to_pair(criteria))
    if not confirmed:
        check_row_cap(project, criteria, sizes)
    return launch(
        project=project,
        by=by,
        kind=KIND,
        verb="Extract",
        name=name,
        preset=preset,
        criteria=criteria.as_json(),
        parameters={
            "preset": preset,
            "criteria": criteria.as_json(),
            **_cost(project, criteria, sizes).work,
        },
        signature=f"{criteria.signature()}|{project.imports.text_signature()}",
        chunks=chunks,
    )


def extraction_cost(project: Project, criteria: Criteria) -> LaunchCost:
    """The sentences and pairs that an extraction with these criteria looks at, and the time that takes."""
    return _cost(project, criteria, sizes_of_clusters(project, criteria.clusters, criteria.min_articles))


def _cost(project: Project, criteria: Criteria, sizes: Mapping[int, int]) -> LaunchCost:
    compared: Collection[int] = sizes.values()
    if EXTRACTION_METHODS.get(criteria.method).first_sentences == "only" and criteria.first_n:
        articles = articles_of_clusters(project, criteria.clusters, criteria.min_articles)
        compared = [min(size, criteria.first_n * articles[pk]) for pk, size in sizes.items()]
    sentences, pairs = sum(sizes.values()), pairs_within(compared)
    by_meaning = EXTRACTION_METHODS.get(criteria.method).by_meaning
    return launch_cost(
        KIND,
        f"{sentences:,} sentences, up to {pairs:,} pairs of sentences",
        sentences * (SECONDS_A_VECTOR if by_meaning else SECONDS_A_SENTENCE) + pairs * SECONDS_A_PAIR,
        how=criteria.method,
        project=project,
    )


def plan_chunks(sizes: Mapping[int, int]) -> list[ledger.ChunkPlan]:
    """Cut clusters (id -> sentences) into chunks of about equal work.

    A cluster too large for one chunk gets several, each a part of it. It counts as done with the last.
    """
    parts = {pk: -(-size * size // COMPARISONS_A_PART) for pk, size in sizes.items()}
    large = [
        ledger.ChunkPlan(units=int(number == count - 1), payload={"clusters": [pk], "part": [number, count]})
        for pk, count in parts.items()
        if count > 1
        for number in range(count)
    ]
    others = ((pk, size * size) for pk, size in sizes.items() if parts[pk] <= 1)
    return large + chunks_of_clusters(others, work=COMPARISONS_A_CHUNK, maximum=CLUSTERS_A_CHUNK)


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
def compute(job: Job, chunk: JobChunk) -> tuple[NDArray[np.void], Counter[str]]:
    # What was asked for, whatever has become of the preset since.
    criteria = Criteria(**job.parameters["criteria"])
    number, parts = chunk.payload.get("part", WHOLE)
    counts, seconds = new_counts(), 0.0
    blocks = []
    check = stop_check(job)
    for cluster_id, sentences in load_clusters(chunk.payload["clusters"]):
        search = ClusterSearch(sentences, criteria, (number, parts))
        for block in search.blocks():
            blocks.append(rows_of(cluster_id, sentences, block))
            check()
        counts.update(search.counts)
        seconds += search.seconds
    counts["milliseconds"] = round(1000 * seconds)
    return in_order(blocks), counts


def store(job: Job, result: tuple[NDArray[np.void], Counter[str]]) -> dict[str, int]:
    rows, counts = result
    store_pairs(job.extraction, rows)
    return dict(counts)


def finish(job: Job) -> None:
    """Leave each two texts once in the whole run, at their first place, then freeze the dataset."""
    take_back(job, "rejected_seen_before", remove_repeated_pairs(job.extraction))
    freeze_result(job)


def take_back(job: Job, reason: str, pairs: int) -> None:
    """Count pairs as rejected that were counted as kept; the job is not saved."""
    job.counts["pairs_kept"] = job.counts.get("pairs_kept", 0) - pairs
    job.counts[reason] = job.counts.get(reason, 0) + pairs


def freeze_result(job: Job) -> None:
    """Save a job's counts, and freeze what its extraction found, where it found any."""
    job.save(update_fields=["counts"])
    kept = job.counts["pairs_kept"]
    if kept:
        taken = job.project.datasets.filter(name=job.extraction.name).exists()
        name = free_name(job.project, job.extraction.name) if taken else job.extraction.name
        dataset = datasets.freeze_dataset(
            project=job.project, name=name, extractions=[job.extraction], size=kept
        )
        transaction.on_commit(lambda: cache_counts(job.extraction, dataset), robust=True)


def cache_counts(extraction: Extraction, dataset: Dataset) -> None:
    """Cache the figures of pages over millions of pairs, in the worker."""
    characteristics(dataset)
    for counted in (extraction, dataset):
        distances_of(counted)


RUNNER = Runner(compute=compute, store=store, finish=finish)
