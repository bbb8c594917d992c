"""Whether work moves: not whether a process exists, but whether messages are taken and jobs get on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone

from jobs.models import ACTIVE, STUCK_SECONDS, ChunkState, Job, JobChunk, WorkerHeartbeat

# Processes that were not heard from for longer are gone; before that, they count as stuck.
GONE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Liveness:
    """How many processes move and how many are stuck; how long a job has waited though one was free."""

    moving: int
    busy: int
    stuck: int
    silent_seconds: float | None
    waiting_seconds: float

    @property
    def state(self) -> str:
        """`moving`, or `missing`, `stuck`, `partly stuck` or `waiting`: then `problem` says what is wrong."""
        if not self.moving:
            return "stuck" if self.stuck else "missing"
        if self.waiting_seconds > STUCK_SECONDS:
            return "waiting"
        return "partly stuck" if self.stuck else "moving"

    @property
    def works(self) -> bool:
        return self.state == "moving"

    @property
    def problem(self) -> str:
        """One sentence for people; empty when work moves."""
        match self.state:
            case "missing":
                return "No worker is running."
            case "stuck":
                return "The worker is stuck: none of its processes takes messages or gives a sign of life."
            case "partly stuck":
                return f"{self.stuck} of {self.stuck + self.moving} worker processes are stuck."
            case "waiting":
                return f"A job has waited for {self.waiting_seconds:.0f} s although a worker process is free."
        return ""


def liveness() -> Liveness:
    now = timezone.now()
    known = WorkerHeartbeat.objects.filter(last_seen__gte=now - timedelta(seconds=GONE_SECONDS))
    moving = list(WorkerHeartbeat.objects.moving().values_list("busy_until", "short_only"))
    last = WorkerHeartbeat.objects.order_by("-last_seen").first()
    free = [short for busy, short in moving if busy is None]
    return Liveness(
        moving=len(moving),
        busy=len(moving) - len(free),
        stuck=known.count() - len(moving),
        silent_seconds=(now - last.last_seen).total_seconds() if last else None,
        waiting_seconds=_longest_wait(short_only=all(free)) if free else 0.0,
    )


def _longest_wait(*, short_only: bool) -> float:
    """Seconds since anything happened to the active job that nobody works on and that has waited longest."""
    chunks = JobChunk.objects.filter(job=OuterRef("pk"))
    waiting = Job.objects.filter(
        Exists(chunks.filter(state=ChunkState.PENDING)),
        ~Exists(chunks.filter(state=ChunkState.LEASED)),
        state__in=ACTIVE,
    )
    if short_only:
        waiting = waiting.filter(short=True)
    oldest = waiting.order_by("moved_at").values_list("moved_at", flat=True).first()
    return (timezone.now() - oldest).total_seconds() if oldest else 0.0
