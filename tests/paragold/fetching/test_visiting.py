"""Pages from a server that misbehaves: had, or refused with a reason."""

import gzip
import time
import tracemalloc

import pytest

from paragold.fetching import visiting
from paragold.fetching.visiting import NotFetched
from tests import misbehaving_server as server_that
from tests.misbehaving_server import STORY, moved, page


@pytest.fixture
def in_haste(monkeypatch):
    monkeypatch.setattr(visiting, "PAGE_BYTES", 1 << 20)
    monkeypatch.setattr(visiting, "SILENCE_SECONDS", 1.0)
    monkeypatch.setattr(visiting, "REQUEST_SECONDS", 2.0)


def test_a_page_is_had_after_robots_txt(server, visit):
    server.answers["/dam?a=1"] = page()
    answer = visit("/dam?a=1")
    assert (answer.status, answer.data.decode()) == (200, STORY)
    assert server.asked == ["/robots.txt", "/dam?a=1"]
    assert "(+mailto:corpus@paragold.example)" in server.heads[1]
    assert f"Host: 127.0.0.1:{server.port}\r\n" in server.heads[1]


@pytest.mark.parametrize("packed", [page(gzip.compress(STORY.encode()), content_encoding="gzip"), None])
def test_packed_pages_are_unpacked(server, visit, packed):
    server.answers["/dam"] = packed or server_that.deflated(STORY)
    assert visit("/dam").data.decode() == STORY


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("gone", status="404 Not Found"), "It answered 404."),
        (page("busy", status="503 Busy"), "It answered 503."),
        (server_that.endless, "larger than 1 MB"),
        (server_that.bomb(64), "larger than 1 MB"),
        (page(b"no gzip", content_encoding="gzip"), "no answer"),
        (page(gzip.compress(STORY.encode())[:-20], content_encoding="gzip"), "incomplete"),
        (server_that.dripping, "took too long"),
        (server_that.silent, "no answer|took too long"),
        (server_that.broken, "no answer"),
        (server_that.cut_off, "no answer"),
        (server_that.endless_chunk_line, "no answer"),
        (moved("ftp://127.0.0.1/x"), "redirected to what is not an address"),
        (moved("http://user:word@127.0.0.1/x"), "redirected to what is not an address"),
        (moved("http://[::1/"), "redirected to what is not an address"),
        (moved("/dam"), "More than 5 redirects"),
    ],
)
def test_what_is_no_page_is_refused_with_the_reason(server, visit, in_haste, answer, reason):
    server.answers["/dam"] = answer
    with pytest.raises(NotFetched, match=reason):
        visit("/dam")


def test_a_bomb_costs_no_memory(server, visit):
    server.answers["/dam"] = server_that.bomb(96)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with pytest.raises(NotFetched, match="larger"):
            visit("/dam")
        assert tracemalloc.get_traced_memory()[1] - before < 24 << 20
    finally:
        tracemalloc.stop()


def test_redirects_are_followed(server, visit):
    server.answers |= {"/a": moved("/b"), "/b": moved(server.url("/dam")), "/dam": page()}
    assert visit("/a").url == server.url("/dam")


@pytest.mark.parametrize(
    "inside", ["http://10.0.0.1/", "http://169.254.169.254/latest/", "http://[fe80::1]/"]
)
def test_redirects_into_private_ranges_are_refused(server, visit, inside):
    server.answers["/a"] = moved(inside)
    with pytest.raises(NotFetched, match="not a public address"):
        visit("/a")
    assert server.asked == ["/robots.txt", "/a"]


def test_a_redirect_is_held_against_its_own_robots(server, visit):
    server.answers |= {
        "/robots.txt": page("User-agent: *\nDisallow: /closed\n"),
        "/a": moved("/closed/dam"),
        "/closed/dam": page(),
    }
    with pytest.raises(NotFetched, match=r"robots\.txt does not allow"):
        visit("/a")
    assert "/closed/dam" not in server.asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (page("User-agent: *\nDisallow: /\n"), "does not allow it"),
        (page("User-agent: *\nCrawl-delay: 3600\n"), "asks for 3,600 s"),
        (page("", status="500 Broken"), "cannot be read: It answered 500"),
        (page("", status="429 Slow down"), "cannot be read: It answered 429"),
        (server_that.dripping, "cannot be read: It took too long"),
    ],
)
def test_a_site_whose_robots_refuse_us_is_not_asked(server, visit, in_haste, answer, reason):
    server.answers |= {"/robots.txt": answer, "/dam": page()}
    for path in ("/dam", "/other"):
        with pytest.raises(NotFetched, match=reason):
            visit(path)
    assert set(server.asked) == {"/robots.txt"}


def test_robots_are_asked_for_once_and_a_host_has_its_pause(server, visitor, visit):
    rules = "User-agent: *\nCrawl-delay: 9\n\nUser-agent: Paragold\nRequest-rate: 5/2\n"
    server.answers |= {"/robots.txt": page(rules), "/a": page(), "/b": page()}
    started = time.monotonic()
    visit("/a")
    visit("/b")
    assert server.asked == ["/robots.txt", "/a", "/b"]
    assert 0.4 <= time.monotonic() - started < 5
    assert visitor.free_at[f"127.0.0.1:{server.port}"] - time.monotonic() <= 0.4
