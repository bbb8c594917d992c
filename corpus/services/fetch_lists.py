"""A list of addresses that somebody sends: a worker reads it, and begins to fetch its pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import Fetch
from jobs.kinds import Runner
from jobs.models import Job, JobChunk, JobState
from jobs.services import dispatch, ledger
from paragold.problems import FileProblem
from paragold.sources.address_lists import AddressList, read_address_list
from projects.errors import PublicError
from projects.models import Project
from projects.services.installation import check_fetching

from .fetching import launch_fetch
from .uploads import keep_upload, remove_files, upload_path

KIND = "address-list"
SIGNATURE = f"{KIND}|version:1"
# Five thousand addresses of the maximum length, and some room.
LIST_BYTES = 16 << 20


def launch_reading(
    *, project: Project, by: User, pieces: Iterable[bytes], size: int, filename: str, encoding: str
) -> Job:
    """Ask for a list of `size` bytes to be read and, if nothing is wrong with it, for its pages.

    Raises PublicError where fetching is not allowed and for a list beyond LIST_BYTES.
    """
    check_fetching()
    if size > LIST_BYTES:
        raise PublicError(f"The list is larger than {LIST_BYTES >> 20} MB. Fetch it in parts.")
    upload = keep_upload(
        pieces=pieces, size=size, filename=filename, encoding=encoding, project=project, user=by
    )
    with transaction.atomic():
        job = ledger.request_job(
            project=project,
            by=by,
            kind=KIND,
            title=f"Read {filename}"[:200],
            parameters={"units": "lists", "filename": filename, "encoding": encoding},
            signature=SIGNATURE,
            chunks=[ledger.ChunkPlan(units=1, payload={"token": upload.token})],
            short=True,
        )
        dispatch.hand_over(job)
    return job


def fetch_or_problems(job: Job) -> Fetch | list[FileProblem]:
    """What became of a list that was read: its fetch, or what is wrong with the list.

    Raises PublicError when there is nothing to fetch, the job failed, or the fetch was discarded.
    """
    outcome = job.parameters
    if "problems" in outcome:
        return [FileProblem(**problem) for problem in outcome["problems"]]
    fetch = Fetch.objects.filter(project=job.project_id, pk=outcome.get("fetch")).first()
    if fetch is None:
        stopped = (
            "The list was not read to its end" if job.state != JobState.DONE else "The fetch is discarded"
        )
        raise PublicError(outcome.get("refused") or job.error or f"{stopped}. Send the list again.")
    return fetch


def _read(job: Job, chunk: JobChunk) -> AddressList:
    path = upload_path(chunk.payload["token"])
    if not path.exists():
        raise PublicError("The uploaded list is gone. Send it again.")
    return read_address_list(path, filename=job.parameters["filename"], encoding=job.parameters["encoding"])


def _launch(job: Job, listed: AddressList) -> dict[str, int]:
    outcome: dict[str, object]
    if listed.problems:
        outcome = {"problems": [problem.as_json() for problem in listed.problems]}
    else:
        try:
            fetch = launch_fetch(
                project=job.project, by=job.requested_by, filename=job.parameters["filename"], listed=listed
            )
            outcome = {"fetch": fetch.pk}
        except PublicError as error:
            outcome = {"refused": str(error)}
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters | outcome)
    return {"addresses": len(listed.addresses), "problems": len(listed.problems)}


def _forget(job: Job) -> None:
    for chunk in job.chunks.all():
        remove_files(chunk.payload["token"])


RUNNER = Runner(compute=_read, store=_launch, finish=_forget)
