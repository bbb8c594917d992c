"""The files of exports, finished and unfinished, and the lookup of an equal export."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction

from alignment.models import Export
from jobs.models import Job, JobState
from paragold.formats.publishing import Manifest, sha256_of
from projects import storage
from projects.models import Project

MAKING = "making-"
ARCHIVE = "export.zip"
CHUNK_SECONDS = 4 * 3600
"""The longest that packing the parts of an export, or writing gold, may take."""


def exports_folder(project: Project) -> Path:
    return Path(settings.EXPORTS_DIR) / project.slug


def export_path(project: Project, sha256: str) -> Path:
    return exports_folder(project) / f"{sha256}.zip"


def parts_folder(job: Job) -> Path:
    """Where the parts of an export wait for each other; workers make it, `keep_export` removes it."""
    return exports_folder(job.project) / f"{MAKING}{job.pk}"


def remove_files(project: Project) -> None:
    """Remove the files of all exports of a project, unfinished ones too."""
    storage.delete_folder(exports_folder(project))


@contextmanager
def fresh_folder(project: Project, name: str) -> Iterator[Path]:
    """A new folder beside the exports that is removed when an error leaves the block."""
    sweep(project)
    folder = exports_folder(project) / f"{MAKING}{name}-{uuid4().hex}"
    folder.mkdir(parents=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder)
        raise


def sweep(project: Project) -> None:
    """Remove what was left a day ago or more by workers that died, and by jobs that were stopped."""
    limit = time() - storage.LEFTOVER_SECONDS
    for path in exports_folder(project).glob(f"{MAKING}*"):
        try:
            if path.stat().st_mtime < limit:
                shutil.rmtree(path, ignore_errors=True)
        except FileNotFoundError:
            continue  # Another worker swept it.
    if storage.shared():
        for place, _, modified in storage.list_files(exports_folder(project)):
            if MAKING in str(place) and modified < limit:
                storage.delete(place)


def signature_of(kind: str, version: int, inputs: Mapping[str, Any]) -> str:
    """What an export's bytes depend on. `inputs` is JSON."""
    text = json.dumps(inputs, ensure_ascii=False, sort_keys=True)
    return f"{kind}|version:{version}|inputs:{hashlib.sha256(text.encode()).hexdigest()}"


def made_already(project: Project, signature: str) -> Job | None:
    """The job with equal inputs that is under way, or whose export is there to be downloaded."""
    for job in project.jobs.filter(signature=signature).order_by("-pk"):
        if job.active or (job.state == JobState.DONE and _is_there(job)):
            return job
    return None


def _is_there(job: Job) -> bool:
    made = export_of(job)
    return made is not None and storage.exists(export_path(job.project, made.sha256))


def export_of(job: Job) -> Export | None:
    """What a job has made; None before its end, or when that was removed."""
    return job.project.exports.filter(pk=job.parameters.get("export")).first()


def send_archive(project: Project, archive: Path) -> None:
    """Copy an archive to a shared store: `keep_export`, which is a transaction, then need not."""
    if storage.shared():
        storage.send(archive, export_path(project, sha256_of(archive)))


@transaction.atomic
def keep_export(*, job: Job, archive: Path, name: str, manifest: Manifest) -> Export:
    """Put an archive where it is downloaded from; the same content gives the export that exists.

    The job's parameters name it. `archive` is moved, together with the folder that it lies in.
    """
    project: Project = job.project
    sha256 = sha256_of(archive)
    size = archive.stat().st_size
    storage.put(archive, export_path(project, sha256), same=True)
    export, _ = Export.objects.get_or_create(
        project=project,
        sha256=sha256,
        defaults={
            "name": name[:120],
            "filename": f"{project.slug}-{sha256[:8]}.zip",
            "bytes": size,
            "manifest": manifest,
            "created_by": job.requested_by,
        },
    )
    job.parameters |= {"export": export.pk}
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters)
    shutil.rmtree(archive.parent, ignore_errors=True)
    # Until then another worker may have to put the parts together again.
    transaction.on_commit(lambda: storage.delete_folder(parts_folder(job)))
    return export
