"""TLS to a pinned address: the certificate must be that of the host's name, not of the address."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paragold.fetching.network import LOOPBACK_TOO, Denied
from paragold.fetching.visiting import Page
from tests.misbehaving_server import MisbehavingServer, page

# A certificate for news.invalid, signed by itself, made for these tests alone.
CERTIFICATE = Path(__file__).with_name("news_invalid.pem")
NETWORK = replace(LOOPBACK_TOO, look_up=lambda host, port: ["127.0.0.1"])


@pytest.fixture
def secured(server: MisbehavingServer) -> MisbehavingServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    # The handshake is left to the thread that answers.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.answers["/dam"] = page()
    return server


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


def test_the_hosts_own_certificate_is_accepted(
    secured: MisbehavingServer, visit: Callable[..., Page], trusted: None
) -> None:
    assert visit(f"https://news.invalid:{secured.port}/dam", network=NETWORK).status == 200


def test_a_certificate_for_another_name_is_not(
    secured: MisbehavingServer, visit: Callable[..., Page], trusted: None
) -> None:
    with pytest.raises(Denied, match=r"no safe connection to other\.invalid: .*[Hh]ostname mismatch"):
        visit(f"https://other.invalid:{secured.port}/dam", network=NETWORK)
    assert secured.asked == []


def test_nor_is_one_that_nobody_vouches_for(secured: MisbehavingServer, visit: Callable[..., Page]) -> None:
    with pytest.raises(Denied, match=r"no safe connection to news\.invalid: self.signed certificate"):
        visit(f"https://news.invalid:{secured.port}/dam", network=NETWORK)
