"""Health checks: alive is the process, ready is what it needs."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from annotation.models import Judgement
from jobs.services.liveness import liveness
from ops import migrating
from projects.error_responses import FULL, overload_of
from projects.lock_wait import SHORT_WAIT, lock_wait

RETRY_AFTER_SECONDS = 5
FREE_BYTES = 16 << 20
BLOCK = b"\0" * 4096


@login_not_required
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"alive": True})


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when pages can be served, 503 with the problem otherwise.

    `worker` says whether work moves. Pages can be served without it, so that it makes a 503 only for those
    who ask for it: `/readyz?require=worker`.
    """
    try:
        # PostgreSQL lets readers of a locked table wait as well.
        with lock_wait(SHORT_WAIT):
            problem = next(filter(None, (check() for check in CHECKS)), "")
            work = liveness() if not problem else None
    except DatabaseError as error:
        known = overload_of(error)
        problem, work = known.sentence if known else "The database does not answer.", None
    if work is None:
        return _not_ready({"problem": problem})
    body: dict[str, Any] = {"ready": True, "worker": work.state}
    if not work.works:
        body |= {"worker_problem": work.problem}
        if request.GET.get("require") == "worker":
            return _not_ready(body | {"problem": work.problem})
    return JsonResponse(body)


def _not_ready(body: dict[str, Any]) -> JsonResponse:
    return JsonResponse(
        body | {"ready": False}, status=503, headers={"Retry-After": str(RETRY_AFTER_SECONDS)}
    )


def database() -> str:
    """What is wrong with the database, or nothing. Raises DatabaseError when it does not answer."""
    if not migrating.pending():
        return ""
    return migrating.WAITING if migrating.is_under_way() else "Run `manage.py migrate`."


def writing() -> str:
    """Why nothing can be saved (room on the disk, the write lock), or "". Writes a block, and no row.

    `readyz` bounds the wait.
    """
    try:
        if shutil.disk_usage(settings.VAR).free < FREE_BYTES:
            return FULL.sentence
        with tempfile.TemporaryFile(dir=settings.VAR, buffering=0) as file:
            file.write(BLOCK)
        _take_write_lock()
    except (DatabaseError, OSError) as error:
        known = overload_of(error)
        return known.sentence if known else "Nothing can be saved. See the server's log."
    return ""


def _take_write_lock() -> None:
    """Take the write lock and give it back. Raises DatabaseError."""
    with transaction.atomic(), connection.cursor() as cursor:
        # SQLite locks the database when the transaction begins.
        if connection.vendor == "postgresql":
            tables = ", ".join(f'"{model._meta.db_table}"' for model in (Session, Judgement))
            cursor.execute(f"LOCK TABLE {tables} IN ROW EXCLUSIVE MODE")


# What must be well for pages to be served: each returns what is wrong, or nothing.
CHECKS = (database, writing)
