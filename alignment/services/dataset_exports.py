"""Datasets of candidate pairs as files, judged or not: a job that streams them, a million and more."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, time
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import Export
from annotation.formats import manifest
from corpus.errors import PublicError
from corpus.models import Dataset, Job, JobChunk, Project
from corpus.services import dispatch, jobs
from corpus.services.running import RUNNERS, LeaseLost, Runner
from corpus.writers.archive import write_archive
from corpus.writers.card import data_card
from corpus.writers.files import FORMATS, PairFiles, described, sha256_of
from corpus.writers.rows import SPLITS, PairRow, Splits, splits_from

from .export_cards import dataset_card
from .exporting import export_path

KIND = "export-dataset"
ROWS_AT_ONCE = 5_000
TELL_AFTER_SECONDS = 0.5
MAKING = "making-"
# Pairs whose two clusters fall into different splits.
BETWEEN = "between"
Row = tuple[PairRow, str]
"""A pair, and the key of the cluster of its second sentence, which is mostly that of the first."""
LEFTOVER_SECONDS = 24 * 3600

_FIELDS = (
    *("cluster__key", "sentence_a__article__key", "sentence_a__number"),
    *("sentence_b__article__cluster__key", "sentence_b__article__key", "sentence_b__number"),
    *("edit_distance", "length_a", "length_b", "shared_words"),
    *("sentence_a__text", "sentence_b__text", "sentence_a__tokens", "sentence_b__tokens"),
)


@transaction.atomic
def export_dataset(
    *,
    dataset: Dataset,
    by: User | None,
    formats: Sequence[str] = tuple(FORMATS),
    splits: Splits | None = None,
    licence: str = "",
    limits: str = "",
) -> Job:
    """Ask for a dataset to be written out; the end of the job makes the `Export`.

    Raises PublicError for an unknown format, or none.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        raise PublicError(f"Choose among the formats {', '.join(FORMATS)}.", field="formats")
    job = jobs.request_job(
        project=dataset.project,
        by=by,
        kind=KIND,
        title=f"Export {dataset.name}"[:200],
        parameters={
            "units": "pairs",
            "dataset": dataset.pk,
            "formats": [name for name in FORMATS if name in formats],
            "splits": asdict(splits) if splits else None,
            "licence": licence,
            "limits": limits,
        },
        signature=dataset.signature[:500],
        chunks=[jobs.ChunkPlan(units=dataset.size, payload={})],
    )
    dispatch.hand_over(job)
    return job


@dataclass(frozen=True, slots=True)
class Written:
    """An archive that waits to be kept, with its manifest."""

    path: Path
    sha256: str
    manifest: dict[str, Any]


def _compute(job: Job, chunk: JobChunk) -> Written:
    dataset = Dataset.objects.select_related("project").get(pk=job.parameters["dataset"])
    splits = splits_from(job.parameters["splits"])
    formats: list[str] = job.parameters["formats"]
    making = Path(settings.EXPORTS_DIR) / dataset.project.slug / f"{MAKING}{job.pk}-{uuid4().hex}"
    _sweep(making.parent)
    folder = making / "files"
    folder.mkdir(parents=True)
    try:
        counted, between = _write_pairs(dataset, folder, formats, splits, chunk)
        card = dataset_card(
            dataset,
            formats=formats,
            counted=counted,
            written=[path.name for path in sorted(folder.iterdir())],
            licence=job.parameters["licence"],
            limits=job.parameters["limits"],
        )
        (folder / "README.md").write_text(data_card(card), encoding="utf-8", newline="\n")
        description = {
            "manifest_version": manifest.VERSION,
            "files": described(folder),
            "counts": {
                "pairs": sum(pairs for _, _, pairs in counted),
                **({"pairs_between_splits": between} if between else {}),
            },
            "signatures": {"dataset": dataset.signature},
            "details": {
                "dataset": dataset.name,
                "splits": job.parameters["splits"],
                "licence": job.parameters["licence"],
            },
        }
        (folder / "manifest.json").write_text(manifest.dumps(description), encoding="utf-8", newline="\n")
        path = making.with_suffix(".zip")
        write_archive(folder, path)
    finally:
        shutil.rmtree(making)
    return Written(path, sha256_of(path), description)


def _sweep(folder: Path) -> None:
    """Remove what workers that died a day ago or more have left."""
    for path in folder.glob(f"{MAKING}*"):
        if path.stat().st_mtime < time() - LEFTOVER_SECONDS:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _write_pairs(
    dataset: Dataset, folder: Path, formats: list[str], splits: Splits | None, chunk: JobChunk
) -> tuple[list[tuple[str, int, int]], int]:
    """Write all files; returns (split, clusters, pairs), with the split "pairs" where there are none.

    And how many pairs were left out because their two clusters fall into different splits.
    """
    names = SPLITS if splits else ("pairs",)
    clusters: dict[str, set[str]] = {name: set() for name in names}
    done, told_at, between = 0, monotonic(), 0
    with ExitStack() as stack:
        files = {name: stack.enter_context(PairFiles(folder, name, formats)) for name in names}
        for rows in _batches(dataset):
            parts = _parted(rows, splits)
            between += len(parts.pop(BETWEEN, ()))
            for name, part in parts.items():
                files[name].add([row for row, _ in part])
                clusters[name].update(cluster for row, other in part for cluster in (row.cluster, other))
            done += len(rows)
            if monotonic() - told_at > TELL_AFTER_SECONDS:
                told_at = monotonic()
                if not jobs.report_progress(chunk=chunk, units=done):
                    raise LeaseLost
        return [(name, len(clusters[name]), files[name].rows) for name in names], between


def _parted(rows: list[Row], splits: Splits | None) -> dict[str, list[Row]]:
    """The rows by the file that they belong to, or BETWEEN; each cluster is looked up once."""
    if splits is None:
        return {"pairs": rows}
    clusters = {cluster for row, other in rows for cluster in (row.cluster, other)}
    split_of = {cluster: splits.of(cluster) for cluster in clusters}
    parts: dict[str, list[Row]] = {}
    for row, other in rows:
        name = split_of[row.cluster]
        parts.setdefault(name if name == split_of[other] else BETWEEN, []).append((row, other))
    return parts


def _batches(dataset: Dataset) -> Iterator[list[Row]]:
    found = dataset.pairs().order_by("pk").values_list(*_FIELDS)
    batch: list[Row] = []
    for row in found.iterator(chunk_size=ROWS_AT_ONCE):
        (
            cluster,
            article_a,
            number_a,
            other,
            article_b,
            number_b,
            distance,
            length_a,
            length_b,
            shared,
            *texts,
        ) = row
        key = f"{cluster}/{article_a}#{number_a}|{other}/{article_b}#{number_b}"
        article_b = article_b if other == cluster else f"{other}/{article_b}"
        numbers = (number_a, article_b, number_b, distance, length_a, length_b, shared)
        batch.append((PairRow(key, cluster, article_a, *numbers, *texts), other))
        if len(batch) == ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _keep(job: Job, written: Written) -> dict[str, int]:
    """The same content gives the export that exists; the job's parameters name it."""
    project: Project = job.project
    target = export_path(project, written.sha256)
    written.path.replace(target)
    export, _ = Export.objects.get_or_create(
        project=project,
        sha256=written.sha256,
        defaults={
            "name": f"{written.manifest['details']['dataset']} (pairs)"[:120],
            "filename": f"{project.slug}-{written.sha256[:8]}.zip",
            "bytes": target.stat().st_size,
            "manifest": written.manifest,
            "created_by": job.requested_by,
        },
    )
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters | {"export": export.pk})
    counts: dict[str, int] = written.manifest["counts"]
    return counts


RUNNERS[KIND] = Runner(compute=_compute, store=_keep, finish=lambda job: None)
