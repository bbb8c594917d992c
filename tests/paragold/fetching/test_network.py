"""What may be reached: public addresses alone, whatever name or notation leads there."""

import ipaddress
import itertools

import pytest

from paragold.fetching.visiting import NotFetched, Visitor, is_public, normal_address
from paragold.problems import FileProblem
from tests.misbehaving_server import page

INSIDE = [
    *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "3fff::1"),
    *("fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
]


@pytest.mark.parametrize("text", INSIDE)
def test_what_is_not_public(text):
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"]
)
def test_what_is_public(text):
    assert is_public(ipaddress.ip_address(text))


def notations():
    """Addresses of the loopback and of private machines as people hide them."""
    loopback = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0"]
    hidden = ["localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "１２７.0.0.1"]
    private = ["10.0.0.1", "192.168.0.1", "172.16.5.4", "169.254.169.254", "3232235521", "[fe80::1]"]
    schemes, ports = ("http", "https"), ("", ":80", ":443")
    hosts = itertools.product(schemes, loopback + hidden + private, ports)
    return [f"{scheme}://{host}{port}/latest?x=1" for scheme, host, port in hosts]


def test_hidden_notations_reach_nothing(monkeypatch):
    """More than 100 hostile addresses: each is refused before anything connects."""
    connected = []
    monkeypatch.setattr("socket.socket.connect", lambda self, address: connected.append(address))
    hostile = notations()
    assert len(hostile) > 100
    for url in hostile:
        with pytest.raises((NotFetched, FileProblem)):
            Visitor(pause=0.0).page(normal_address(url))
    assert connected == []


def test_other_ports_are_refused():
    with pytest.raises(NotFetched, match="Port 6379 is not allowed"):
        Visitor(pause=0.0).page("http://news.example:6379/")


def test_a_name_that_leads_inside_and_outside_is_refused(names):
    names("8.8.8.8", "10.0.0.1")
    with pytest.raises(NotFetched, match=r"leads to 10\.0\.0\.1, which is not a public address"):
        Visitor(pause=0.0).page("https://news.example/")


def test_a_host_is_asked_at_the_checked_address_under_its_own_name(server, visitor, names):
    server.answers["/dam"] = page()
    names("127.0.0.1")
    assert visitor.page(f"http://news.invalid:{server.port}/dam").status == 200
    assert f"Host: news.invalid:{server.port}" in server.heads[1]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://News.Example", "http://news.example/"),
        ("https://news.example:443/ä?q=ö#top", "https://news.example/%C3%A4?q=%C3%B6"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://news.example:443/", "http://news.example:443/"),
        ("http://[2606:4700::1111]/x", "http://[2606:4700::1111]/x"),
        ("HTTPS://news.example:443/a b", None),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("//news.example/", None),
        ("http:///x", None),
        ("http://news.example\\@127.0.0.1/", None),
        ("http://me@news.example/", None),
        ("http://news.example:99999/", None),
        ("http://[fe80::1%25eth0]/", None),
        ("http://a..b/", None),
        ("http://news.example/\r\nHost: x", None),
        ("http://" + "a" * 64 + ".example/", None),
        ("http://news.example/" + "a" * 2_000, None),
        ("", None),
    ],
)
def test_addresses(text, url):
    if url is None:
        with pytest.raises(FileProblem):
            normal_address(text)
    else:
        assert normal_address(text) == url == normal_address(url)
