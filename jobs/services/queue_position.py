"""Why a job does not get on just now: its worker is gone, or others are ahead of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings
from django.utils import timezone

from jobs.models import ChunkState, Job, WorkerHeartbeat

OTHER_PROJECTS = "work in other projects"


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a job waits behind; `seconds_left` is None where it is not known."""

    label: str
    seconds_left: float | None


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
    def ahead(self) -> list[Ahead]:
        """The jobs of other projects are one entry without a name."""
        own = [Ahead(job.title, job.seconds_left) for job in self.behind]
        return own + [Ahead(OTHER_PROJECTS, None)] * self.behind_others


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
