"""A full disk and a busy or missing database, wherever they are noticed: 503 with Retry-After, never 500.

A file that does not fit on the disk is answered with 507 instead.
"""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

API = "/api/"
TOO_LITTLE_ROOM = 507
FILES = ("multipart/form-data", "application/octet-stream", "application/x-ndjson")


@dataclass(frozen=True, slots=True)
class Overload:
    """What hinders the server, in a sentence for the caller, and the seconds until another try."""

    sentence: str
    retry_after: int


FULL = Overload("The server's disk is full. Try again later, or ask the administrator to free room.", 30)
UNWRITABLE = Overload("The server cannot write to its disk. Try again later, or ask the administrator.", 30)
BUSY = Overload("The database is busy with other work. Try again in a few seconds.", 5)
AWAY = Overload("The database does not answer. Try again in a few seconds.", 10)

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
        known = _disk(error) if isinstance(error, OSError) else _database(error)
        if known is not None:
            return known
        error = error.__cause__
    return None


def _disk(error: OSError) -> Overload | None:
    return DISK.get(error.errno or 0)


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


def _close_uploads(request: HttpRequest) -> None:
    """Close, and so remove, the temporary files of an upload that was cut off."""
    for handler in request.upload_handlers:
        file = getattr(handler, "file", None)
        if file is not None:
            file.close()


def answer(request: HttpRequest, overload: Overload) -> HttpResponse:
    """A page, or JSON for the API."""
    status = TOO_LITTLE_ROOM if overload is FULL and carries_file(request) else 503
    if carries_file(request):
        _close_uploads(request)
    response: HttpResponse
    if request.path.startswith(API):
        response = JsonResponse({"detail": overload.sentence}, status=status)
    else:
        # Without a request: the context processors would ask the database.
        response = render(None, "503.html", {"overload": overload}, status=status)
    response.headers["Retry-After"] = str(overload.retry_after)
    return response
