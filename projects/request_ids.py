"""One number for a request, in the log lines about it and about the jobs that it asked for.

A proxy's own number (`X-Request-ID`) is kept, so that its log can be compared; others are drawn here.
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.http import HttpRequest

_current: ContextVar[str] = ContextVar("request_id", default="")
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)
HEADER = "X-Request-ID"
# A UUID, or what proxies write; nothing that could end a line of the log.
GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")


def current() -> str:
    """The number of the request that this thread works for, "" for none."""
    return _current.get()


def current_request() -> HttpRequest | None:
    """The request that this thread answers, None in commands and jobs."""
    return _request.get()


@contextmanager
def working_for(number: str, request: HttpRequest | None = None) -> Iterator[None]:
    """Log lines and audit entries of this thread carry the number inside the block."""
    token, request_before = _current.set(number), _request.set(request)
    try:
        yield
    finally:
        _current.reset(token)
        _request.reset(request_before)


class AddRequestId(logging.Filter):
    """Gives log records their `request_id`."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current() or "-"
        return True


def number_of(request: HttpRequest) -> str:
    """The number that a proxy gave the request, or a new one."""
    given = request.headers.get(HEADER, "")
    return given if GIVEN.fullmatch(given) else uuid.uuid4().hex


def page_of(request: HttpRequest) -> str:
    """The name of a request's address in `urls.py`, without row numbers; "none" for an unknown address."""
    match = request.resolver_match
    return (match.view_name if match else "") or "none"
