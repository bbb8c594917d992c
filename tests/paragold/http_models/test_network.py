"""What may be reached: public addresses alone, whatever name or notation leads there."""

from __future__ import annotations

import ipaddress
import itertools
import socket

import pytest

from paragold.http_models.network import (
    LOOPBACK_TOO,
    Denied,
    Network,
    Unavailable,
    is_public,
    parse_address,
    system_look_up,
)
from paragold.problems import FileProblem

INSIDE = [
    *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "3fff::1"),
    *("fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1"),
]


@pytest.mark.parametrize("text", INSIDE)
def test_what_is_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"]
)
def test_what_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


def notations() -> list[str]:
    """Addresses of the loopback and of private machines as people hide them."""
    loopback = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0"]
    hidden = ["localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "１２７.0.0.1"]
    private = [
        "10.0.0.1",
        "192.168.0.1",
        "172.16.5.4",
        "169.254.169.254",
        "3232235521",
        "[fe80::1]",
        "[fd00::1]",
    ]
    return [
        f"{scheme}://{host}{port}{path}"
        for scheme, host, port, path in itertools.product(
            ("http", "https"),
            loopback + hidden + private,
            ("", ":80", ":443"),
            ("/", "/latest/meta-data?x=1"),
        )
    ]


def test_hidden_notations_reach_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 200 hostile addresses: each is refused before anything connects."""
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: pytest.fail("it connected"))
    hostile = notations()
    assert len(hostile) > 200
    for url in hostile:
        with pytest.raises((Denied, Unavailable, FileProblem)):
            Network().pinned(parse_address(url))


@pytest.mark.parametrize("port", [22, 25, 3306, 6379, 8000, 8080])
def test_other_ports_are_refused(port: int) -> None:
    with pytest.raises(Denied, match=f"Port {port} is blocked"):
        Network(look_up=lambda host, port: ["8.8.8.8"]).pinned(parse_address(f"http://news.example:{port}/"))


def test_a_name_that_leads_inside_and_outside_is_refused() -> None:
    network = Network(look_up=lambda host, port: ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(Denied, match=r"news\.example leads to 10\.0\.0\.1, which is not a public address"):
        network.pinned(parse_address("https://news.example/"))
    zoned = Network(look_up=lambda host, port: ["fe80::1%eth0"])
    with pytest.raises(Denied, match="not a public address"):
        zoned.pinned(parse_address("https://news.example/"))


def test_only_the_tests_network_reaches_the_loopback() -> None:
    assert LOOPBACK_TOO.pinned(parse_address("http://127.0.0.1:9/")) == "127.0.0.1"
    with pytest.raises(Denied):
        LOOPBACK_TOO.pinned(parse_address("http://10.0.0.1/"))
    with pytest.raises(Denied):
        Network().pinned(parse_address("http://127.0.0.1/"))


def test_a_name_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(Unavailable, match="cannot be resolved"):
        system_look_up("nowhere.invalid", 80)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://News.Example", "http://news.example/"),
        ("HTTPS://news.example:443/a b", None),
        ("https://news.example:443/ä?q=ö#top", "https://news.example/%C3%A4?q=%C3%B6"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://news.example:443/", "http://news.example:443/"),
        ("http://[2606:4700::1111]/x", "http://[2606:4700::1111]/x"),
        ("http://a.example/%41%zz", "http://a.example/%41%zz"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("//news.example/", None),
        ("http:///x", None),
        ("http://news.example\\@127.0.0.1/", None),
        ("http://me@news.example/", None),
        ("http://news.example:99999/", None),
        ("http://news.example:0/", None),
        ("http://[fe80::1%25eth0]/", None),
        ("http://a..b/", None),
        ("http://a.example/\ud800", None),
        ("http://news.example/\r\nHost: x", None),
        ("http://" + "a" * 64 + ".example/", None),
        ("http://news.example/" + "a" * 2_000, None),
        ("", None),
    ],
)
def test_addresses(text: str, url: str | None) -> None:
    if url is None:
        with pytest.raises(FileProblem):
            parse_address(text)
    else:
        assert parse_address(text).url == url
        assert parse_address(url) == parse_address(text)
