"""Asks the web server whether it is ready. `python -m ops.launcher.probe URL` exits with 0 when it is."""

from __future__ import annotations

import http.client
import os
import sys
from urllib.parse import urlsplit


def is_ready(url: str, *, timeout: float = 1.0) -> bool:
    """GET /readyz of the server at `url`, under a host name it accepts, as a proxy with TLS would ask."""
    parts = urlsplit(url)
    hosts = os.environ.get("PARAGOLD_ALLOWED_HOSTS", "").split(",")
    named = hosts[0].strip().lstrip(".")
    headers = {
        "Host": named if named and "*" not in named else "localhost",
        "X-Forwarded-Proto": "https",
        "Connection": "close",
    }
    connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port or 80, timeout=timeout)
    try:
        connection.request("GET", "/readyz", headers=headers)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if is_ready(sys.argv[1]) else 1)
