"""Pages are parsed in a process that ends with a page that takes too much, or with its parent."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.news_pages.pages import saved_pages
from paragold.parsing.process import OverBounds
from paragold.problems import FileProblem
from paragold.sources.blocks import ATTRIBUTES_OF_A_TAG, ELEMENTS, check_bounds
from paragold.sources.main_text import PAGE, PageReader, extract_main_text
from tests.processes import REPOSITORY, runs, wait_until

PAGES = list(saved_pages().values())
COSTLY = "<html><body>" + "<p>A sentence of a very long page.</p>" * (ELEMENTS - 100)


def with_attributes(count):
    return "<body><p " + " ".join(f"a{number}=1" for number in range(count)) + ">Text.</p>"


@pytest.fixture
def reader():
    reader = PageReader()
    yield reader
    reader.close()


def test_real_pages_are_within_the_bounds_and_read_as_in_this_process(reader):
    for page in PAGES:
        check_bounds(page)
        assert reader.main_text(page, url="http://a.example/b") == extract_main_text(
            page, url="http://a.example/b"
        )


@pytest.mark.parametrize("count", [20_000, 400_000])
def test_attributes_without_end_are_refused_at_once(count):
    page = with_attributes(count)
    start = time.process_time()
    with pytest.raises(FileProblem, match=f"{ATTRIBUTES_OF_A_TAG:,}"):
        extract_main_text(page)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "page",
    [
        "<i>" * (ELEMENTS + 1),
        "<p a=1 b=2 c=3 d=4 e>" * 90_000,
        "<!-- > -->" + with_attributes(2_000),
        "<script>if (a<b) {}</script>" + with_attributes(2_000),
        "<p a='>' " + with_attributes(2_000)[9:],
        "<p =" + " =".join("abc"[n % 3] * n for n in range(1, 2_400)) + ">",
    ],
    ids=[
        "elements",
        "attributes",
        "after a comment",
        "after a script",
        "with a quoted bracket",
        "equals signs",
    ],
)
def test_what_is_counted(page):
    with pytest.raises(FileProblem, match="the limit is"):
        check_bounds(page)


def test_what_only_looks_like_tags_is_not_counted():
    check_bounds("<script>" + "if (a<b && c>d) {};" * 200_000 + "</script>")
    check_bounds("<!--" + "<p a b c>" * 200_000 + "-->")
    check_bounds("1 < 2 and <3 " * 200_000)
    check_bounds("<p title='" + "word " * 5_000 + "'>")


@pytest.mark.parametrize("piece", ["<!--", "<script>", "<p a='", '<p a="', "<p a", "<p ", "</p", "<"])
def test_counting_takes_linear_time(piece):
    start = time.process_time()
    with suppress(FileProblem):
        check_bounds(piece * (2_000_000 // len(piece)))
    assert time.process_time() - start < 5


@pytest.mark.parametrize("change", [{"cpu_seconds": 0}, {"seconds": 1}, {"megabytes": 40}])
def test_a_page_beyond_the_bounds_is_refused_and_the_next_is_read(change):
    reader = PageReader(replace(PAGE, **change))
    try:
        with pytest.raises(OverBounds):
            reader.main_text(COSTLY)
        reader.bounds = PAGE
        for page in PAGES[:2]:
            assert reader.main_text(page).paragraphs
    finally:
        reader.close()


def test_a_killed_process_is_replaced(reader):
    reader.main_text(PAGES[0])
    assert reader.process.pid is not None
    os.kill(reader.process.pid, signal.SIGKILL)
    assert reader.main_text(PAGES[0]).paragraphs


def test_the_process_has_no_network(reader):
    """Past Python too: a library's own socket, in a namespace of its own, reaches nobody."""
    program = "from paragold.parsing.child import leave_network; import socket; leave_network()\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"socket.create_connection({server.getsockname()!r}, timeout=5)"
        program += f"try: {connect}; print('connected')\nexcept PermissionError as error: print(error)"
        command = [sys.executable, "-c", program]
        said = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    assert said == "This process has no network.\n"
    reader.main_text(PAGES[0])
    namespaces = [Path(f"/proc/{process}/ns/net").readlink() for process in ("self", reader.process.pid)]
    if namespaces_allowed():
        assert namespaces[0] != namespaces[1]


def namespaces_allowed():
    return subprocess.run(["unshare", "--user", "--net", "true"], check=False).returncode == 0


def test_the_process_ends_when_its_parent_is_killed():
    script = (
        "import sys, subprocess\n"
        "from paragold.sources import main_text as module\n"
        "reader = module.page_reader()\n"
        "reader.main_text('<p>Some text.</p>')\n"
        "print(reader.process.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command, pipes = [sys.executable, "-c", script], {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=REPOSITORY, **pipes) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert runs(child)
        parent.kill()
        parent.wait()
    wait_until(lambda: not runs(child), 60, "the child has ended")
