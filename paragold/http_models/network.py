"""Addresses of pages, and which of them may be reached: parsed once, resolved to one public IP address."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from paragold import limits
from paragold.problems import FileProblem

PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:.]*:[0-9a-f:.]*")
_NOT_IN_ADDRESSES = re.compile(r"[\x00-\x20\x7f\\\ud800-\udfff]")
_SAFE_IN_TARGETS = "%/:=&?~+!$,;'@()*[]"


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a page: `host` in lower-case ASCII, `target` path and query, percent-encoded."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def site(self) -> str:
        """Scheme, host and port, which have one robots.txt."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")

    @property
    def url(self) -> str:
        return self.site + self.target

    @property
    def robots(self) -> Address:
        return Address(self.scheme, self.host, self.port, "/robots.txt")

    def joined(self, location: str) -> Address:
        """The target of a redirect from here. Raises FileProblem as `parse_address` does."""
        try:
            joined = urljoin(self.url, location.strip())
        except ValueError as error:
            raise _refused(location, "is not an address") from error
        return parse_address(joined)


def parse_address(text: str) -> Address:
    """An address of the web. A fragment is dropped.

    Raises FileProblem for another scheme than http and https, for a user name or password in it, for white
    space, control characters and backslashes (which programs read differently), and for what is too long.
    """
    text = text.strip(" ")
    if len(text) > limits.URL_CHARACTERS:
        raise _refused(text, f"has more than {limits.URL_CHARACTERS:,} characters")
    if _NOT_IN_ADDRESSES.search(text):
        raise _refused(text, "holds white space, a control character or a backslash")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _refused(text, "is not an address") from error
    if parts.scheme not in PORTS:
        raise _refused(text, "does not begin with http:// or https://")
    if "@" in parts.netloc:
        raise _refused(text, "holds a user name or password")
    try:
        host = (parts.hostname or "").rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise _refused(text, "has an invalid host name") from error
    if not _HOST.fullmatch(host) or len(host) > 253 or port == 0:
        raise _refused(text, "has an invalid host name or port")
    target = quote(parts.path or "/", _SAFE_IN_TARGETS)
    if parts.query:
        target += "?" + quote(parts.query, _SAFE_IN_TARGETS)
    address = Address(parts.scheme, host, port or PORTS[parts.scheme], target)
    if len(address.url) > limits.URL_CHARACTERS:
        raise _refused(text, f"has more than {limits.URL_CHARACTERS:,} characters, percent-encoded")
    return address


def _refused(text: str, why: str) -> FileProblem:
    return FileProblem(f"{text[:100]!r} {why}.", "Write it as https://news.example/2004/dam.html.")


CONTACT_CHARACTERS = 200
NEEDED = "plain ASCII without brackets, such as mailto:corpus@example.org"


def is_contact(text: str) -> bool:
    """Whether a header can hold it within brackets, as browsers and robots write it."""
    plain = text.isascii() and text.isprintable() and not set("()<>") & set(text)
    return plain and 0 < len(text) <= CONTACT_CHARACTERS


class Denied(Exception):
    """Another request would not help. `status` is the HTTP status, None without an answer."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Unavailable(Exception):
    """A later request may succeed.

    `retry_after` is the pause in seconds that the server asks for (None: it named none); `silent`: the whole
    host does not answer, so its other pages need not be tried.
    """

    def __init__(
        self,
        reason: str,
        status: int | None = None,
        *,
        retry_after: float | None = None,
        silent: bool = False,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.retry_after = retry_after
        self.silent = silent


IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

LOOK_UP_SECONDS = 10.0
# The registries of special-purpose addresses (IANA, RFC 6890 and its updates), written out because Python's
# own lists differ between versions. Of IPv6 only 2000::/3 is given out at all; the rest is refused, and with
# it the addresses that hold one of IPv4 (::ffff:0:0/96, 64:ff9b::/96).
_NOT_PUBLIC = [
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8"),
        *("169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"),
        *("192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32"),
        *("2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
]
_GIVEN_OUT = ipaddress.ip_network("2000::/3")


def is_public(address: IPAddress) -> bool:
    """Whether it is an address of the public network.

    None of the private, loopback, link-local, shared, multicast, documentation, benchmark, tunnel and
    reserved ranges is.
    """
    if address.version == 6 and address not in _GIVEN_OUT:
        return False
    return address.is_global and not any(address in network for network in _NOT_PUBLIC)


def system_look_up(host: str, port: int) -> list[str]:
    """The addresses of a host by the system's resolver. Raises Unavailable."""
    addresses: list[str] = []
    failed: list[OSError | UnicodeError] = []

    def look_up() -> None:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses.extend(str(entry[4][0]) for entry in entries)
        except (OSError, UnicodeError) as error:
            failed.append(error)

    # The resolver knows no time limit of ours.
    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(LOOK_UP_SECONDS)
    if thread.is_alive():
        raise Unavailable(f"The name {host} was not resolved within {LOOK_UP_SECONDS:.0f} s.", silent=True)
    if failed or not addresses:
        raise Unavailable(f"The name {host} cannot be resolved.", silent=True)
    return addresses


@dataclass(frozen=True, slots=True)
class Network:
    """The permitted `ports` (None: any) and IP addresses (`permits`); `look_up` gives those of a host."""

    ports: frozenset[int] | None = frozenset({80, 443})
    permits: Callable[[IPAddress], bool] = is_public
    look_up: Callable[[str, int], list[str]] = system_look_up

    def pinned(self, address: Address) -> str:
        """The one IP address to connect to.

        Raises Denied when the port or any of the host's addresses is not permitted (a name that leads inside
        and outside is a trap), Unavailable when the name cannot be resolved.
        """
        if self.ports is not None and address.port not in self.ports:
            raise Denied(f"Port {address.port} is blocked: only {', '.join(map(str, sorted(self.ports)))}.")
        addresses = self.look_up(address.host, address.port)
        for text in addresses:
            if "%" in text or not self.permits(ipaddress.ip_address(text)):
                raise Denied(f"{address.host} leads to {text}, which is not a public address.")
        return addresses[0]


LOOPBACK_TOO = Network(ports=None, permits=lambda address: is_public(address) or address.is_loopback)
