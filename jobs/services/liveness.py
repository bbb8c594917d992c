"""Whether work moves: not whether a process exists, but whether messages are taken and jobs get on.

`liveness` says it of the installation, `standing` of one job: its worker is gone, or others are ahead of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop

from jobs.models import ACTIVE, STUCK_SECONDS, ChunkState, Job, JobChunk, WorkerHeartbeat

# Processes that were not heard from for longer are gone; before that, they count as stuck.
GONE_SECONDS = 300
OTHER_PROJECTS = gettext_noop("work in other projects")


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
                return _("No worker is running.")
            case "stuck":
                return _("The worker is stuck: none of its processes takes messages or responds.")
            case "partly stuck":
                text = _("%(stuck)s of %(total)s worker processes are stuck.")
                return text % {"stuck": self.stuck, "total": self.stuck + self.moving}
            case "waiting":
                text = _("A job has waited for %(seconds)s s although a worker process is free.")
                return text % {"seconds": f"{self.waiting_seconds:.0f}"}
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


@dataclass(frozen=True, slots=True)
class Standing:
    """`continues_in`: seconds until another worker takes over, None while there is none.

    `behind`: jobs of the same project that keep all workers busy; `behind_others`: whether those of other
    projects do.
    """

    interrupted: bool = False
    continues_in: float | None = None
    behind: list[Job] = field(default_factory=list)
    behind_others: bool = False

    @property
    def ahead(self) -> list[dict[str, Any]]:
        """Label and "seconds_left" (None where it is not known) of what a job waits behind.

        The jobs of other projects are one entry without a name.
        """
        own = [{"label": job.title, "seconds_left": job.seconds_left} for job in self.behind]
        return own + [{"label": _(OTHER_PROJECTS), "seconds_left": None}] * self.behind_others


def standing(job: Job) -> Standing:
    if not job.active:
        return Standing()
    leased = job.chunks.filter(state=ChunkState.LEASED)
    if job.interrupted:
        end = leased.order_by("leased_until").values_list("leased_until", flat=True).first()
        if end is None or not WorkerHeartbeat.objects.moving().exists():
            return Standing(interrupted=True)
        left = (end - timezone.now()).total_seconds() + settings.HEARTBEAT_SECONDS
        return Standing(interrupted=True, continues_in=max(1.0, left))
    if leased.exists() or not job.chunks.filter(state=ChunkState.PENDING).exists():
        return Standing()
    free = WorkerHeartbeat.objects.free()
    if (free if job.short else free.filter(short_only=False)).exists():
        return Standing()
    ahead = (
        Job.objects.filter(chunks__state=ChunkState.LEASED, chunks__leased_until__gte=timezone.now())
        .exclude(pk=job.pk)
        .distinct()
        .order_by("pk")
    )
    return Standing(
        behind=list(ahead.filter(project=job.project_id)),
        behind_others=ahead.exclude(project=job.project_id).exists(),
    )
