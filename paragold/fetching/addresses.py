"""Addresses of pages: parsed once, and only those that may be fetched."""

from __future__ import annotations

import re
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
    """Where a page is: `host` in lower case and ASCII, `target` the path with the query, percent-encoded."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def site(self) -> str:
        """What has a robots.txt of its own: scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == PORTS[self.scheme] else f":{self.port}")

    @property
    def url(self) -> str:
        return self.site + self.target

    @property
    def robots(self) -> Address:
        return Address(self.scheme, self.host, self.port, "/robots.txt")

    def joined(self, location: str) -> Address:
        """Where a redirect from here leads. Raises FileProblem as `parse_address` does."""
        try:
            joined = urljoin(self.url, location.strip())
        except ValueError as error:
            raise _refused(location, "is no address") from error
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
        raise _refused(text, "is no address") from error
    if parts.scheme not in PORTS:
        raise _refused(text, "does not begin with http:// or https://")
    if "@" in parts.netloc:
        raise _refused(text, "holds a user name or password")
    try:
        host = (parts.hostname or "").rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise _refused(text, "has a host name that cannot be") from error
    if not _HOST.fullmatch(host) or len(host) > 253 or port == 0:
        raise _refused(text, "has a host name or port that cannot be")
    target = quote(parts.path or "/", _SAFE_IN_TARGETS)
    if parts.query:
        target += "?" + quote(parts.query, _SAFE_IN_TARGETS)
    address = Address(parts.scheme, host, port or PORTS[parts.scheme], target)
    if len(address.url) > limits.URL_CHARACTERS:
        raise _refused(text, f"has more than {limits.URL_CHARACTERS:,} characters, percent-encoded")
    return address


def _refused(text: str, why: str) -> FileProblem:
    return FileProblem(f"{text[:100]!r} {why}.", "Write it as https://news.example/2004/dam.html.")
