"""Pages from a server that misbehaves: had, refused with a reason, or left for later."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from paragold.fetching import visiting
from paragold.fetching.getting import Limits
from paragold.fetching.network import LOOPBACK_TOO, Denied, Network, Unavailable
from paragold.fetching.visiting import Page
from tests import misbehaving_server as server_that
from tests.misbehaving_server import STORY, MisbehavingServer, moved, page

from .conftest import AGENT, PATIENT, LocksOfOne

Visit = Callable[..., Page]


def limits_for(answer: server_that.Answer) -> Limits:
    """Short ones only for an answer that never comes."""
    if answer is server_that.silent:
        return replace(PATIENT, read_seconds=0.5)
    return replace(PATIENT, total_seconds=1.0) if answer is server_that.dripping else PATIENT


def test_a_page_is_had_with_its_encoding_and_size(
    server: MisbehavingServer, visit: Visit, locks: LocksOfOne
) -> None:
    server.answers["/dam?a=1"] = page()
    result = visit("/dam?a=1#top")
    assert (result.status, result.kind, result.encoding, result.note) == (200, "html", "utf-8", "")
    assert result.data.decode() == STORY
    assert result.received == len(STORY)
    assert server.asked == ["/robots.txt", "/dam?a=1"]
    assert f"user-agent: {AGENT}".lower() in server.heads[1].lower()
    assert locks.pauses == [("127.0.0.1", 1.0)] * 2


@pytest.mark.parametrize("packed", [page(gzip.compress(STORY.encode()), content_encoding="gzip"), None])
def test_packed_pages_are_unpacked(server: MisbehavingServer, visit: Visit, packed: bytes | None) -> None:
    server.answers["/dam"] = packed or server_that.deflated(STORY)
    result = visit("/dam")
    assert result.data.decode() == STORY
    assert result.received < len(STORY)


def test_a_host_is_asked_at_the_pinned_address_under_its_own_name(
    server: MisbehavingServer, visit: Visit
) -> None:
    server.answers["/dam"] = page()
    resolved: list[str] = []

    def look_up(host: str, port: int) -> list[str]:
        resolved.append(host)
        return ["127.0.0.1"]

    network = replace(LOOPBACK_TOO, look_up=look_up)
    visit(f"http://news.invalid:{server.port}/dam", network=network)
    assert f"Host: news.invalid:{server.port}" in server.heads[1]
    # Once for each request, the robots.txt and the page; never again by the connection.
    assert resolved == ["news.invalid"] * 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("gone", status="404 Not Found"), "It answered 404."),
        (page("no", status="403 Forbidden"), "It answered 403."),
        (page(b"%PDF", content_type="application/pdf"), "application/pdf, not a page"),
        (page(STORY, content_type=""), "of no declared type"),
        (page(STORY, content_length=str(9 << 30)), "larger than 1 MB"),
        (server_that.endless, "larger than 1 MB"),
        (server_that.bomb(64), "larger than 1 MB"),
        (page(b"no gzip", content_encoding="gzip"), "compression cannot be read"),
        (page(b"x", content_encoding="br"), "not requested"),
        (page(b"caf\xe9 <p>word"), r"Byte 3 \(0xe9\) is not utf-8"),
        (page(STORY, content_type="text/html; charset=klingon"), None),
        (page(b"caf\xe9 <p>word", content_type="text/html; charset=klingon"), "'klingon' is not known"),
        (page(b"a\0b"), "NUL"),
        (page(b"   "), "empty"),
        (page("<div>" * 5000 + "deep"), "nested thousands deep"),
        (moved(""), "without a new address"),
        (moved("ftp://127.0.0.1/x"), "does not begin with http"),
        (moved("http://user:word@127.0.0.1/x"), "user name or password"),
        (moved("http://[::1/"), "is not an address"),
    ],
)
def test_what_is_no_page_is_denied_with_the_reason(
    server: MisbehavingServer, visit: Visit, answer: server_that.Answer, reason: str | None
) -> None:
    server.answers["/dam"] = answer
    if reason is None:
        assert "not klingon, as the header says" in visit("/dam").note
        return
    with pytest.raises(Denied, match=reason):
        visit("/dam")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("busy", status="503 Busy"), "It answered 503."),
        (server_that.dripping, "longer than 1 s"),
        (server_that.silent, "silent for too long|timed out"),
        (server_that.broken, "did not answer"),
        (server_that.cut_off, "did not answer"),
        (server_that.endless_chunk_line, "did not answer"),
        (page(gzip.compress(STORY.encode())[:-20], content_encoding="gzip"), "incomplete"),
    ],
)
def test_what_may_come_later_is_unavailable(
    server: MisbehavingServer, visit: Visit, answer: server_that.Answer, reason: str
) -> None:
    server.answers |= {"/first": page(), "/dam": answer}
    visit("/first")  # with robots.txt, for which there is more time than for what comes too late
    with pytest.raises(Unavailable, match=reason):
        visit("/dam", limits=limits_for(answer))


def test_a_bomb_costs_no_memory(server: MisbehavingServer, visit: Visit) -> None:
    server.answers["/dam"] = server_that.bomb(96)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with pytest.raises(Denied, match="larger"):
            visit("/dam")
        assert tracemalloc.get_traced_memory()[1] - before < 8 << 20
    finally:
        tracemalloc.stop()


def test_retry_after_is_reported(server: MisbehavingServer, visit: Visit) -> None:
    server.answers["/dam"] = page("busy", status="429 Too Many", retry_after="7")
    with pytest.raises(Unavailable) as error:
        visit("/dam")
    assert (error.value.status, error.value.retry_after, error.value.silent) == (429, 7.0, False)


def test_redirects_are_followed_and_counted(server: MisbehavingServer, visit: Visit) -> None:
    server.answers |= {
        "/a": moved("/b"),
        "/b": moved(server.url("/dam")),
        "/dam": page(),
        "/loop": moved("/loop"),
    }
    assert visit("/a").url == server.url("/dam")
    server.answers |= {"/utf": moved("/dämme".encode().decode("latin-1")), "/d%C3%A4mme": page()}
    assert visit("/utf").url == server.url("/d%C3%A4mme")
    with pytest.raises(Denied, match="More than 5 redirects"):
        visit("/loop")
    assert server.asked.count("/loop") == 6


@pytest.mark.parametrize("inside", ["http://127.0.0.1/", "http://169.254.169.254/latest/", "http://[::1]/"])
def test_redirects_into_private_ranges_are_refused(
    server: MisbehavingServer, visit: Visit, inside: str
) -> None:
    """Only the first name may lead to the server; what it leads to is looked at like any other address."""
    server.answers["/a"] = moved(inside)
    network = Network(
        ports=None,
        permits=lambda ip: str(ip) == "127.0.0.1" and not inside.startswith("http://127.0.0.1"),
        look_up=lambda host, port: [host],
    )
    if inside.startswith("http://127.0.0.1"):
        with pytest.raises(Denied, match="not a public address"):
            visit("/a", network=network)
        assert server.asked == []
        return
    with pytest.raises(Denied, match="not a public address"):
        visit("/a", network=network)
    assert server.asked == ["/robots.txt", "/a"]


def test_a_redirect_is_asked_for_under_its_own_robots(server: MisbehavingServer, visit: Visit) -> None:
    server.answers |= {
        "/robots.txt": page("User-agent: *\nDisallow: /closed\n"),
        "/a": moved("/closed/dam"),
        "/closed/dam": page(),
    }
    with pytest.raises(Denied, match=r"robots\.txt of 127\.0\.0\.1 does not allow"):
        visit("/a")
    assert "/closed/dam" not in server.asked


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        (page("User-agent: *\nDisallow: /\n"), Denied, "does not allow it"),
        (page("User-agent: *\nCrawl-delay: 3600\n"), Denied, "asks for 3,600 s"),
        (page("", status="500 Broken"), Unavailable, "cannot be read: it answered 500"),
        (page("", status="429 Slow down", retry_after="5"), Unavailable, "answered 429"),
        (server_that.silent, Unavailable, r"robots\.txt of 127\.0\.0\.1 cannot be read"),
        (server_that.dripping, Unavailable, r"cannot be read: It took longer"),
    ],
)
def test_a_site_whose_robots_do_not_let_us_is_not_asked(
    server: MisbehavingServer,
    visit: Visit,
    answer: server_that.Answer,
    error: type[Exception],
    reason: str,
) -> None:
    server.answers |= {"/robots.txt": answer, "/dam": page()}
    with pytest.raises(error, match=reason):
        visit("/dam", limits=limits_for(answer))
    assert "/dam" not in server.asked


@pytest.mark.parametrize(
    "answer", [page("", status="404 Not Found"), page("", status="403 No"), moved("/robots.txt")]
)
def test_a_site_without_robots_may_be_asked(
    server: MisbehavingServer, visit: Visit, answer: server_that.Answer
) -> None:
    server.answers |= {"/robots.txt": answer, "/dam": page()}
    assert visit("/dam").status == 200


def test_robots_are_asked_for_once_and_their_delay_is_kept(
    server: MisbehavingServer, visit: Visit, locks: LocksOfOne
) -> None:
    server.answers |= {
        "/robots.txt": page("User-agent: *\nCrawl-delay: 9\n\nUser-agent: Paragold\nCrawl-delay: 4\n"),
        "/a": page(),
        "/b": page(),
    }
    visit("/a")
    visit("/b")
    assert server.asked == ["/robots.txt", "/a", "/b"]
    assert [seconds for _, seconds in locks.pauses] == [1.0, 4.0, 4.0]


def test_texts_are_pages_too(server: MisbehavingServer, visit: Visit) -> None:
    server.answers["/dam"] = page("A dam broke.", content_type="text/plain; charset=ascii")
    assert visit("/dam").kind == "txt"


def test_redirects_together_have_an_end(
    server: MisbehavingServer, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each request takes a thousand seconds here: none follows on the one for robots.txt."""
    clock = SimpleNamespace(monotonic=lambda: 1_000.0 * len(server.asked))
    monkeypatch.setattr(visiting, "time", clock)
    with pytest.raises(Unavailable, match="longer than 120 s"):
        visit("/a")
    assert server.asked == ["/robots.txt"]
