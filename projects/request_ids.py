"""One number for a request, in the log lines about it and about the jobs that it asked for.

A proxy's own number (`X-Request-ID`) is kept, so that its log can be compared; others are drawn here.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase

logger = logging.getLogger("paragold.requests")

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
    token, asked = _current.set(number), _request.set(request)
    try:
        yield
    finally:
        _current.reset(token)
        _request.reset(asked)


class AddRequestId(logging.Filter):
    """Gives log records their `request_id`."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current() or "-"
        return True


class RequestIds:
    """Middleware: a number for each request, in its answer and its log lines, and one line at its end."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        number = given if GIVEN.fullmatch(given) else uuid.uuid4().hex
        started = time.perf_counter()
        with working_for(number, request):
            response = self._get_response(request)
            logger.info(
                "%s %s: %s",
                request.method,
                page_of(request),
                response.status_code,
                extra={
                    "method": request.method,
                    "page": page_of(request),
                    "status": response.status_code,
                    "milliseconds": round(1000 * (time.perf_counter() - started)),
                },
            )
        response.headers[HEADER] = number
        return response


def page_of(request: HttpRequest) -> str:
    """The name of a request's address in `urls.py`, without row numbers; "none" for an unknown address."""
    match = request.resolver_match
    return (match.view_name if match else "") or "none"
