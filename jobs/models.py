"""The ledger of long work. The queue only carries hints; what these rows say is what is true."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Count, Max, Q, Sum, Value
from django.db.models.functions import Cast, NullIf
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_noop as _

from projects.models import Project


class JobState(models.TextChoices):
    QUEUED = "queued", _("Waiting for a worker")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


# Every allowed change of a job's state. job-states.md of the documentation site is made from this table.
TRANSITIONS: dict[str, frozenset[str]] = {
    JobState.QUEUED: frozenset({JobState.RUNNING, JobState.CANCELLED, JobState.FAILED}),
    JobState.RUNNING: frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED}),
    JobState.FAILED: frozenset({JobState.QUEUED}),
    JobState.CANCELLED: frozenset({JobState.QUEUED}),
    JobState.DONE: frozenset(),
}
ACTIVE = (JobState.QUEUED, JobState.RUNNING)
# Signs of life that may be late before a process counts as silent.
SIGNS_MISSED = 2
# A process that does not move for so long is stuck, or gone.
STUCK_SECONDS = 30
# Earlier than that, the rate is that of a worker's start.
SETTLED_SECONDS = 2.0


class Job(models.Model):
    """Long work that workers do in pieces, its chunks."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=30)
    title = models.CharField(max_length=200)
    parameters = models.JSONField(default=dict)
    signature = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    total = models.PositiveBigIntegerField(
        default=0, help_text="How many units of work there are, such as clusters; null before it is known."
    )
    done = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    short = models.BooleanField(default=False, help_text="Short job, with its own queue")
    moved_at = models.DateTimeField(
        default=timezone.now,
        help_text="When it was requested, or a chunk last ended or was returned",
    )
    handed_over_at = models.DateTimeField(null=True, help_text="When a queue message last went out")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    request_id = models.CharField(
        max_length=64, blank=True, help_text="The request that asked for it, as in the server's log"
    )
    started_at = models.DateTimeField(
        null=True, help_text="When work began after it was last asked for, in UTC; null before that."
    )
    finished_at = models.DateTimeField(null=True)
    seconds_before = models.FloatField(default=0, help_text="Seconds of work before it was last resumed")
    share_before = models.FloatField(default=0, help_text="Share of the work done by then, 0 to 1")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state"),
            models.CheckConstraint(condition=Q(done__lte=models.F("total")), name="job_done_lte_total"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @cached_property
    def interrupted(self) -> bool:
        """Whether chunks of it are leased, but nobody who holds one has given a sign of life lately."""
        if self.state != JobState.RUNNING:
            return False
        ends = self.chunks.filter(state=ChunkState.LEASED).aggregate(last=Max("leased_until"))["last"]
        return ends is not None and ends < timezone.now() + silence_of_leases()

    @property
    def seconds(self) -> float | None:
        """Seconds of work so far, or in all, pauses left out; None before it started."""
        this_run = self.seconds_of_this_run
        if this_run is None:
            return self.seconds_before or None
        return self.seconds_before + this_run

    @property
    def seconds_of_this_run(self) -> float | None:
        """Seconds since work began, or was taken up again; None before that."""
        if self.started_at is None:
            return None
        return ((self.finished_at or timezone.now()) - self.started_at).total_seconds()

    def share(self) -> float:
        """How much of the work is done, 0 to 1.

        Chunks are of about equal work, units need not be: a unit may be a cluster of any size. Where chunks
        are added while the job runs, units are the better measure.
        """
        chunks = self.chunks.aggregate(
            planned=Sum("units"),
            number=Count("pk"),
            done=Count("pk", filter=Q(state=ChunkState.DONE)),
            begun=Sum(
                Cast("progress", models.FloatField()) / NullIf("units", Value(0)),
                filter=Q(state=ChunkState.LEASED),
            ),
        )
        if chunks["number"] and chunks["planned"] == self.total:
            return (chunks["done"] + (chunks["begun"] or 0)) / chunks["number"]
        return self.done / self.total if self.total else 0.0

    @cached_property
    def share_a_second(self) -> float | None:
        """The share of the work done per second; None while too little is done to compute it."""
        seconds = self.seconds_of_this_run
        if self.state != JobState.RUNNING or seconds is None or seconds < SETTLED_SECONDS:
            return None
        if self.interrupted:
            return None
        gained = self.share() - self.share_before
        return gained / seconds if gained > 0 else None

    @property
    def rate(self) -> float | None:
        """Units of work a second, in this run while it runs; None before it is known."""
        if self.active:
            return None if self.share_a_second is None else self.share_a_second * self.total
        return self.done / self.seconds if self.seconds and self.done else None

    @property
    def seconds_left(self) -> float | None:
        """Seconds of work still to come if it goes on like this; None when that is not known."""
        if self.share_a_second is None:
            return None
        return (1 - self.share()) / self.share_a_second


class MadeByJob:
    """For models with a `job`, which makes what they are."""

    job: Any  # declared by the model

    @property
    def finished(self) -> bool:
        return self.job.state == JobState.DONE


class ChunkState(models.TextChoices):
    PENDING = "pending", _("Pending")
    LEASED = "leased", _("Leased")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


class JobChunk(models.Model):
    """A piece of a job that one worker does in seconds. `fence` grows with every lease: a worker whose
    lease was given away finds another fence and its result is discarded."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    units = models.PositiveIntegerField()
    payload = models.JSONField()
    state = models.CharField(max_length=8, choices=ChunkState.choices, default=ChunkState.PENDING)
    failures = models.PositiveSmallIntegerField(default=0, help_text="Times it raised an error")
    losses = models.PositiveSmallIntegerField(default=0, help_text="Times its worker stopped responding")
    fence = models.PositiveIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True)
    progress = models.PositiveIntegerField(default=0, help_text="Units done in the present lease")
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["job", "number"], name="chunk_unique"),
            models.CheckConstraint(condition=Q(state__in=ChunkState.values), name="chunk_state"),
        ]
        indexes = [models.Index(fields=["job", "state", "number"], name="chunk_by_state")]

    def __str__(self) -> str:
        return f"chunk {self.number} of job {self.job_id}"


def silence_of_leases() -> timedelta:
    """A lease that ends sooner than this from now was not renewed when it should have been."""
    return timedelta(seconds=settings.LEASE_SECONDS - SIGNS_MISSED * settings.HEARTBEAT_SECONDS - 1)


class WorkerQuerySet(models.QuerySet["WorkerHeartbeat"]):
    def alive(self) -> WorkerQuerySet:
        return self.filter(last_seen__gte=timezone.now() - timedelta(seconds=STUCK_SECONDS))

    def moving(self) -> WorkerQuerySet:
        """The processes that wait for messages, or are at work and within the time that it may take."""
        return self.alive().filter(Q(busy_until=None) | Q(busy_until__gte=timezone.now()))

    def free(self) -> WorkerQuerySet:
        return self.moving().filter(busy_until=None)


class WorkerHeartbeat(models.Model):
    """A process that works on jobs, as it last described itself."""

    name = models.CharField(max_length=200, unique=True)
    last_seen = models.DateTimeField()
    busy_until = models.DateTimeField(null=True, help_text="Deadline of its present work; empty when free")
    short_only = models.BooleanField(default=False, help_text="Works on short jobs only")

    objects = WorkerQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
