"""Middleware: requests that are not UTF-8 are refused, pages get no devices, other sites embed nothing, files
have a share of the threads, and one thread never waits long for a lock.

While the database is locked, every request that saves something waits for the lock, for up to
PARAGOLD_LOCK_SECONDS. All threads but one may wait so long; on the last one a request gets 503 soon, so that
health checks are answered.
"""

from __future__ import annotations

import codecs
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop as _

from projects.api.transport import REFUSAL, is_surrogate_error
from projects.error_responses import API, RECEIVING, answer_overload, carries_file
from projects.lock_wait import SHORT_WAIT, lock_wait
from projects.parsing.process import share_calls

NO_DEVICES = ", ".join(
    f"{device}=()"
    for device in (
        "camera",
        "display-capture",
        "geolocation",
        "microphone",
        "midi",
        "payment",
        "serial",
        "usb",
    )
)
ONLY_UTF8 = _("Only UTF-8 is accepted. Send the request again as UTF-8.")

LARGE_BYTES = 64 << 10
"""Bodies of more bytes are large, as files are: what people type is smaller."""
DISCARD_SECONDS, DISCARD_PAUSE_MILLISECONDS = 0.5, 100
# They do not wait for a lock, or bound their wait themselves.
EXEMPT = ("/livez", "/readyz")


class Utf8Requests:
    """Refuses requests in other encodings, and answers 400 to text that can be neither stored nor shown.

    `projects.api.transport` refuses JSON with lone surrogates; Django takes them out of names of files.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # None without a charset, or with one that Python does not know.
        if request.encoding and codecs.lookup(request.encoding).name not in ("utf-8", "ascii"):
            return _refused(request, ONLY_UTF8, 415)
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        return _refused(request, REFUSAL, 400) if is_surrogate_error(error) else None


def _refused(request: HttpRequest, why: str, status: int) -> HttpResponseBase:
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext(why)}, status=status)
    return render(None, "500.html", {"unreadable": gettext(why)}, status=status)


def browser_headers(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Pages use no camera, microphone or other device, whatever got into them; other sites embed nothing."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers["Permissions-Policy"] = NO_DEVICES
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response

    return answer


class LargeRequests:
    """Half of the threads of this process receive files and other large bodies at a time, and a quarter wait
    for a file to be parsed. Beyond that the answer is 503: the other threads go on answering."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.WEB_THREADS:
            raise MiddlewareNotUsed
        self._get_response = get_response
        self._free = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 2))
        share_calls(max(1, settings.WEB_THREADS // 4))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not carries_file(request) and int(request.META.get("CONTENT_LENGTH") or 0) <= LARGE_BYTES:
            return self._get_response(request)
        if not self._free.acquire(blocking=False):
            _discard_body(request)
            return answer_overload(request, RECEIVING)
        try:
            return self._get_response(request)
        finally:
            self._free.release()


def _discard_body(request: HttpRequest) -> None:
    """Take what comes without a pause, so that its sender reads the answer, and nothing more after that.

    Gunicorn itself would wait for the rest of a body that nobody has read, for up to seven seconds.
    """
    connection_socket = request.META.get("gunicorn.socket")
    if connection_socket is None:
        return
    arrived = select.poll()
    arrived.register(connection_socket, select.POLLIN)
    until = time.monotonic() + DISCARD_SECONDS
    with suppress(OSError):
        while time.monotonic() < until and arrived.poll(DISCARD_PAUSE_MILLISECONDS):
            if not connection_socket.recv(1 << 16):
                break
        connection_socket.shutdown(socket.SHUT_RD)


class SpareThread:
    """Lets WEB_THREADS - 1 requests of this process wait for a lock as long as the settings say.

    When one on the last thread gave up, those that follow on it do not wait at all until one of the others
    got through.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.WEB_THREADS:
            raise MiddlewareNotUsed
        self._get_response = get_response
        self._patient = threading.BoundedSemaphore(settings.WEB_THREADS - 1)
        self._gave_up = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path in EXEMPT:
            return self._get_response(request)
        if self._patient.acquire(blocking=False):
            try:
                response = self._get_response(request)
            finally:
                self._patient.release()
            if response.status_code != 503:
                self._gave_up = False
            return response
        with lock_wait(0 if self._gave_up else SHORT_WAIT):
            response = self._get_response(request)
        if response.status_code == 503:
            self._gave_up = True
        return response
