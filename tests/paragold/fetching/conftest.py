"""A misbehaving server, and a visitor that may reach it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest

from paragold.fetching.visiting import Answer, Visitor
from tests.misbehaving_server import MisbehavingServer, serving


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with serving() as server:
        yield server


@pytest.fixture
def visitor() -> Visitor:
    return Visitor("mailto:corpus@paragold.example", pause=0.0, loopback=True)


@pytest.fixture
def visit(server: MisbehavingServer, visitor: Visitor) -> Callable[[str], Answer]:
    """Visits a path of the server, or a whole address."""
    return lambda path: visitor.page(server.url(path) if path.startswith("/") else path)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has every name lead to these IP addresses."""

    def lead(*ips: str) -> None:
        def look_up(host: str, port: int, *_: object, **__: object) -> list[object]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)

    return lead
