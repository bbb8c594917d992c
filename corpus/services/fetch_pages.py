"""The job that fetches pages: it asks several hosts at once and keeps each page as it comes.

Each of its chunks asks for one page and adds the next: a job that is stopped or whose worker dies goes on
where it was, and what was kept stays. There are never more open chunks than hosts that are left, nor more
than `LANES`. Which page is next is decided when it is asked for, so that the pauses of one host are used for
others; what is stored of it does not depend on the order.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from corpus.models import AddressState, Fetch, FetchedAddress, FetchHost, FetchSite
from jobs.kinds import Runner
from jobs.models import ChunkState, Job, JobChunk, JobState
from jobs.services import ledger
from jobs.services.running import LeaseLost
from paragold.fetching.getting import Limits
from paragold.fetching.network import LOOPBACK_TOO, Denied, Network, Unavailable, parse_address
from paragold.fetching.visiting import Page, Visitor
from paragold.problems import FileProblem
from projects.services.installation import SLACK_SECONDS, check_fetching

KIND = "fetch"
SIGNATURE = f"{KIND}|version:1"
# Hosts that one job asks at the same time, from all its workers together.
LANES = 8
ATTEMPTS = 3
BACKOFF_SECONDS = (2.0, 10.0)
# A server that asks for more than this is not waited for.
LONGEST_RETRY_SECONDS = 600.0
# A worker that has nothing to ask for gives its place to other jobs after that.
IDLE_SECONDS = 5.0
LONGEST_WAIT_SECONDS = 60.0
ROBOTS_HOURS = 12
ALIVE_SECONDS = 2.0
LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Visit:
    """The result of one address: the fields to store. Without `address` nothing was requested.

    `ended` says that it will not be asked again; `silent` that its host cannot be had.
    """

    chunk: JobChunk
    address: FetchedAddress | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    ended: bool = False
    silent: bool = False


def _visit(job: Job, chunk: JobChunk) -> Visit:
    fetch = Fetch.objects.filter(job=job).first()
    if fetch is None:
        raise LeaseLost
    allowed = check_fetching()
    locks = DatabaseLocks(chunk, held_seconds=allowed.fetch_seconds + SLACK_SECONDS)
    until = time.monotonic() + IDLE_SECONDS
    while (address := _claimed(job, fetch, chunk)) is None:
        left = fetch.addresses.filter(state=AddressState.WAITING)
        if time.monotonic() > until or not left.exclude(host__in=_asked_by_others(job, chunk)).exists():
            return Visit(chunk)
        locks.rest(0.2)
    visitor = Visitor(
        agent=job.parameters["user_agent"],
        locks=locks,
        network=LOOPBACK_TOO if settings.FETCH_LOOPBACK_FOR_TESTS else Network(),
        limits=Limits(total_seconds=allowed.fetch_seconds, bytes=allowed.fetch_megabytes << 20),
        delay=allowed.fetch_delay_seconds,
    )
    started = time.monotonic()
    try:
        outcome: Page | Denied | Unavailable = visitor.visit(parse_address(address.url))
    except HostBusy:
        return Visit(chunk)
    except (Denied, Unavailable) as error:
        outcome = error
    except FileProblem as refusal:
        outcome = Denied(refusal.message)
    return _visited(chunk, address, outcome, time.monotonic() - started)


def _claimed(job: Job, fetch: Fetch, chunk: JobChunk) -> FetchedAddress | None:
    """The next address for this chunk; no other chunk of the job asks its host until this one is done."""
    if next_address(fetch, _asked_by_others(job, chunk)) is None:
        return None
    with transaction.atomic():
        ledger.lock(job)
        address = next_address(fetch, _asked_by_others(job, chunk))
        mine = JobChunk.objects.filter(pk=chunk.pk, fence=chunk.fence, state=ChunkState.LEASED)
        if address is not None and not mine.update(payload={"host": address.host}):
            raise LeaseLost
    return address


def _asked_by_others(job: Job, chunk: JobChunk) -> set[str]:
    """The hosts of the chunks that are being worked on beside this one."""
    others = job.chunks.filter(state=ChunkState.LEASED).exclude(pk=chunk.pk)
    return {payload["host"] for payload in others.values_list("payload", flat=True) if "host" in payload}


def next_address(fetch: Fetch, besides: Collection[str] = ()) -> FetchedAddress | None:
    """An address that may be asked for now, of the host that has been free for longest; none of `besides`."""
    now = timezone.now()
    due = fetch.addresses.filter(Q(due=None) | Q(due__lte=now), state=AddressState.WAITING).order_by()
    due = due.exclude(host__in=besides)
    busy = dict(FetchHost.objects.filter(host__in=due.values("host")).values_list("host", "free_at"))
    hosts = due.values_list("host", flat=True).distinct()
    free = sorted((busy[host].timestamp() if host in busy else 0.0, host) for host in hosts)
    if not free or free[0][0] > now.timestamp():
        return None
    return due.filter(host=free[0][1]).order_by("number").defer("page").first()


def _visited(
    chunk: JobChunk, address: FetchedAddress, outcome: Page | Denied | Unavailable, seconds: float
) -> Visit:
    fields: dict[str, Any] = {"seconds": seconds, "attempts": address.attempts + 1, "status": outcome.status}
    if isinstance(outcome, Page):
        fields |= {
            "state": AddressState.KEPT,
            "reason": outcome.note[:400],
            "final_url": outcome.url,
            "kind": outcome.kind,
            "encoding": outcome.encoding,
            "size": outcome.received,
            "page": zlib.compress(outcome.data, 6),
        }
        return Visit(chunk, address, fields, ended=True)
    fields["reason"] = str(outcome).replace("\0", "")[:400]
    if isinstance(outcome, Denied):
        return Visit(chunk, address, fields | {"state": AddressState.REFUSED}, ended=True)
    asked_for = outcome.retry_after or 0.0
    if fields["attempts"] >= ATTEMPTS or asked_for > LONGEST_RETRY_SECONDS:
        return Visit(
            chunk, address, fields | {"state": AddressState.FAILED}, ended=True, silent=outcome.silent
        )
    wait = max(BACKOFF_SECONDS[address.attempts], asked_for)
    return Visit(chunk, address, fields | {"due": timezone.now() + timedelta(seconds=wait)})


def _keep(job: Job, visit: Visit) -> dict[str, int]:
    ledger.lock(job)
    fetch = Fetch.objects.filter(job=job).first()
    if fetch is None:
        raise LeaseLost
    ended = 0
    address = visit.address
    waiting = fetch.addresses.filter(state=AddressState.WAITING)
    if address is not None:
        if not waiting.filter(pk=address.pk).update(**visit.fields):
            raise LeaseLost
        ended += visit.ended
        if visit.silent:
            ended += waiting.filter(host=address.host).update(
                state=AddressState.FAILED,
                reason=f"Not requested: {address.host} cannot be reached (see {address.url})."[:400],
            )
    ledger.set_units(chunk=visit.chunk, units=ended)
    others = job.chunks.exclude(state=ChunkState.DONE).exclude(pk=visit.chunk.pk).count()
    hosts = waiting.order_by().values("host").distinct().count()
    ledger.add_chunks(job=job, chunks=plan_lanes(hosts)[others:])
    kept = visit.fields.get("state") == AddressState.KEPT
    return {"pages": int(kept), "bytes": visit.fields.get("size", 0), "not_fetched": ended - kept}


def plan_lanes(hosts: int) -> list[ledger.ChunkPlan]:
    """The chunks of a job: one for each host, at most LANES."""
    return [ledger.ChunkPlan(units=0, payload={}) for _ in range(min(LANES, hosts))]


class HostBusy(Exception):
    """Others are asking the host; come back later."""


class DatabaseLocks:
    """For the worker that holds a chunk; raises LeaseLost as soon as the chunk is no longer its own.

    held_seconds: more than any request takes; a host whose asker died is free again after that.
    """

    def __init__(self, chunk: JobChunk, *, held_seconds: float = 90.0) -> None:
        self._chunk = chunk
        self._held_seconds = held_seconds
        self._lived = 0.0

    @contextmanager
    def lock(self, host: str) -> Iterator[Callable[[float], None]]:
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

    def store_robots(self, site: str, text: str) -> None:
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


RUNNER = Runner(compute=_visit, store=_keep, lanes=LANES)
