"""Keeping objects from being deleted while something is made that will refer to them."""

from __future__ import annotations

from django.db import connection

from corpus.errors import PublicError
from corpus.models import CorpusImport, Project, Removable


def keep(*objects: Removable | None) -> None:
    """Until this transaction ends nobody deletes the objects.

    Raises PublicError where one is deleted already. On SQLite a transaction keeps all other writers out.
    """
    # The weakest lock that a deletion waits for; Django knows only stronger ones.
    share = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    for obj in objects:
        if obj is None:
            continue
        table = connection.ops.quote_name(obj._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT 1 FROM {table} WHERE id = %s AND deleted_at IS NULL{share}",  # noqa: S608 - our own table
                [obj.pk],
            )
            if cursor.fetchone() is None:
                raise PublicError(f"{obj} was deleted meanwhile. Choose another.")


def keep_imports(project: Project) -> None:
    """As `keep`, for all imports of a project: an extraction is over all articles that are there.

    Raises PublicError while one is being deleted.
    """
    rows = CorpusImport.everything.filter(project=project).order_by("pk")
    share = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    sql, parameters = rows.values_list("filename", "deleted_at").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(sql + share, parameters)
        for filename, deleted_at in cursor.fetchall():
            if deleted_at is not None:
                raise PublicError(f"The import {filename} is being deleted. Try again when that has ended.")
