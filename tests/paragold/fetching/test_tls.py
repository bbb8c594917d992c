"""TLS to a checked address: the certificate must be that of the host's name, not of the address."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from paragold.fetching.visiting import Answer, NotFetched
from tests.misbehaving_server import MisbehavingServer, page

# A certificate for news.invalid, signed by itself, made for these tests alone.
CERTIFICATE = Path(__file__).with_name("news_invalid.pem")


@pytest.fixture
def secured(server: MisbehavingServer, names: Callable[..., None]) -> MisbehavingServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    # The handshake is left to the thread that answers.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.answers["/dam"] = page()
    names("127.0.0.1")
    return server


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


def test_the_hosts_own_certificate_is_accepted(
    secured: MisbehavingServer, visit: Callable[[str], Answer], trusted: None
) -> None:
    assert visit(f"https://news.invalid:{secured.port}/dam").status == 200


def test_a_certificate_for_another_name_is_not(
    secured: MisbehavingServer, visit: Callable[[str], Answer], trusted: None
) -> None:
    with pytest.raises(NotFetched, match="doesn't match"):
        visit(f"https://other.invalid:{secured.port}/dam")
    assert secured.asked == []


def test_nor_is_one_that_nobody_vouches_for(
    secured: MisbehavingServer, visit: Callable[[str], Answer]
) -> None:
    with pytest.raises(NotFetched, match=r"self.signed certificate"):
        visit(f"https://news.invalid:{secured.port}/dam")
