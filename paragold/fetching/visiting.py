"""Fetching a page by the rules of its site: robots.txt, one request at a time, every redirect checked."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Protocol

from paragold.problems import FileProblem
from paragold.sources.pages.decoding import decode_page
from paragold.sources.pages.page_reader import page_reader

from . import robots
from .getting import Answer, Limits, get, retry_after
from .network import Address, Denied, Network, Unavailable
from .robots import Robots

REDIRECTS = 5
ROBOTS_REDIRECTS = 5
# A site that asks for more between two requests is not visited.
LONGEST_DELAY_SECONDS = 60.0
DELAY_SECONDS = 1.0
# After that no further request is made for a page, be it for its robots.txt or a redirect.
VISIT_SECONDS = 120.0

_MOVED = frozenset((301, 302, 303, 307, 308))
_LATER = frozenset((408, 425, 429, 500, 502, 503, 504))
_PAGES = {"text/html": "html", "application/xhtml+xml": "html", "text/plain": "txt"}
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)


class HostLocks(Protocol):
    """The locks of hosts, and what is known of sites, for all that fetch at the same time."""

    def lock(self, host: str) -> AbstractContextManager[Callable[[float], None]]:
        """Wait until no other request to this host runs and its pause is over.

        The context gives a function that takes the seconds of the pause after the block.
        """

    def robots(self, site: str) -> str | None:
        """The site's robots.txt, where it was fetched not long ago."""

    def store_robots(self, site: str, text: str) -> None: ...

    def alive(self) -> None:
        """Called often; raises when the work was cancelled."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was fetched.

    `url` is its address after all redirects; `kind` is "html" or "txt"; `encoding` is the one that fits
    ("" for what the page declares itself, or UTF-8); `received` counts bytes as they came.
    """

    url: str
    status: int
    kind: str
    encoding: str
    data: bytes
    received: int
    note: str = ""


class Visitor:
    """Fetches pages, one at a time. `agent` is the User-Agent, which names Paragold and whom to write to."""

    def __init__(
        self,
        *,
        agent: str,
        locks: HostLocks,
        network: Network | None = None,
        limits: Limits | None = None,
        delay: float = DELAY_SECONDS,
    ) -> None:
        self._agent = agent
        self._locks = locks
        self._network = network or Network()
        self._limits = limits or Limits()
        self._delay = delay
        self._read: dict[str, Robots] = {}
        self._until = math.inf

    def visit(self, address: Address) -> Page:
        """Fetch a page. Raises Denied and Unavailable with the reason."""
        self._until = time.monotonic() + VISIT_SECONDS
        for _ in range(REDIRECTS + 1):
            delay = self._admitted(address)
            answer = self._ask(address, self._limits, delay, accept=_check_page)
            if answer.status not in _MOVED:
                return _page(address, answer)
            address = _next(address, answer)
        raise Denied(f"More than {REDIRECTS} redirects.")

    def _admitted(self, address: Address) -> float:
        """The seconds to leave between two requests. Raises Denied where robots.txt does not want us."""
        rules = self._robots(address)
        if not rules.allows(address.url):
            raise Denied(f"The robots.txt of {address.host} does not allow it.")
        if rules.delay > LONGEST_DELAY_SECONDS:
            raise Denied(
                f"The robots.txt of {address.host} asks for {rules.delay:,.0f} s between two requests; "
                f"at most {LONGEST_DELAY_SECONDS:.0f} are waited."
            )
        return max(self._delay, rules.delay)

    def _robots(self, address: Address) -> Robots:
        text = self._locks.robots(address.site)
        if text is None:
            text = self._fetched_robots(address.robots)
            self._locks.store_robots(address.site, text)
            self._read.pop(address.site, None)
        if address.site not in self._read:
            self._read[address.site] = Robots(text)
        return self._read[address.site]

    def _fetched_robots(self, address: Address) -> str:
        """RFC 9309, 2.3.1: a missing file allows everything, one that cannot be fetched now nothing."""
        host = address.host
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                answer = self._ask(address, replace(self._limits, bytes=robots.BYTES), self._delay)
                if answer.status not in _MOVED:
                    break
                address = _next(address, answer)
            else:
                return robots.EVERYBODY
        except Unavailable as error:
            raise Unavailable(
                f"The robots.txt of {host} cannot be read: {error}", error.status, silent=True
            ) from error
        except Denied as error:
            raise Denied(f"The robots.txt of {host} cannot be read: {error}", error.status) from error
        if answer.status >= 500 or answer.status == 429:
            raise Unavailable(
                f"The robots.txt of {host} cannot be read: it answered {answer.status}.",
                answer.status,
                retry_after=retry_after(answer.headers),
                silent=True,
            )
        return answer.data.decode("utf-8", "replace") if answer.status < 300 else robots.EVERYBODY

    def _ask(
        self,
        address: Address,
        limits: Limits,
        delay: float,
        accept: Callable[[int, Mapping[str, str]], None] = lambda status, headers: None,
    ) -> Answer:
        if time.monotonic() > self._until:
            raise Unavailable(f"With its redirects it took longer than {VISIT_SECONDS:.0f} s.")
        with self._locks.lock(address.host) as pause:
            pause(delay)
            ip = self._network.pinned(address)
            return get(address, ip, agent=self._agent, limits=limits, accept=accept, alive=self._locks.alive)


def _check_page(status: int, headers: Mapping[str, str]) -> None:
    """Before the body is read: what is no page is not read at all."""
    if status in _MOVED:
        return
    if status in _LATER:
        raise Unavailable(f"It answered {status}.", status, retry_after=retry_after(headers))
    if status != 200:
        raise Denied(f"It answered {status}.", status)
    media = _media(headers)
    if media not in _PAGES:
        raise Denied(f"It is {media[:60] or 'of no declared type'}, not a page.", status)


def _media(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _next(address: Address, answer: Answer) -> Address:
    location = answer.headers.get("location", "")
    # Headers come as Latin-1; addresses that are not ASCII are sent as UTF-8.
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")
    if not location:
        raise Denied(f"It answered {answer.status} without a new address.", answer.status)
    try:
        return address.joined(location)
    except FileProblem as error:
        raise Denied(f"Its redirect is invalid: {error.message}", answer.status) from error


def _page(address: Address, answer: Answer) -> Page:
    kind = _PAGES[_media(answer.headers)]
    charset = _CHARSET.search(answer.headers.get("content-type", ""))
    try:
        encoding, note, text = _encoding(answer.data, charset[1] if charset else "")
        if not text.strip():
            raise FileProblem("The page is empty.", "")
        if kind == "html":
            # A page that no method can read is refused here, so that it does not fail the whole import later.
            page_reader().check(text)
    except FileProblem as error:
        raise Denied(error.message, answer.status) from error
    return Page(address.url, answer.status, kind, encoding, answer.data, answer.received, note)


def _encoding(data: bytes, declared: str) -> tuple[str, str, str]:
    """(encoding to read it by, a note, the text): what the header declares, or else what the page does."""
    try:
        return declared, "", decode_page(data, declared=declared)
    except FileProblem as error:
        if not declared:
            raise
        try:
            text = decode_page(data)
        except FileProblem:
            raise error from None
        return "", f"It is not {declared}, as the header says, but what the page declares.", text
