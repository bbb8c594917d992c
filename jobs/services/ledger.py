"""The ledger of jobs: requests, messages, leases of chunks, results, one end even where processes die.

The queue carries only `work(job_id)`. A worker that receives it takes the next free chunk under a lease with
a fence; a lost, repeated or late message changes nothing.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.kinds import job_kinds
from jobs.models import ACTIVE, TRANSITIONS, ChunkState, Job, JobChunk, JobState, WorkerHeartbeat
from paragold.problems import REPORT_BYTES, bounded
from paragold.registry import plugin_failure
from projects import request_ids
from projects.errors import PublicError
from projects.models import Project

logger = logging.getLogger(__name__)

MAX_FAILURES = 3
MAX_LOSSES = 10
# The kind of job that deletes an object (`removal`).
REMOVAL = "remove"
# The kind of job that removes a deleted project; no other is begun in one.
PROJECT_REMOVAL = "remove-project"

# Up to so much, a job is short: it takes a minute at most.
SHORT_KIB = 64 << 10
SHORT_PAIRS = 200_000
# An aligner that trains takes 2 ms a pair.
SHORT_ALIGNED_PAIRS = 20_000
# A lexicon compares every two words of a pair.
SHORT_LEXICON_PAIRS = 20_000

# More messages than any one machine has workers do no harm: one that finds no free chunk ends at once.
MAX_MESSAGES = 8

# What the rest of a message may take once its time is over, before its process is ended.
GRACE_SECONDS = 60

LONG_QUEUE = "long"
SHORT_QUEUE = "short"


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """A piece of a job: what to do (JSON) and how many units of work it is."""

    units: int
    payload: dict[str, Any]


@transaction.atomic
def request_job(
    *,
    project: Project,
    by: User | None,
    kind: str,
    title: str,
    parameters: dict[str, Any],
    signature: str,
    chunks: list[ChunkPlan],
    total: int | None = None,
    short: bool = False,
) -> Job:
    """Write a job and its chunks. It is in the database whether or not the broker is up.

    `total` is its units of work where more chunks are added later (`add_chunks`). A `short` job, done within
    a minute or so, does not wait behind long ones.
    """
    if kind != PROJECT_REMOVAL:
        _check_not_deleted(project.pk)
    job = Job.objects.create(
        project=project,
        kind=kind,
        title=title,
        parameters=parameters,
        signature=signature,
        total=sum(chunk.units for chunk in chunks) if total is None else total,
        short=short,
        requested_by=by,
        request_id=request_ids.current(),
    )
    add_chunks(job=job, chunks=chunks)
    return job


def _check_not_deleted(project_id: int) -> None:
    if Project.everything.filter(pk=project_id).exclude(deleted_at=None).exists():
        raise PublicError("The project was deleted.")


def add_chunks(*, job: Job, chunks: list[ChunkPlan]) -> None:
    """Give a job more chunks: those that can be done only after another one.

    Call it in the transaction that stores the one before, so that each is added once.
    """
    first = job.chunks.count()
    JobChunk.objects.bulk_create(
        [
            JobChunk(job=job, number=number, units=chunk.units, payload=chunk.payload)
            for number, chunk in enumerate(chunks, start=first)
        ],
        batch_size=1000,
    )


def move(job: Job, state: str, **fields: Any) -> bool:
    """Change a job's state if the table of transitions allows it from the state that is stored now."""
    allowed = [origin for origin, targets in TRANSITIONS.items() if state in targets]
    changed = Job.objects.filter(pk=job.pk, state__in=allowed).update(state=state, **fields)
    job.refresh_from_db()
    return bool(changed)


def lock(job: Job) -> None:
    """Hold a job's row until the transaction ends; taken before its chunks, so that no two wait crosswise."""
    Job.objects.select_for_update().only("pk").get(pk=job.pk)


def cancel_job(*, job: Job) -> Job:
    """Stop a job. What a worker is computing at this moment is discarded when it comes to store it."""
    if job.kind == REMOVAL:
        raise PublicError("A deletion cannot be cancelled: part of the object is already deleted.")
    if not _stop(job):
        raise PublicError(
            "This job is %(state)s; only waiting and running jobs can be cancelled.",
            state=job.get_state_display().lower(),
        )
    return job


def stop_jobs_of_deleted_projects() -> None:
    """Cancel what is under way in them, deletions of objects included: these go on once one is restored."""
    for job in Job.objects.filter(state__in=ACTIVE, project__deleted_at__isnull=False):
        if job.kind != PROJECT_REMOVAL:
            _stop(job)


@transaction.atomic
def _stop(job: Job) -> bool:
    """Cancel a job; False where it has ended already."""
    if not move(job, JobState.CANCELLED, finished_at=timezone.now()):
        return False
    job.chunks.filter(state=ChunkState.LEASED).update(state=ChunkState.PENDING, leased_until=None, progress=0)
    _count_done(job)
    return True


def retry_job(*, job: Job) -> Job:
    """Take a failed or cancelled job up again from the chunks that are not done, and hand it over."""
    with transaction.atomic():
        lock(job)
        job.refresh_from_db()
        if job.kind != PROJECT_REMOVAL:
            _check_not_deleted(job.project_id)
        # Without its parts a job would end at once, and what was done by then would count as the whole.
        if JobState.QUEUED in TRANSITIONS[job.state] and not job.chunks.exists():
            raise PublicError(
                "“%(job)s” came with an archive, without its unfinished work. Launch it again.", job=job.title
            )
        kind = job_kinds().get(job.kind)
        made = kind.made_by(job) if kind else None
        if made is not None and made.deleted_at is not None:
            raise PublicError("%(made)s is deleted. Restore it first.", made=made)
        fresh = {
            "started_at": None,
            "finished_at": None,
            "seconds_before": job.seconds or 0.0,
            "share_before": job.share(),
            "error": "",
            "handed_over_at": None,
            "moved_at": timezone.now(),
        }
        if not move(job, JobState.QUEUED, **fresh):
            raise PublicError(
                "This job is %(state)s; only stopped jobs can be retried.",
                state=job.get_state_display().lower(),
            )
        job.chunks.exclude(state=ChunkState.DONE).update(
            state=ChunkState.PENDING, leased_until=None, failures=0, losses=0, progress=0
        )
        hand_over(job)
    return job


def remove_old_jobs() -> None:
    """Delete the rows of jobs that are done and whose kind keeps them for a limited time only."""
    for kind in job_kinds().values():
        if kind.retention is not None:
            until = timezone.now() - kind.retention
            Job.objects.filter(kind=kind.name, state=JobState.DONE, finished_at__lt=until).delete()


def waiting_jobs() -> QuerySet[Job]:
    """Active jobs to be handed over: never handed over, or not taken since though a process was free.

    A message is lost with the process that took it. Also jobs that others work on, when a process is
    free while chunks wait. While every process is busy, messages wait in the queue and nothing is lost.
    """
    chunks = JobChunk.objects.filter(job=OuterRef("pk"))
    unheld = ~Q(Exists(chunks.filter(state=ChunkState.LEASED)))
    lost = Q(handed_over_at__lt=timezone.now() - timedelta(seconds=settings.LEASE_SECONDS / 2))
    alive = list(WorkerHeartbeat.objects.alive().values_list("busy_until", "short_only"))
    if not alive:
        lost &= unheld
    elif free := [short_only for busy, short_only in alive if busy is None]:
        lost &= unheld | Q(Exists(chunks.filter(state=ChunkState.PENDING)))
        if all(free):
            lost &= Q(short=True)
    else:
        lost &= Q(pk=None)
    return Job.objects.filter((Q(handed_over_at=None) & unheld) | lost, state__in=ACTIVE)


def release_expired() -> int:
    """Free the chunks whose worker fell silent; a chunk that kills its workers fails in the end.

    Returns how many leases had expired.
    """
    return _release(Q(leased_until__lt=timezone.now()))


def _release(which: Q) -> int:
    released = 0
    for chunk in JobChunk.objects.filter(which, state=ChunkState.LEASED).select_related("job"):
        losses = chunk.losses + 1
        lost = losses >= MAX_LOSSES
        with transaction.atomic():
            lock(chunk.job)
            # The same condition again: its worker may have given a sign of life in between.
            released += JobChunk.objects.filter(
                which, pk=chunk.pk, fence=chunk.fence, state=ChunkState.LEASED
            ).update(
                state=ChunkState.FAILED if lost else ChunkState.PENDING,
                losses=losses,
                leased_until=None,
                progress=0,
            )
            _count_done(chunk.job)
            if lost:
                move(
                    chunk.job,
                    JobState.FAILED,
                    finished_at=timezone.now(),
                    error=f"Chunk {chunk.number}: its worker died {losses} times. Look at the worker's "
                    "log, then retry.",
                )
    return released


def lease_chunk(*, job: Job, worker: str) -> JobChunk | None:
    """Take the next free chunk of a job, or None when none is free or the job is not active.

    The job's row is locked, as by whoever cancels it: a chunk is never leased to a job that has just stopped.
    """
    with transaction.atomic():
        lock(job)
        now = timezone.now()
        move(job, JobState.RUNNING, started_at=Coalesce(F("started_at"), Value(now)), moved_at=now)
        if job.state != JobState.RUNNING:
            return None
        free = job.chunks.filter(state=ChunkState.PENDING).order_by("number")
        chunk = free.select_for_update(skip_locked=True).first()
        if chunk is None:
            return None
        chunk.state = ChunkState.LEASED
        chunk.fence += 1
        chunk.leased_until = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
        chunk.worker = worker
        chunk.save(update_fields=["state", "fence", "leased_until", "worker"])
        return chunk


def renew_lease(*, chunk_id: int, fence: int) -> None:
    """A sign of life from the worker that holds a chunk."""
    JobChunk.objects.filter(pk=chunk_id, fence=fence, state=ChunkState.LEASED).update(
        leased_until=timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
    )


def report_progress(*, chunk: JobChunk, units: int) -> bool:
    """Say that `units` of a long chunk's work are done, for people to see. Call it about once a second.

    Returns False when the lease was lost or the job has stopped: the worker had better stop, too.
    """
    with transaction.atomic():
        lock(chunk.job)
        mine = JobChunk.objects.filter(pk=chunk.pk, fence=chunk.fence, state=ChunkState.LEASED)
        if not mine.update(progress=min(units, chunk.units)):
            return False
        _count_done(chunk.job)
    return True


def _count_done(job: Job) -> None:
    """Done is what done chunks held and what leased ones have reported. The job's row must be locked.

    Called whenever chunks have moved other than to be done.
    """
    done = Sum("units", filter=Q(state=ChunkState.DONE), default=0)
    reported = Sum("progress", filter=Q(state=ChunkState.LEASED), default=0)
    Job.objects.filter(pk=job.pk).update(
        done=sum(job.chunks.aggregate(done=done, reported=reported).values()), moved_at=timezone.now()
    )


def complete_chunk(*, chunk: JobChunk, counts: dict[str, Any]) -> bool:
    """Record a chunk as done; call it in the transaction that stores its result.

    Returns False, and the caller must roll back, when the lease was lost or the job is no longer running.
    """
    job = Job.objects.select_for_update().get(pk=chunk.job_id)
    if job.state != JobState.RUNNING:
        return False
    mine = JobChunk.objects.filter(pk=chunk.pk, fence=chunk.fence, state=ChunkState.LEASED)
    reported = mine.values_list("progress", flat=True).first()
    if reported is None or not mine.update(
        state=ChunkState.DONE, leased_until=None, progress=0, counts=counts
    ):
        return False
    job.done += chunk.units - reported
    job.counts |= {name: job.counts.get(name, 0) + count for name, count in counts.items()}
    job.moved_at = timezone.now()
    job.save(update_fields=["done", "counts", "moved_at"])
    return True


def fail_chunk(*, chunk: JobChunk, error: Exception) -> None:
    """Record that a chunk raised; after the third time the job fails and says why.

    What a PublicError says does not change by trying again.
    """
    failures = chunk.failures + 1
    refused = isinstance(error, PublicError)
    final = refused or failures >= MAX_FAILURES
    with transaction.atomic():
        lock(chunk.job)
        mine = JobChunk.objects.filter(pk=chunk.pk, fence=chunk.fence, state=ChunkState.LEASED)
        mine.update(
            state=ChunkState.FAILED if final else ChunkState.PENDING,
            failures=failures,
            leased_until=None,
            progress=0,
        )
        _count_done(chunk.job)
        if final:
            reason = f"{type(error).__name__}: {error}"
            if isinstance(error, SoftTimeLimitExceeded):
                reason = f"it took longer than {message_seconds(chunk.job):,.0f} s"
            often = f"Chunk {chunk.number} failed {failures} times: {reason}"
            text = str(error) if refused else plugin_failure(error) or often
            move(chunk.job, JobState.FAILED, finished_at=timezone.now(), error=bounded(text, REPORT_BYTES))


def all_chunks_done(job: Job) -> bool:
    return not job.chunks.exclude(state=ChunkState.DONE).exists()


def message_seconds(job: Job) -> int:
    """What the work on one message about a job may take; `GRACE_SECONDS` later its process is ended."""
    return int(job.parameters.get("chunk_seconds") or settings.CHUNK_SECONDS)


def send_message(job: Job) -> None:
    """Put one `work(job)` into its queue, by the task's name: the task module imports this one."""
    seconds = message_seconds(job)
    current_app.send_task(
        "jobs.work",
        args=(job.pk,),
        queue=SHORT_QUEUE if job.short else LONG_QUEUE,
        soft_time_limit=seconds,
        time_limit=seconds + GRACE_SECONDS,
        retry=False,
    )


def hand_over(job: Job) -> None:
    """Send messages about a job once the present transaction is committed.

    When the broker is down the job is in the database all the same; `sweep` hands it over later.
    """
    transaction.on_commit(lambda: _send(job.pk))


def _send(job_id: int) -> bool:
    """Hand a job over, unless another process has just done so."""
    job = Job.objects.get(pk=job_id)
    if not job.active:
        return False
    before = job.handed_over_at
    mine = Job.objects.filter(pk=job_id, handed_over_at=before)
    if not mine.update(handed_over_at=timezone.now()):
        return False
    pending = job.chunks.filter(state=ChunkState.PENDING).count()
    # Where somebody works on it already, one more is enough: it may be a message that was lost.
    held = job.chunks.filter(state=ChunkState.LEASED).exists()
    try:
        for _ in range(1 if held else max(1, min(pending, MAX_MESSAGES))):
            send_message(job)
    except (OperationalError, OSError) as error:
        logger.warning("The broker did not take job %s (%s); it waits in the database.", job_id, error)
        Job.objects.filter(pk=job_id).update(handed_over_at=None)
        return False
    return True


def sweep() -> int:
    """Free expired leases and hand over every job that waits unheard. Returns how many were handed over."""
    release_expired()
    return sum(_send(job.pk) for job in waiting_jobs())


def take_over(worker: str) -> int:
    """Free what a dead worker held, and hand it over at once. Returns how many jobs were handed over."""
    held = set(
        Job.objects.filter(chunks__worker=worker, chunks__state=ChunkState.LEASED).values_list(
            "pk", flat=True
        )
    )
    _release(Q(worker=worker))
    return sum(_send(job) for job in held)
