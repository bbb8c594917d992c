"""Pages by the rules of their sites: robots.txt, a pause for each host, public addresses alone."""

from __future__ import annotations

import ipaddress
import re
import socket
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from protego import Protego
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

from paragold import __version__, limits
from paragold.problems import FileProblem, quoted, shortened

NAME = "Paragold"
PAGE_BYTES, ROBOTS_BYTES, PIECE = 5 << 20, 512 << 10, 1 << 16
SILENCE_SECONDS, REQUEST_SECONDS, LONGEST_PAUSE = 15.0, 45.0, 60.0
REDIRECTS = 5
_PORTS = {"http": 80, "https": 443}
_MOVED = (301, 302, 303, 307, 308)
# What RFC 6890 reserves beyond Python's own lists; of IPv6 only 2000::/3 is given out at all.
_RESERVED = """100.64.0.0/10 192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24
    224.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20"""
_NOT_PUBLIC = [ipaddress.ip_network(text) for text in _RESERVED.split()]


class NotFetched(Exception):
    """Why a page was not fetched."""


class Answer(NamedTuple):
    """`url` is the address after redirects; the names of headers are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    data: bytes


def is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is neither private, loopback and link-local nor reserved in another way."""
    given_out = ip.version == 4 or ip in ipaddress.ip_network("2000::/3")
    return given_out and ip.is_global and not any(ip in network for network in _NOT_PUBLIC)


def normal_address(text: str) -> str:
    """An address of the web in ASCII, without a fragment. Raises FileProblem for any other text."""
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").rstrip(".").encode("idna").decode("ascii").lower()
        standard = _PORTS[parts.scheme]
        port = "" if parts.port in (None, standard) else f":{parts.port}"
    except (ValueError, KeyError):
        host = ""
    if not host or "@" in parts.netloc or re.search(r"[\x00-\x20\x7f%\\]", host) or re.search(r"\s", text):
        raise FileProblem(f"{quoted(text)} is not an address.", "Write it as https://news.example/dam.html.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    site = f"{parts.scheme}://" + (f"[{host}]" if ":" in host else host) + port
    url = site + quote(target, "%/:=&?~+!$,;'@()*[]", errors="replace")
    if len(url) > limits.URL_CHARACTERS:
        raise FileProblem(f"{quoted(url)} has over {limits.URL_CHARACTERS:,} characters.", "Leave it out.")
    return url


def rules_of(robots: str) -> Protego:
    """The rules of a robots.txt. All other robots get one name: the parser stores rules once for each."""

    def name(line: re.Match[str]) -> str:
        given = line[1].partition("#")[0].strip().lower()
        return "User-agent: " + ("*" if given == "*" else NAME if NAME.lower() in given else "another")

    lines = "\n".join(re.split(r"\r\n?|\n", robots.removeprefix("\ufeff")))
    return Protego.parse(re.sub(r"(?im)^[ \t]*user[ -]?agent[ \t]*:?(.*)$", name, lines))


@dataclass(slots=True)
class Visitor:
    """Fetches a page at a time; `pause` is the least number of seconds between two requests to a host.

    `contact` goes out with each request; `loopback` allows that network and any port, for tests.
    """

    contact: str = ""
    pause: float = 1.0
    loopback: bool = False
    free_at: dict[str, float] = field(default_factory=dict)
    _rules: dict[str, Protego | NotFetched] = field(default_factory=dict)

    def page(self, url: str) -> Answer:
        """The page of an address; redirects obey the same rules. Raises NotFetched with the reason."""
        answer = self._answer(url, PAGE_BYTES, self._admitted)
        if answer.status != 200:
            raise NotFetched(f"It answered {answer.status}.")
        return answer

    def _answer(self, url: str, maximum: int, admitted: Callable[[str], float]) -> Answer:
        for _ in range(REDIRECTS + 1):
            pause, host = admitted(url), urlsplit(url).netloc
            time.sleep(max(0.0, self.free_at.get(host, 0.0) - time.monotonic()))
            try:
                answer = self._within_time(url, maximum)
            finally:
                self.free_at[host] = time.monotonic() + pause
            if answer.status not in _MOVED:
                return answer
            try:
                url = normal_address(urljoin(url, answer.headers.get("location", "").strip()))
            except ValueError as error:
                raise NotFetched("It is redirected to what is not an address.") from error
        raise NotFetched(f"More than {REDIRECTS} redirects.")

    def _admitted(self, url: str) -> float:
        """The seconds until the next request to the host. Raises NotFetched where robots.txt refuses us."""
        site = urljoin(url, "/")
        if site not in self._rules:
            self._rules[site] = self._read_rules(f"{site}robots.txt")
        rules = self._rules[site]
        if isinstance(rules, NotFetched):
            raise NotFetched(f"The site's robots.txt cannot be read: {rules}")
        if not rules.can_fetch(url, NAME):
            raise NotFetched("The site's robots.txt does not allow it.")
        rate = rules.request_rate(NAME)
        asked = max(rules.crawl_delay(NAME) or 0.0, rate.seconds / rate.requests if rate else 0.0)
        if asked > LONGEST_PAUSE:
            raise NotFetched(f"The site's robots.txt asks for {asked:,.0f} s between two requests.")
        return max(self.pause, asked)

    def _read_rules(self, url: str) -> Protego | NotFetched:
        """RFC 9309, 2.3.1: a missing file allows everything, one that cannot be had now nothing."""
        try:
            answer = self._answer(url, ROBOTS_BYTES, lambda url: self.pause)
        except NotFetched as error:
            return error
        if answer.status >= 500 or answer.status == 429:
            return NotFetched(f"It answered {answer.status}.")
        return rules_of(answer.data.decode("utf-8", "replace") if answer.status == 200 else "")

    def _within_time(self, url: str, maximum: int) -> Answer:
        """In a thread of its own, because the time limits of sockets begin again with each byte."""
        future: Future[Answer] = Future()

        def work() -> None:
            try:
                future.set_result(self._request(url, maximum, time.monotonic() + REQUEST_SECONDS))
            except Exception as error:
                future.set_exception(error)

        Thread(target=work, daemon=True).start()
        try:
            return future.result(REQUEST_SECONDS)
        except TimeoutError as error:
            raise NotFetched("It took too long.") from error
        except (OSError, HTTPError, HTTPException, ValueError, zlib.error) as error:
            raise NotFetched(f"It gave no answer: {shortened(str(error), 200)}") from error

    def _request(self, url: str, maximum: int, until: float) -> Answer:
        """One request to the IP address that was checked; TLS and the request name the host."""
        parts = urlsplit(url)
        host, port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
        if port not in _PORTS.values() and not self.loopback:
            raise NotFetched(f"Port {port} is not allowed.")
        ips = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        for ip in map(ipaddress.ip_address, ips):
            if not is_public(ip) and not (self.loopback and ip.is_loopback):
                raise NotFetched(f"{host} leads to {ip}, which is not a public address.")
        names = {"server_hostname": host, "assert_hostname": host} if parts.scheme == "https" else {}
        kind: Any = HTTPSConnection if names else HTTPConnection
        connection = kind(ips[0], port, timeout=SILENCE_SECONDS, **names)
        agent = f"{NAME}/{__version__}" + (f" (+{self.contact})" if self.contact else "")
        headers = {"Host": parts.netloc, "User-Agent": agent, "Accept-Encoding": "gzip"}
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        with closing(connection):
            connection.request("GET", target, headers=headers, preload_content=False, decode_content=False)
            with closing(connection.getresponse()) as response:
                answered = {key.lower(): value for key, value in response.headers.items()}
                packed = answered.get("content-encoding", "identity").strip().lower() != "identity"
                unpacker = zlib.decompressobj(wbits=47) if packed else None
                data = bytearray()
                while response.status not in _MOVED and (
                    piece := response.read1(PIECE, decode_content=False)
                ):
                    data += unpacker.decompress(piece, maximum + 1 - len(data)) if unpacker else piece
                    if len(data) > maximum:
                        raise NotFetched(f"It is larger than {maximum / (1 << 20):g} MB.")
                    if time.monotonic() > until:
                        raise TimeoutError
                if unpacker and data and not unpacker.eof:
                    raise NotFetched("It is incomplete.")
                return Answer(url, response.status, answered, bytes(data))
