"""Where the web server listens: PARAGOLD_BIND (an IP address, default 127.0.0.1) and PORT (default 8000)."""

from __future__ import annotations

import errno
import ipaddress
import socket
from dataclasses import dataclass

from config.variables import value
from ops.launcher.installation import LauncherError


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int

    @classmethod
    def from_environment(cls) -> Address:
        """Raises LauncherError when PORT or PARAGOLD_BIND cannot be understood."""
        host = value("PARAGOLD_BIND")
        host = "127.0.0.1" if host == "localhost" else host.strip("[]")
        try:
            ipaddress.ip_address(host)
        except ValueError as error:
            raise LauncherError(
                f"PARAGOLD_BIND must be an IP address such as 127.0.0.1 or 0.0.0.0, not {host!r} "
                "(the port goes into PORT)."
            ) from error
        text = value("PORT")
        if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
            raise LauncherError(f"PORT must be a number from 1 to 65535, not {text!r}.")
        return cls(host, int(text))

    @property
    def is_loopback(self) -> bool:
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def url(self) -> str:
        """An address that opens in a browser on this machine."""
        address = ipaddress.ip_address(self.host)
        host = ("127.0.0.1" if address.version == 4 else "::1") if address.is_unspecified else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    def listen(self, *, again: str) -> socket.socket:
        """Take the port now, before any work is done; the web server inherits the socket.

        Connections wait in its queue while the web server starts or is started again.
        `again` is the command that an error says to repeat.
        Raises LauncherError when the port is taken or not allowed.
        """
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self.host, self.port))
            listener.listen(512)
        except OSError as error:
            listener.close()
            raise LauncherError(self._explain(error, again)) from error
        return listener

    def _explain(self, error: OSError, again: str) -> str:
        if error.errno == errno.EADDRINUSE:
            other = self.port + 1 if self.port < 65535 else 8001
            return f"Port {self.port} is in use by another program. Choose another: PORT={other} {again}"
        if error.errno == errno.EACCES:
            return f"Port {self.port} is reserved for the system. Choose one above 1023: PORT=8001 {again}"
        if error.errno == errno.EADDRNOTAVAIL:
            return f"{self.host} is not an address of this machine: change PARAGOLD_BIND."
        return f"Cannot listen on {self.host} port {self.port}: {error.strerror}."
