"""TLS to a checked address: the certificate must be that of the host's name, not of the address."""

import ssl
from pathlib import Path

import pytest

from paragold.fetching.visiting import NotFetched
from tests.misbehaving_server import page

# A certificate for news.invalid, signed by itself, made for these tests alone.
CERTIFICATE = Path(__file__).with_name("news_invalid.pem")


@pytest.fixture
def secured(server, names):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    # The handshake is left to the thread that answers.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.answers["/dam"] = page()
    names("127.0.0.1")
    return server


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


def test_the_hosts_own_certificate_is_accepted(secured, visit, trusted):
    assert visit(f"https://news.invalid:{secured.port}/dam").status == 200


def test_a_certificate_for_another_name_is_not(secured, visit, trusted):
    with pytest.raises(NotFetched, match="doesn't match"):
        visit(f"https://other.invalid:{secured.port}/dam")
    assert secured.asked == []


def test_nor_is_one_that_nobody_vouches_for(secured, visit):
    with pytest.raises(NotFetched, match=r"self.signed certificate"):
        visit(f"https://news.invalid:{secured.port}/dam")
