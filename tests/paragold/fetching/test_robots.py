"""robots.txt as sites write it, kindly and otherwise."""

import time

import pytest

from paragold.fetching.visiting import NAME, ROBOTS_BYTES, rules_of

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


def allows(rules, url):
    return bool(rules.can_fetch(url, NAME))


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/", True), ("/private/x", False), ("/private/open", True), ("/a.pdf", False), ("/a.pdf?x", True)],
)
def test_rules_for_everybody_hold_for_us(path, allowed):
    rules = rules_of(RULES)
    assert rules.can_fetch(f"https://news.example{path}", NAME) is allowed
    assert rules.crawl_delay(NAME) == 2


@pytest.mark.parametrize("name", ["Paragold", "paragold", "PARAGOLD/1.0", "Paragold # us"])
def test_rules_of_our_own_go_before(name):
    rules = rules_of(f"User-agent: *\nDisallow: /\n\nUser-agent: {name}\nDisallow: /x\nCrawl-delay: 5\n")
    assert allows(rules, "http://news.example/a") and not allows(rules, "http://news.example/x")
    assert rules.crawl_delay(NAME) == 5


def test_nobody_and_everybody():
    assert not allows(rules_of("User-agent: *\nDisallow: /\n"), "http://news.example/")
    assert allows(rules_of(""), "http://news.example/")
    assert allows(rules_of("<html>not found</html>"), "http://news.example/")
    assert allows(rules_of("\0\x01 User-agent\n: :\nDisallow"), "http://news.example/")


@pytest.mark.parametrize(
    "hostile",
    [
        "User-agent: *\nDisallow: /" + "*a" * 1000 + "b\n",
        "".join(f"User-agent: bot{n}\n" for n in range(12_000)) + "Disallow: /x\n" * 12_000,
        "User-agent: *\n" + "Disallow: /x*y\n" * 20_000,
        "User-agent: paragold\n" * 12_000 + "Disallow: /x\n" * 12_000,
    ],
)
def test_a_hostile_file_costs_little(hostile):
    started = time.process_time()
    assert allows(rules_of(hostile[:ROBOTS_BYTES]), "http://news.example/" + "a" * 1500)
    assert time.process_time() - started < 10
