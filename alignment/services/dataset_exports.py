"""Datasets of candidate pairs as files, judged or not: a job that streams them, a million and more.

With splits, the first chunk deals the pairs out. Workers then write the pairs between two ids as parts of
files, beside each other. The last chunk, which is added when all parts are there, puts them together in one
archive.
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

from corpus.models import Dataset
from jobs.kinds import Runner
from jobs.models import ChunkState, Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import keep
from jobs.services.running import reporting
from paragold.formats.manifest import Manifest
from paragold.formats.pairs.files import PAIR_FORMATS
from paragold.formats.pairs.splits import Division, Splits, splits_from
from projects.errors import PublicError

from .dataset_parts import GONE, Wanted, divide_dataset, pack_parts, read_division, write_division, write_part
from .export_store import CHUNK_SECONDS, fresh_folder, keep_export, made_already, parts_folder, signature_of

KIND = "export-dataset"
VERSION = 4
PAIRS_A_PART = 200_000
DIVISION = "division"


@transaction.atomic
def export_dataset(
    *,
    dataset: Dataset,
    by: User | None,
    formats: Sequence[str] | None = None,
    splits: Splits | None = None,
    licence: str = "",
    limits: str = "",
) -> Job:
    """Ask for a dataset to be written out; the end of the job makes the `Export`.

    `formats` are ids of PAIR_FORMATS, by default all. A job with equal inputs that is under way, or whose
    export is there, is given back instead of a new one. Raises PublicError for an unknown format, or none.
    """
    keep(dataset)
    known = PAIR_FORMATS.ids()
    if formats is None:
        formats = known
    if not formats or not set(formats) <= set(known):
        raise PublicError(f"Choose among the formats {', '.join(known)}.", field="formats")
    parameters = {
        "units": "pairs",
        "dataset": dataset.pk,
        "formats": [name for name in known if name in formats],
        "splits": asdict(splits) if splits else None,
        "licence": licence,
        "limits": limits,
    }
    signature = signature_of(KIND, VERSION, parameters | _stated(dataset))
    job = made_already(dataset.project, signature)
    if job is None:
        job = ledger.request_job(
            project=dataset.project,
            by=by,
            kind=KIND,
            title=f"Export {dataset.name}"[:200],
            parameters=parameters | {"chunk_seconds": CHUNK_SECONDS},
            signature=signature,
            chunks=[ledger.ChunkPlan(0, {"divide": True})] if splits else _plans(dataset),
            total=dataset.size,
            short=dataset.size <= ledger.SHORT_PAIRS,
        )
        ledger.hand_over(job)
    return job


def _stated(dataset: Dataset) -> dict[str, Any]:
    """What data card and manifest state that may be changed."""
    return {
        "program": settings.VERSION,
        "project": [dataset.project.name, dataset.project.language],
        "name": dataset.name,
        "signature": dataset.signature,
        "extractions": list(dataset.extractions.order_by("pk").values_list("name", flat=True)),
    }


def _plans(dataset: Dataset) -> list[ledger.ChunkPlan]:
    """Parts of about equally many pairs; their ids mostly follow each other."""
    ids = dataset.pair_ids()
    number = max(1, -(-dataset.size // PAIRS_A_PART))
    bounds = [ids.start + len(ids) * part // number for part in range(number + 1)]
    pairs = [dataset.size * part // number for part in range(number + 1)]
    return [
        ledger.ChunkPlan(pairs[part + 1] - pairs[part], {"ids": [bounds[part], bounds[part + 1]]})
        for part in range(number)
    ]


@dataclass(frozen=True, slots=True)
class Part:
    """A part that waits to be put with the others."""

    number: int
    folder: Path
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Divided:
    """A folder with a division that waits to be put where the parts will be."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive that waits to be kept, with its manifest."""

    archive: Path
    manifest: Manifest


def _compute(job: Job, chunk: JobChunk) -> Part | Divided | Packed:
    dataset = Dataset.objects.select_related("project").get(pk=job.parameters["dataset"])
    asked = job.parameters
    wanted = Wanted(asked["formats"], splits_from(asked["splits"]), asked["licence"], asked["limits"])
    report = reporting(chunk)

    def tell(units: int = 0) -> None:
        report(units)

    first_part = 1 if wanted.splits else 0
    with fresh_folder(job.project, f"{job.pk}-{chunk.number}") as folder:
        if wanted.splits and "divide" in chunk.payload:
            write_division(divide_dataset(dataset, wanted.splits, tell), folder)
            return Divided(folder)
        division = _division(job) if wanted.splits else None
        if "ids" in chunk.payload:
            ids, first = range(*chunk.payload["ids"]), chunk.number == first_part
            counted = write_part(dataset, ids, folder, wanted, division, first=first, tell=tell)
            return Part(chunk.number, folder, counted.counts)
        parts = [parts_folder(job) / str(number) for number in range(first_part, chunk.number)]
        archive = folder / "export.zip"
        return Packed(archive, pack_parts(dataset, parts, archive, wanted, division, tell))


def _division(job: Job) -> Division:
    try:
        return read_division(parts_folder(job) / DIVISION)
    except FileNotFoundError as error:
        raise PublicError(GONE) from error


def _store(job: Job, made: Part | Divided | Packed) -> dict[str, int]:
    if isinstance(made, Divided):
        ledger.lock(job)
        _keep_beside(job, made.folder, DIVISION)
        ledger.add_chunks(job=job, chunks=_plans(Dataset.objects.get(pk=job.parameters["dataset"])))
        return {}
    if isinstance(made, Packed):
        dataset = Dataset.objects.get(pk=job.parameters["dataset"])
        name = f"{dataset.name} (pairs)"
        keep_export(job=job, archive=made.archive, name=name, manifest=made.manifest)
        return {}
    # The last of the parts is known only when no other one is being stored.
    ledger.lock(job)
    _keep_beside(job, made.folder, str(made.number))
    if not job.chunks.exclude(number=made.number).exclude(state=ChunkState.DONE).exists():
        ledger.add_chunks(job=job, chunks=[ledger.ChunkPlan(units=0, payload={})])
    return made.counts


def _keep_beside(job: Job, folder: Path, name: str) -> None:
    """Move a folder to the job's parts, unless a worker whose lease was lost after that has done so."""
    target = parts_folder(job) / name
    if target.exists():
        shutil.rmtree(folder)
    else:
        target.parent.mkdir(exist_ok=True)
        folder.replace(target)


RUNNER = Runner(compute=_compute, store=_store)
