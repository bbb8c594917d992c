"""Datasets of candidate pairs as files, judged or not: a job that streams them, a million and more.

Workers write the pairs between two ids as parts of files, beside each other. The last chunk, which is added
when all parts are there, puts them together in one archive.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from annotation.formats.manifest import Manifest
from corpus.errors import PublicError
from corpus.models import ChunkState, Dataset, Job, JobChunk
from corpus.services import dispatch, jobs
from corpus.services.running import RUNNERS, Runner, reporting
from corpus.writers.files import FORMATS
from corpus.writers.rows import Splits, splits_from

from .dataset_parts import Wanted, pack_parts, write_part
from .export_store import CHUNK_SECONDS, fresh_folder, keep_export, made_already, parts_folder, signature_of

KIND = "export-dataset"
VERSION = 2
PAIRS_A_PART = 200_000


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

    A job with equal inputs that is under way, or whose export is there, is given back instead of a new one.
    Raises PublicError for an unknown format, or none.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        raise PublicError(f"Choose among the formats {', '.join(FORMATS)}.", field="formats")
    parameters = {
        "units": "pairs",
        "dataset": dataset.pk,
        "formats": [name for name in FORMATS if name in formats],
        "splits": asdict(splits) if splits else None,
        "licence": licence,
        "limits": limits,
    }
    signature = signature_of(KIND, VERSION, parameters | _told_of(dataset))
    job = made_already(dataset.project, signature)
    if job is None:
        job = jobs.request_job(
            project=dataset.project,
            by=by,
            kind=KIND,
            title=f"Export {dataset.name}"[:200],
            parameters=parameters | {"chunk_seconds": CHUNK_SECONDS},
            signature=signature,
            chunks=_plans(dataset),
        )
        dispatch.hand_over(job)
    return job


def _told_of(dataset: Dataset) -> dict[str, Any]:
    """What data card and manifest tell that may be changed."""
    return {
        "program": settings.VERSION,
        "project": [dataset.project.name, dataset.project.language],
        "name": dataset.name,
        "signature": dataset.signature,
        "extractions": list(dataset.extractions.order_by("pk").values_list("name", flat=True)),
    }


def _plans(dataset: Dataset) -> list[jobs.ChunkPlan]:
    """Parts of about equally many pairs; their ids mostly follow each other."""
    ids = dataset.pair_ids()
    number = max(1, -(-dataset.size // PAIRS_A_PART))
    bounds = [ids.start + len(ids) * part // number for part in range(number + 1)]
    pairs = [dataset.size * part // number for part in range(number + 1)]
    return [
        jobs.ChunkPlan(pairs[part + 1] - pairs[part], {"ids": [bounds[part], bounds[part + 1]]})
        for part in range(number)
    ]


@dataclass(frozen=True, slots=True)
class Part:
    """A part that waits to be put with the others."""

    number: int
    folder: Path
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive that waits to be kept, with its manifest."""

    archive: Path
    manifest: Manifest


def _compute(job: Job, chunk: JobChunk) -> Part | Packed:
    dataset = Dataset.objects.select_related("project").get(pk=job.parameters["dataset"])
    asked = job.parameters
    wanted = Wanted(asked["formats"], splits_from(asked["splits"]), asked["licence"], asked["limits"])
    report = reporting(chunk)

    def tell(units: int = 0) -> None:
        report(units)

    with fresh_folder(job.project, f"{job.pk}-{chunk.number}") as folder:
        if "ids" in chunk.payload:
            ids, first = range(*chunk.payload["ids"]), chunk.number == 0
            counted = write_part(dataset, ids, folder, wanted, first=first, tell=tell)
            return Part(chunk.number, folder, counted.counts)
        parts = [parts_folder(job) / str(number) for number in range(chunk.number)]
        archive = folder / "export.zip"
        return Packed(archive, pack_parts(dataset, parts, archive, wanted, tell))


def _store(job: Job, made: Part | Packed) -> dict[str, int]:
    if isinstance(made, Packed):
        dataset = Dataset.objects.get(pk=job.parameters["dataset"])
        name = f"{dataset.name} (pairs)"
        keep_export(job=job, archive=made.archive, name=name, manifest=made.manifest)
        return {}
    # The last of the parts is known only when no other one is being stored.
    jobs.lock(job)
    target = parts_folder(job) / str(made.number)
    if target.exists():  # By a worker whose lease was lost after that.
        shutil.rmtree(made.folder)
    else:
        target.parent.mkdir(exist_ok=True)
        made.folder.replace(target)
    if not job.chunks.exclude(number=made.number).exclude(state=ChunkState.DONE).exists():
        jobs.add_chunks(job=job, chunks=[jobs.ChunkPlan(units=0, payload={})])
    return made.counts


RUNNERS[KIND] = Runner(compute=_compute, store=_store, finish=lambda job: None)
