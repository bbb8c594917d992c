"""robots.txt (RFC 9309), read by Protego: the rules of a site for Paragold."""

from __future__ import annotations

import re

from protego import Protego

NAME = "Paragold"
# RFC 9309 asks for at least 500 KiB.
BYTES = 512 * 1024
EVERYBODY = ""

_GROUP = re.compile(r"\s*user[ -]?agent\s*:?\s*(.*)", re.IGNORECASE)


class Robots:
    """The rules of one robots.txt for Paragold."""

    def __init__(self, text: str) -> None:
        self._rules = Protego.parse(_for_us(text))

    def allows(self, url: str) -> bool:
        return self._rules.can_fetch(url, NAME)

    @property
    def delay(self) -> float:
        """Seconds that the site wants between two requests (Crawl-delay, Request-rate); 0: it names none."""
        rate = self._rules.request_rate(NAME)
        return max(self._rules.crawl_delay(NAME) or 0.0, rate.seconds / rate.requests if rate else 0.0)


def _for_us(text: str) -> str:
    """The same rules for us (by whatever version), with all other robots under one name.

    The parser stores rules once for each robot: thousands of names with thousands of rules would fill the
    memory.
    """
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for number, line in enumerate(lines):
        if group := _GROUP.match(line):
            name = group[1].partition("#")[0].strip()
            us = NAME if NAME.lower() in name.lower() else "another"
            lines[number] = f"User-agent: {'*' if name == '*' else us}"
    return "\n".join(lines)
