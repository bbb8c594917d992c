"""robots.txt as sites write it, kindly and otherwise."""

from __future__ import annotations

import time

import pytest

from paragold.fetching.robots import BYTES, EVERYBODY, Robots

RULES = """\
\ufeff# for all
User-agent: *
User-agent: Otherbot
Disallow: /private
Allow: /private/open$
Disallow: /*.pdf$
Crawl-delay: 2

User-agent: Badbot
Disallow: /
Crawl-delay: 99
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/", True), ("/private/x", False), ("/private/open", True), ("/a.pdf", False), ("/a.pdf?x", True)],
)
def test_rules_for_everybody_hold_for_us(path: str, allowed: bool) -> None:
    rules = Robots(RULES)
    assert rules.allows(f"https://news.example{path}") is allowed
    assert rules.delay == 2


@pytest.mark.parametrize("name", ["Paragold", "paragold", "PARAGOLD/1.0", "Paragold # us"])
def test_rules_of_our_own_go_before(name: str) -> None:
    rules = Robots(f"User-agent: *\nDisallow: /\n\nUser-agent: {name}\nDisallow: /x\nRequest-rate: 1/5\n")
    assert rules.allows("http://news.example/a") and not rules.allows("http://news.example/x")
    assert rules.delay == 5


def test_nobody_and_everybody() -> None:
    assert not Robots("User-agent: *\nDisallow: /\n").allows("http://news.example/")
    assert Robots(EVERYBODY).allows("http://news.example/")
    assert Robots("<html>not found</html>").allows("http://news.example/")
    assert Robots("\0\x01 User-agent\n: :\nDisallow").allows("http://news.example/")


@pytest.mark.parametrize(
    "hostile",
    [
        "User-agent: *\nDisallow: /" + "*a" * 1000 + "b\n",
        "".join(f"User-agent: bot{n}\n" for n in range(12_000)) + "Disallow: /x\n" * 12_000,
        "User-agent: *\n" + "Disallow: /x*y\n" * 20_000,
        "User-agent: paragold\n" * 12_000 + "Disallow: /x\n" * 12_000,
    ],
)
def test_a_hostile_file_costs_little(hostile: str) -> None:
    started = time.process_time()
    assert Robots(hostile[:BYTES]).allows("http://news.example/" + "a" * 1500)
    assert time.process_time() - started < 10
