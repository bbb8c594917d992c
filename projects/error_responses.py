"""How errors are answered: JSON under /api/, a page elsewhere.

A full disk and a busy or missing database, wherever they are noticed, are 503 with Retry-After, never 500; a
file that does not fit on the disk is 507. Every error of the API is `{"detail": "..."}`, with the fields at
fault beside it, and for a stale version what is stored now.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import NON_FIELD_ERRORS, RequestDataTooBig, ValidationError as ModelError
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop as _
from django.views.defaults import page_not_found, server_error
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from paragold.problems import PROBLEMS_SHOWN, REPORT_BYTES, bounded, further
from paragold.registry import plugin_failure
from projects.api.transport import REFUSAL, is_surrogate_error
from projects.errors import Conflict, InUse, KeyReused, PublicError, TooLittleRoom
from projects.parsing.process import TooManyCalls
from projects.storage import StoreAway

logger = logging.getLogger(__name__)

API = "/api/"
TOO_LITTLE_ROOM = 507
NAME_BYTES = 100
"""How long the name of a field in an error may get."""
FILES = ("multipart/form-data", "application/octet-stream", "application/x-ndjson")


@dataclass(frozen=True, slots=True)
class Overload:
    """What hinders the server, in a sentence for the caller, and the seconds until another try."""

    sentence: str
    retry_after: int


FULL = Overload(_("The server's disk is full. Try again later, or ask the administrator to free space."), 30)
UNWRITABLE = Overload(
    _("The server cannot write to its disk. Try again later, or ask the administrator."), 30
)
BUSY = Overload(_("The database is busy with other work. Try again in a few seconds."), 5)
AWAY = Overload(_("The database does not answer. Try again in a few seconds."), 10)
READING = Overload(_("Other files are being read. Try again in a few seconds."), 10)
RECEIVING = Overload(_("Other files are being received. Try again in a few seconds."), 5)
STORE_AWAY = Overload(_("The file store does not answer. Try again in a few seconds."), 10)

SESSION_ENDED = (SessionInterrupted, UpdateError)
DISK = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: UNWRITABLE}
SQLITE = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: UNWRITABLE,
    sqlite3.SQLITE_IOERR: UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: AWAY,
}
# By SQLSTATE, or its class of two characters.
POSTGRESQL = {
    "55P03": BUSY,  # lock timeout
    "57014": BUSY,  # statement timeout
    "40": BUSY,  # deadlock, serialisation
    "53100": FULL,
    "53": BUSY,  # out of memory or connections
    "25006": UNWRITABLE,  # read-only, such as a standby
    "57": AWAY,  # shut down, or starting
    "08": AWAY,
}


def overload_of(error: BaseException | None) -> Overload | None:
    """What hinders the server, read from an error or its causes; None for any other error."""
    while error is not None:
        if isinstance(error, StoreAway):
            return STORE_AWAY
        if isinstance(error, TooManyCalls):
            return READING
        known = DISK.get(error.errno or 0) if isinstance(error, OSError) else _database(error)
        if known is not None:
            return known
        # Django takes a session that the database could not store for one that somebody has ended.
        error = error.__context__ if isinstance(error, SESSION_ENDED) else error.__cause__
    return None


def _database(error: BaseException) -> Overload | None:
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The low byte is the kind; a few errors of the module itself have no code.
        return SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    state = getattr(cause, "sqlstate", None)
    if state:
        return POSTGRESQL.get(state) or POSTGRESQL.get(state[:2])
    # psycopg gives no state when there is no connection, or no longer.
    return AWAY if isinstance(error, OperationalError | InterfaceError) else None


def carries_file(request: HttpRequest) -> bool:
    return request.content_type in FILES


def asks_for_json(request: HttpRequest) -> bool:
    """Whether a program sent the request: to the API, or a page's script that sends a form."""
    return request.path.startswith(API) or request.headers.get("Accept") == "application/json"


def _close_uploads(request: HttpRequest) -> None:
    """Close, and so remove, the temporary files of an upload that was cut off."""
    for handler in request.upload_handlers:
        file = getattr(handler, "file", None)
        if file is not None:
            file.close()


def answer_overload(request: HttpRequest, overload: Overload, status: int = 503) -> HttpResponse:
    """A page, or JSON for the API."""
    if overload is FULL and carries_file(request):
        status = TOO_LITTLE_ROOM
    if carries_file(request):
        _close_uploads(request)
    response: HttpResponse
    if asks_for_json(request):
        response = JsonResponse({"detail": gettext(overload.sentence)}, status=status)
    else:
        # Without a request: the context processors would ask the database.
        response = render(None, "500.html", {"overload": overload}, status=status)
    response.headers["Retry-After"] = str(overload.retry_after)
    return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext("There is nothing at this address.")}, status=404)
    return page_not_found(request, exception)


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    hindrance = overload_of(exception)
    if hindrance is not None:
        return answer_overload(request, hindrance)
    if request.path.startswith(API):
        return JsonResponse(
            {"detail": gettext("The request could not be read. Check it and send it again.")}, status=400
        )
    # Without a request, which may have no user yet: that of another host, for example.
    remedy = gettext("Go back, reload the page, and send it again.")
    return render(None, "500.html", {"unreadable": remedy}, status=400)


def broken(request: HttpRequest) -> HttpResponseBase:
    """Every error that nobody has caught, in views and middleware alike."""
    hindrance = overload_of(sys.exception())
    if hindrance is not None:
        return answer_overload(request, hindrance)
    failure = plugin_failure(sys.exception())
    if request.path.startswith(API):
        detail = failure or gettext("An internal error occurred. See the server's log.")
        return JsonResponse({"detail": detail}, status=500)
    return render(None, "500.html", {"failure": failure}, status=500) if failure else server_error(request)


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    if isinstance(error, Conflict):
        return Response({"detail": str(error), "current": error.current}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, KeyReused):
        return Response({"detail": str(error)}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    if isinstance(error, InUse):
        return Response({"detail": str(error), "used_by": error.used_by}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, PublicError):
        refused = TOO_LITTLE_ROOM if isinstance(error, TooLittleRoom) else 400
        message = bounded(str(error), REPORT_BYTES)
        at_fault = {error.field: [message]} if error.field else {}
        return Response({"detail": message, **at_fault}, status=refused)
    if isinstance(error, ModelError):
        fields = error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
        return Response(with_detail(fields), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, RequestDataTooBig):
        limit = gettext("The body is larger than the %(limit)s bytes that are allowed.")
        detail = limit % {"limit": settings.DATA_UPLOAD_MAX_MEMORY_SIZE}
        return Response({"detail": detail}, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
    hindrance = overload_of(error)
    if hindrance is not None:
        set_rollback()
        logger.warning("Answered 503: %r", error)
        request: HttpRequest = context["request"]._request
        return answer_overload(request, hindrance)
    if is_surrogate_error(error):
        return Response({"detail": gettext(REFUSAL)}, status=status.HTTP_400_BAD_REQUEST)
    response = exception_handler(error, context)
    if response is not None:
        response.data = with_detail(response.data)
    return response


def with_detail(data: Any) -> dict[str, Any]:
    """The first problems by field, all of them as one text under `detail`, and the number of the others."""
    if isinstance(data, Mapping) and isinstance(data.get("detail"), str):
        return {name: bounded(value) if isinstance(value, str) else value for name, value in data.items()}
    fields = dict(data) if isinstance(data, Mapping) else {NON_FIELD_ERRORS: data}
    problems = FirstProblems()
    for name in ("non_field_errors", NON_FIELD_ERRORS):
        problems.take(fields.pop(name, []), "")
    kept = problems.by_name(fields, "")
    last = [further(problems.others)] if problems.others else []
    return {"detail": " ".join(problems.texts + last), **kept}


class FirstProblems:
    """Takes the first problems out of a nest of lists and mappings; the others are counted."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.others = 0

    def by_name(self, errors: Mapping[Any, Any], place: str) -> dict[str, Any]:
        taken = {}
        for name, inner in errors.items():
            short = bounded(str(name), NAME_BYTES)
            if kept := self.take(inner, f"{place}{short}: "):
                taken[short] = kept
        return taken

    def take(self, errors: Any, place: str) -> Any:
        """What is kept of `errors`; nothing (falsy) beyond the first problems."""
        if isinstance(errors, Mapping):
            return self.by_name(errors, place)
        if isinstance(errors, list):
            return [kept for inner in errors if (kept := self.take(inner, place))]
        if isinstance(code := getattr(errors, "code", None), int):  # `more_problems`
            self.others += code
        elif len(self.texts) == PROBLEMS_SHOWN:
            self.others += 1
        else:
            message = bounded(str(errors))
            self.texts.append(f"{place}{message}")
            return message
        return ""
