"""A misbehaving server, and a visitor that may reach it under any name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from paragold.fetching.getting import Limits
from paragold.fetching.network import LOOPBACK_TOO, Network, parse_address
from paragold.fetching.visiting import Page, Visitor
from tests.misbehaving_server import MisbehavingServer, serving

AGENT = "Paragold/test (+https://paragold.example/)"
PATIENT = Limits(connect_seconds=60, read_seconds=60, total_seconds=120, bytes=1 << 20)


class LocksOfOne:
    """One who fetches alone: remembers pauses and robots.txt, and waits for nothing."""

    def __init__(self) -> None:
        self.pauses: list[tuple[str, float]] = []
        self.kept: dict[str, str] = {}

    @contextmanager
    def lock(self, host: str) -> Iterator[Callable[[float], None]]:
        yield lambda seconds: self.pauses.append((host, seconds))

    def robots(self, site: str) -> str | None:
        return self.kept.get(site)

    def store_robots(self, site: str, text: str) -> None:
        self.kept[site] = text

    def alive(self) -> None:
        return None


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with serving() as server:
        yield server


@pytest.fixture
def locks() -> LocksOfOne:
    return LocksOfOne()


@pytest.fixture
def visit(server: MisbehavingServer, locks: LocksOfOne) -> Callable[..., Page]:
    """Visits a path of the server, or a whole address."""

    def visit(path: str, *, limits: Limits = PATIENT, network: Network = LOOPBACK_TOO) -> Page:
        url = server.url(path) if path.startswith("/") else path
        visitor = Visitor(agent=AGENT, locks=locks, network=network, limits=limits)
        return visitor.visit(parse_address(url))

    return visit
