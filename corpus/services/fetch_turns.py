"""Turns at hosts, agreed on in the database: one request at a time to each host, whoever asks it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.utils import timezone

from corpus.models import FetchHost, FetchSite
from jobs.models import JobChunk, JobState
from jobs.services import ledger
from jobs.services.running import LeaseLost

LONGEST_WAIT_SECONDS = 60.0
ROBOTS_HOURS = 12
ALIVE_SECONDS = 2.0
LOOK_SECONDS = 0.2


class HostBusy(Exception):
    """Others are asking the host; come back later."""


class DatabaseTurns:
    """For the worker that holds a chunk; raises LeaseLost as soon as the chunk is no longer its own.

    held_seconds: more than any request takes; a host whose asker died is free again after that.
    """

    def __init__(self, chunk: JobChunk, *, held_seconds: float = 90.0) -> None:
        self._chunk = chunk
        self._held_seconds = held_seconds
        self._lived = 0.0

    @contextmanager
    def turn(self, host: str) -> Iterator[Callable[[float], None]]:
        held = self._held(host)
        seconds = 0.0

        def pause(after: float) -> None:
            nonlocal seconds
            seconds = after

        try:
            yield pause
        finally:
            # If it took so long that somebody else has the turn, nothing is changed.
            free_at = timezone.now() + timedelta(seconds=seconds)
            FetchHost.objects.filter(host=host, free_at=held.free_at).update(free_at=free_at)

    def _held(self, host: str) -> FetchHost:
        hosts = FetchHost.objects.filter(host=host)
        until = time.monotonic() + LONGEST_WAIT_SECONDS
        while True:
            now = timezone.now()
            free_at = hosts.values_list("free_at", flat=True).first()
            if free_at is None:
                free_at = now
                FetchHost.objects.bulk_create([FetchHost(host=host, free_at=now)], ignore_conflicts=True)
            held = FetchHost(host=host, free_at=now + timedelta(seconds=self._held_seconds))
            if free_at <= now and hosts.filter(free_at__lte=now).update(free_at=held.free_at):
                return held
            if time.monotonic() > until:
                raise HostBusy(host)
            self.rest(min(LOOK_SECONDS, max(0.01, (free_at - now).total_seconds())))

    def rest(self, seconds: float) -> None:
        time.sleep(seconds)
        self.alive()

    def robots(self, site: str) -> str | None:
        fresh = timezone.now() - timedelta(hours=ROBOTS_HOURS)
        return (
            FetchSite.objects.filter(site=site, fetched_at__gte=fresh)
            .values_list("robots", flat=True)
            .first()
        )

    def keep_robots(self, site: str, text: str) -> None:
        kept = {"robots": text.replace("\0", ""), "fetched_at": timezone.now()}
        FetchSite.objects.update_or_create(site=site, defaults=kept)

    def alive(self) -> None:
        """A sign of life, every two seconds."""
        if time.monotonic() - self._lived < ALIVE_SECONDS:
            return
        self._lived = time.monotonic()
        mine = JobChunk.objects.filter(
            pk=self._chunk.pk, fence=self._chunk.fence, state="leased", job__state=JobState.RUNNING
        )
        if not mine.exists():
            raise LeaseLost
        ledger.renew_lease(chunk_id=self._chunk.pk, fence=self._chunk.fence)
