"""One request to one pinned IP address, bounded in bytes and in seconds, whatever the server does."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, SSLError

from .network import Address, Denied, Unavailable

PIECE = 1 << 16
_PACKED = frozenset(("gzip", "x-gzip", "deflate"))


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request: seconds to connect, between two pieces, and in all; bytes, unpacked."""

    connect_seconds: float = 10.0
    read_seconds: float = 15.0
    total_seconds: float = 45.0
    bytes: int = 5 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """`data` is unpacked; `received` is the number of bytes of the body as they came. Header names are in
    lower case."""

    status: int
    headers: Mapping[str, str]
    data: bytes
    received: int


class _Guard:
    """Connects to one IP address and cuts the connection when the time is over.

    Sockets' own time limits begin again with each byte, so that a server could go on for ever.
    """

    def __init__(self, ip: str, seconds: float) -> None:
        self.ip = ip
        self.over = False
        self._held: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> _Guard:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        self._timer.join()
        if self._held is not None:
            self._held.close()

    def connect(self, port: int, seconds: float) -> socket.socket:
        connected = socket.create_connection((self.ip, port), timeout=seconds)
        # A second handle on it: TLS takes the first one away.
        self._held = connected.dup()
        if self.over:
            self._cut()
        return connected

    @property
    def connected(self) -> bool:
        return self._held is not None

    def check(self, limits: Limits) -> None:
        """Raises Unavailable when the time is over."""
        if self.over:
            raise Unavailable(f"It took longer than {limits.total_seconds:g} s.")

    def _cut(self) -> None:
        self.over = True
        if self._held is not None:
            try:
                self._held.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it was closed already


def get(
    address: Address,
    ip: str,
    *,
    agent: str,
    limits: Limits,
    accept: Callable[[int, Mapping[str, str]], None] = lambda status, headers: None,
    alive: Callable[[], None] = lambda: None,
) -> Answer:
    """Request an address of its host at `ip`; redirects are not followed.

    Parameters
    ----------
    address, ip : Address, str
        What is requested, and the IP address it is requested from.
    agent : str
        The User-Agent.
    limits : Limits
        Of bytes and seconds.
    accept : callable, optional
        Given status and headers before the body is read; may raise.
    alive : callable, optional
        Called after every piece; may raise to stop.

    Raises
    ------
    Denied
        It is too large, is packed in a way that was not requested, or the certificate is not the host's.
    Unavailable
        The server does not answer in time, or not in HTTP.
    """
    with _Guard(ip, limits.total_seconds) as guard:
        pool = _pool(address, guard, limits)
        try:
            # Typed as the base class, which has not all that it reads by.
            response: Any = pool.urlopen(
                "GET",
                address.target,
                headers={
                    "User-Agent": agent,
                    "Accept": "text/html, text/plain;q=0.5",
                    "Accept-Encoding": "gzip",
                },
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
            )
            with closing(response):
                headers = {name.lower(): value for name, value in response.headers.items()}
                guard.check(limits)
                accept(response.status, headers)
                data, received = _body(response, headers, limits.bytes, alive)
                # A connection that was cut looks like one that came to its end.
                guard.check(limits)
            return Answer(response.status, headers, data, received)
        except SSLError as error:
            raise Denied(f"There is no safe connection to {address.host}: {_plain(error)}.") from error
        except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            guard.check(limits)
            raise Unavailable(
                f"{address.host} did not answer: {_plain(error)}.", silent=not guard.connected
            ) from error
        finally:
            pool.close()


def _pool(address: Address, guard: _Guard, limits: Limits) -> urllib3.HTTPConnectionPool:
    """A pool for one request whose connection goes to the guard's IP address, by the name of the host.

    TLS checks the certificate against that name, and the request holds it.
    """
    secure = address.scheme == "https"
    base: type[HTTPConnection] = HTTPSConnection if secure else HTTPConnection

    class Pinned(base):  # type: ignore[misc, valid-type]  # chosen at run time
        def _new_conn(self) -> socket.socket:
            return guard.connect(address.port, limits.connect_seconds)

    class Pool(urllib3.HTTPSConnectionPool if secure else urllib3.HTTPConnectionPool):  # type: ignore[misc]  # likewise
        ConnectionCls = Pinned

    timeout = urllib3.Timeout(connect=limits.connect_seconds, read=limits.read_seconds)
    host = f"[{address.host}]" if ":" in address.host else address.host
    pool: urllib3.HTTPConnectionPool = Pool(host, address.port, timeout=timeout, maxsize=1)
    return pool


def _body(
    response: Any, headers: Mapping[str, str], maximum: int, alive: Callable[[], None]
) -> tuple[bytes, int]:
    """The body, unpacked, and how many bytes of it came. Stops at the first byte beyond `maximum`."""
    packing = headers.get("content-encoding", "").strip().lower()
    if packing not in _PACKED | {"", "identity"}:
        raise Denied(f"It is compressed as {packing[:40]!r}, which was not requested.", response.status)
    announced = headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and len(announced) < 19 and int(announced) > maximum:
        raise _too_large(maximum, response.status)
    unpacker = zlib.decompressobj(wbits=47) if packing in _PACKED else None
    data = bytearray()
    received = 0
    while piece := response.read1(PIECE, decode_content=False):
        alive()
        received += len(piece)
        try:
            data += unpacker.decompress(piece, maximum + 1 - len(data)) if unpacker else piece
        except zlib.error as error:
            raise Denied("Its compression cannot be read.", response.status) from error
        if len(data) > maximum or received > maximum:
            raise _too_large(maximum, response.status)
    if unpacker and received and not unpacker.eof:
        raise Unavailable("It is incomplete.", response.status)
    return bytes(data), received


def _too_large(maximum: int, status: int) -> Denied:
    return Denied(f"It is larger than {maximum / (1 << 20):g} MB.", status)


def _plain(error: BaseException) -> str:
    """The message of an error of the network, without the objects that libraries name in it."""
    cause = error
    while inner := next(
        (one for one in (*cause.args, cause.__cause__) if isinstance(one, BaseException)), None
    ):
        cause = inner
    if isinstance(cause, ssl.SSLCertVerificationError):
        return cause.verify_message or "the certificate is not valid"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror.lower()
    if isinstance(cause, TimeoutError | urllib3.exceptions.TimeoutError):
        return "it was silent for too long"
    return type(cause).__name__


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds of a Retry-After header, in seconds or as a date; None without one that can be read."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - (now or time.time()))
    except (ValueError, TypeError, OverflowError):
        return None
