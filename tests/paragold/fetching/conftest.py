"""A misbehaving server, and a visitor that may reach it."""

import socket

import pytest

from paragold.fetching.visiting import Visitor
from tests.misbehaving_server import serving


@pytest.fixture
def server():
    with serving() as server:
        yield server


@pytest.fixture
def visitor():
    return Visitor("mailto:corpus@paragold.example", pause=0.0, loopback=True)


@pytest.fixture
def visit(server, visitor):
    """Visits a path of the server, or a whole address."""
    return lambda path: visitor.page(server.url(path) if path.startswith("/") else path)


@pytest.fixture
def names(monkeypatch):
    """Has every name lead to these IP addresses."""

    def lead(*ips):
        def look_up(host, port, *_, **__):
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)

    return lead
