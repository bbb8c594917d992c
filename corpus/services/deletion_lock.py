"""Keeping objects from being deleted while something is made that will refer to them."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import QuerySet

from corpus.models import CorpusImport
from projects.errors import PublicError
from projects.models import Project, Removable


def keep(*objects: Removable | None) -> None:
    """Until this transaction ends nobody deletes the objects.

    Raises PublicError where one is deleted already. On SQLite a transaction keeps all other writers out.
    """
    for obj in objects:
        if obj is None:
            continue
        rows = type(obj).everything.filter(pk=obj.pk, deleted_at=None)
        if not _shared(rows.order_by().values_list("pk")):
            raise PublicError(f"{obj} was deleted meanwhile. Choose another.")


def keep_imports(project: Project) -> None:
    """As `keep`, for all imports of a project: an extraction is over all articles that are there.

    Raises PublicError while one is being deleted.
    """
    rows = CorpusImport.everything.filter(project=project).order_by("pk")
    for filename, deleted_at in _shared(rows.values_list("filename", "deleted_at")):
        if deleted_at is not None:
            raise PublicError(f"The import {filename} is being deleted. Try again when that has ended.")


def _shared(rows: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows, locked against deletion by the weakest lock that does it; Django knows only stronger ones."""
    sql, parameters = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql + (" FOR KEY SHARE" if connection.vendor == "postgresql" else ""), parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
