import socket

import pytest

from ops.launcher.address import Address
from ops.launcher.installation import LauncherError


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.delenv("PARAGOLD_BIND", raising=False)


def test_without_settings_only_this_machine_is_served():
    address = Address.from_environment()
    assert (address.host, address.port, address.is_loopback) == ("127.0.0.1", 8000, True)
    assert address.url == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("host", "url", "is_loopback"),
    [
        ("0.0.0.0", "http://127.0.0.1:8001", False),
        ("[::]", "http://[::1]:8001", False),
        ("::1", "http://[::1]:8001", True),
        ("localhost", "http://127.0.0.1:8001", True),
        ("192.0.2.7", "http://192.0.2.7:8001", False),
    ],
)
def test_url_opens_on_this_machine(monkeypatch, host, url, is_loopback):
    monkeypatch.setenv("PARAGOLD_BIND", host)
    monkeypatch.setenv("PORT", "8001")
    address = Address.from_environment()
    assert (address.url, address.is_loopback) == (url, is_loopback)


@pytest.mark.parametrize("port", ["0", "65536", "http", "٨٠"])
def test_impossible_port_is_named(monkeypatch, port):
    monkeypatch.setenv("PORT", port)
    with pytest.raises(LauncherError, match="PORT must be a number from 1 to 65535"):
        Address.from_environment()


def test_taken_port_is_one_line_that_names_another():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LauncherError) as caught:
            Address("127.0.0.1", port).listen(again="make demo")
    assert str(caught.value) == (
        f"Port {port} is in use by another program. Choose another: PORT={port + 1} make demo"
    )
