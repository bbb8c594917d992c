"""Which machines may be reached: names are resolved once, and every address that is not public is refused."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass

from paragold.fetching.addresses import Address

CONTACT_CHARACTERS = 200
NEEDED = "plain ASCII without brackets, such as mailto:corpus@example.org"


def is_contact(text: str) -> bool:
    """Whether a header can hold it within brackets, as browsers and robots write it."""
    plain = text.isascii() and text.isprintable() and not set("()<>") & set(text)
    return plain and 0 < len(text) <= CONTACT_CHARACTERS


class Denied(Exception):
    """It will not be had by asking again. `status` is the HTTP status, None without an answer."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Unavailable(Exception):
    """It may be had later.

    `retry_after` is in how many seconds the server asks to come again (None: it did not say); `silent` says
    that it is the host that cannot be had, and other pages of it no more.
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
    """What may be reached: `ports` (None: any), `permits` an IP address, `look_up` gives those of a host."""

    ports: frozenset[int] | None = frozenset({80, 443})
    permits: Callable[[IPAddress], bool] = is_public
    look_up: Callable[[str, int], list[str]] = system_look_up

    def pinned(self, address: Address) -> str:
        """The one IP address to connect to.

        Raises Denied when the port or any of the host's addresses is not permitted (a name that leads inside
        and outside is a trap), Unavailable when the name cannot be resolved.
        """
        if self.ports is not None and address.port not in self.ports:
            raise Denied(f"Port {address.port} is not asked: only {', '.join(map(str, sorted(self.ports)))}.")
        addresses = self.look_up(address.host, address.port)
        for text in addresses:
            if "%" in text or not self.permits(ipaddress.ip_address(text)):
                raise Denied(f"{address.host} leads to {text}, which is no public address.")
        return addresses[0]


LOOPBACK_TOO = Network(ports=None, permits=lambda address: is_public(address) or address.is_loopback)
