from __future__ import annotations

import gzip
import itertools
import socket
import ssl
import time
import tracemalloc
from pathlib import Path

import pytest

from paragold.cli import fetch
from paragold.cli.fetch import Visitor, article_of, is_public, normal_address
from tests import misbehaving_server as server_that
from tests.misbehaving_server import STORY, moved, page, serving


@pytest.fixture
def server():
    with serving() as server:
        yield server


@pytest.fixture
def visit(server, monkeypatch):
    """Visits a path of the server, or a whole address, where the loopback passes for public."""
    monkeypatch.setattr(fetch, "is_public", lambda ip: ip == "127.0.0.1" or is_public(ip))
    visitor = Visitor("mailto:corpus@paragold.example", pause=0.0)
    return lambda path: visitor.page(server.url(path) if path.startswith("/") else path)


@pytest.fixture
def names(monkeypatch):
    """Has every name lead to these IP addresses."""

    def lead(*ips):
        def look_up(host, port, *_, **__):
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)

    return lead


@pytest.fixture
def in_haste(monkeypatch):
    monkeypatch.setattr(fetch, "PAGE_BYTES", 1 << 20)
    monkeypatch.setattr(fetch, "SILENCE_SECONDS", 1.0)
    monkeypatch.setattr(fetch, "REQUEST_SECONDS", 2.0)


def test_pages_are_had_after_robots_txt_and_redirects_and_unpacked(server, visit):
    server.answers |= {"/a": moved("/b"), "/b": moved(server.url("/dam?a=1")), "/dam?a=1": page()}
    answer = visit("/a")
    assert (answer.status, answer.url, answer.data.decode()) == (200, server.url("/dam?a=1"), STORY)
    assert server.asked == ["/robots.txt", "/a", "/b", "/dam?a=1"]
    assert "(+mailto:corpus@paragold.example)" in server.heads[3]
    assert f"Host: 127.0.0.1:{server.port}\r\n" in server.heads[3]
    zipped = page(gzip.compress(STORY.encode()), content_encoding="gzip")
    server.answers |= {"/gzip": zipped, "/deflate": server_that.deflated(STORY)}
    assert visit("/gzip").data == visit("/deflate").data == STORY.encode()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("gone", status="404 Not Found"), "It answered 404."),
        (server_that.endless, "larger than 1 MB"),
        (page(b"no gzip", content_encoding="gzip"), "gave no page"),
        (server_that.dripping, "took too long"),
        (server_that.silent, "gave no page|took too long"),
        (server_that.broken, "gave no page"),
        (server_that.endless_chunk_line, "gave no page"),
        (moved("ftp://127.0.0.1/x"), "not an address"),
        (moved("http://user:word@127.0.0.1/x"), "not an address"),
        (moved("/dam"), "More than 5 redirects"),
        (moved("http://10.0.0.1/"), r"10\.0\.0\.1, which is not a public address"),
        (moved("http://[fe80::1]/"), "not a public address"),
    ],
)
def test_what_is_no_page_is_refused_with_the_reason(server, visit, in_haste, answer, reason):
    server.answers["/dam"] = answer
    with pytest.raises(ValueError, match=reason):
        article_of(visit("/dam"), None)


def test_a_bomb_costs_no_memory(server, visit):
    server.answers["/dam"] = server_that.bomb(96)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with pytest.raises(ValueError, match="larger"):
            visit("/dam")
        assert tracemalloc.get_traced_memory()[1] - before < 24 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("robots", "path", "is_allowed"),
    [
        ("\ufeff# for all\nUser-agent: *\nUser-agent: Otherbot\nDisallow: /private\n", "/private/x", False),
        ("User-agent: *\nDisallow: /private\nAllow: /private/open$\n", "/private/open", True),
        ("User-agent: *\rDisallow: /*.pdf$\r", "/a.pdf", False),
        *(
            (f"User-agent: *\nDisallow: /\n\nUser-agent: {name}\nDisallow: /x\n", path, path == "/a")
            for name in ("Paragold", "paragold", "PARAGOLD/1.0", "Paragold # us")
            for path in ("/a", "/x")
        ),
        ("User-agent: Badbot # not Paragold\nDisallow: /\nCrawl-delay: 99\n", "/", True),
        ("\0\x01 User-agent\n: :\nDisallow", "/", True),
        ("User-agent: *\nDisallow: /" + "*a" * 1000 + "b\n", "/" + "a" * 1500, True),
        *(
            (agents + "Disallow: /x\n" * 12_000, "/" + "a" * 1500, True)
            for agents in (
                "".join(f"User-agent: b{n}\n" for n in range(12_000)),
                "User-agent: paragold\n" * 12_000,
            )
        ),
        ("User-agent: *\n" + "Disallow: /x*y\n" * 20_000, "/" + "a" * 1500, True),
    ],
)
def test_robots_as_sites_write_them_kindly_and_otherwise(server, visit, robots, path, is_allowed):
    server.answers |= {"/robots.txt": page(robots), path: page()}
    started = time.process_time()
    if is_allowed:
        assert visit(path).status == 200
    else:
        with pytest.raises(ValueError, match=r"robots\.txt does not allow"):
            visit(path)
    assert time.process_time() - started < 10


def test_a_redirect_is_held_against_its_own_robots(server, visit):
    server.answers |= {"/robots.txt": page("User-agent: *\nDisallow: /closed\n"), "/a": moved("/closed/dam")}
    with pytest.raises(ValueError, match=r"robots\.txt does not allow"):
        visit("/a")
    assert "/closed/dam" not in server.asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("User-agent: *\nDisallow: /\n"), "does not allow it"),
        (page("User-agent: *\nCrawl-delay: 3600\n"), "asks for a pause of over 60 s"),
        (page("", status="500 Broken"), "cannot be read: It answered 500"),
        (server_that.dripping, "cannot be read: It took too long"),
    ],
)
def test_a_site_whose_robots_refuse_us_is_not_asked(server, visit, in_haste, answer, reason):
    server.answers |= {"/robots.txt": answer, "/dam": page()}
    for path in ("/dam", "/other"):
        with pytest.raises(ValueError, match=reason):
            visit(path)
    assert server.asked == ["/robots.txt"]


def test_what_is_public():
    inside = """0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
        172.31.255.255
        192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
        239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
        ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::
        3fff::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1"""
    assert [ip for ip in inside.split() if is_public(ip)] == []
    outside = ["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"]
    assert [ip for ip in outside if not is_public(ip)] == []


def test_hidden_notations_reach_nothing(monkeypatch):
    """More than 100 hostile addresses: each is refused before anything connects."""
    connected: list[object] = []
    monkeypatch.setattr("socket.socket.connect", lambda self, address: connected.append(address))
    loopback = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0"]
    hidden = ["localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "１２７.0.0.1"]
    private = ["10.0.0.1", "192.168.0.1", "172.16.5.4", "169.254.169.254", "3232235521", "[fe80::1]"]
    nowhere = ["a..b", "a" * 64 + ".example"]
    hosts = itertools.product(("http", "https"), loopback + hidden + private + nowhere, ("", ":80", ":443"))
    hostile = [f"{scheme}://{host}{port}/latest?x=1" for scheme, host, port in hosts]
    assert len(hostile) > 100
    for url in hostile:
        with pytest.raises(ValueError, match=r"address|gave no page|Failed to parse"):
            Visitor(pause=0.0).page(normal_address(url))
    assert connected == []


def test_a_name_that_leads_inside_and_outside_is_refused(names):
    names("8.8.8.8", "10.0.0.1")
    with pytest.raises(ValueError, match=r"leads to 10\.0\.0\.1, which is not a public address"):
        Visitor(pause=0.0).page("https://news.example/")


@pytest.mark.parametrize(
    "text",
    [
        *("", "javascript:alert(1)", "file:///etc/passwd", "//news.example/", "http:///x"),
        *("http://news.example\\@127.0.0.1/", "http://me@news.example/", "http://news.example:99999/"),
        *("http://[fe80::1%25eth0]/", "http://news.example/\r\nHost: x", "https://news.example/a b"),
        "http://news.example/" + "a" * 2_000,
    ],
)
def test_what_is_no_address(text):
    with pytest.raises(ValueError, match=r"not an address|Failed to parse"):
        normal_address(text)


# A certificate for news.invalid, signed by itself, made for these tests alone.
CERTIFICATE = Path(__file__).with_name("news_invalid.pem")


@pytest.fixture
def secured(server, names, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    # The handshake is left to the thread that answers.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.answers["/dam"] = page()
    names("127.0.0.1")
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    return server


def test_a_host_is_asked_at_the_checked_address_under_its_own_name(secured, visit):
    assert visit(f"https://news.invalid:{secured.port}/dam").status == 200
    assert f"Host: news.invalid:{secured.port}" in secured.heads[1]


@pytest.mark.parametrize(
    ("host", "reason"), [("other", "doesn't match"), ("news", "self.signed certificate")]
)
def test_a_host_without_a_certificate_of_its_own_is_not_asked(secured, visit, monkeypatch, host, reason):
    if host == "news":
        monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(ValueError, match=reason):
        visit(f"https://{host}.invalid:{secured.port}/dam")
    assert secured.asked == []
