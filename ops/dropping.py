"""Before an upgrade drops tables and columns of what is gone: they are named, and a backup is written."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.core.management.base import CommandError, OutputWrapper
from django.db.migrations import Migration
from django.db.migrations.operations import DeleteModel, RemoveField
from django.db.migrations.operations.base import Operation
from django.db.models import Q, QuerySet

from projects.errors import PublicError
from projects.upgrade_steps import DeleteRows

QUESTION = "Write a backup first? [Y/n]"
SOME = "some of "


def before_migrating(
    *, plan: list[tuple[Migration, bool]], apps: Any, interactive: bool, stdout: OutputWrapper, **others: Any
) -> None:
    """Receives `pre_migrate`. Raises CommandError, and nothing is changed, where no backup can be written."""
    going = losses(plan, apps)
    if not going:
        return
    say(
        stdout,
        "This upgrade drops what Paragold no longer has (CHANGELOG.md). Tables and columns, with rows:",
    )
    say(stdout, *(f"  {name}: {rows:,}" for name, rows in going.items() if rows))
    if empty := [name for name, rows in going.items() if not rows]:
        say(stdout, f"  empty: {', '.join(empty)}")
    if settings.UPGRADE_WITHOUT_BACKUP or (interactive and sys.stdin.isatty() and declined(stdout)):
        say(stdout, "No backup is written.")
        return
    from ops.backup.writing import back_up_in_folder

    try:
        made = back_up_in_folder()
    except (PublicError, OSError) as error:
        raise CommandError(
            f"Nothing was changed, since no backup can be written: {error} When you have one of your own, "
            "set PARAGOLD_UPGRADE_WITHOUT_BACKUP=1 for this start."
        ) from error
    say(stdout, f"Backup: {made.path} ({made.bytes:,} bytes). Keep it until all is well.")


def losses(plan: Iterable[tuple[Migration, bool]], apps: Any) -> dict[str, int]:
    """How many rows the plan takes away, by table; of columns, those that hold more than the default.

    `apps` has the models as the database has them; what it does not have is left out.
    """
    going = {}
    for migration, backwards in plan:
        for operation in () if backwards else migration.operations:
            with suppress(LookupError, FieldDoesNotExist):
                if lost := lost_rows(operation, migration.app_label, apps):
                    name, rows = lost
                    going[name] = rows.count()
    return {name: rows for name, rows in going.items() if rows or not name.startswith(SOME)}


def lost_rows(operation: Operation, app: str, apps: Any) -> tuple[str, QuerySet[Any]] | None:
    if isinstance(operation, DeleteModel):
        model = apps.get_model(app, operation.name)
        return model._meta.db_table, model._base_manager.all()
    if isinstance(operation, RemoveField):
        model = apps.get_model(app, operation.model_name)
        field = model._meta.get_field(operation.name)
        nothing = Q((f"{field.name}__isnull", True)) | Q((field.name, field.get_default()))
        return f"{model._meta.db_table}.{field.column}", model._base_manager.exclude(nothing)
    if isinstance(operation, DeleteRows):
        chosen = operation.rows(apps)
        return SOME + chosen.model._meta.db_table, chosen
    return None


def declined(stdout: OutputWrapper) -> bool:
    say(stdout, QUESTION)
    try:
        return input().strip().lower() in ("n", "no")
    except EOFError as error:
        raise CommandError("Nothing was changed.") from error


def say(stdout: OutputWrapper, *lines: str) -> None:
    """At once, also where a pipe takes it."""
    for line in lines:
        stdout.write(line)
    stdout.flush()
