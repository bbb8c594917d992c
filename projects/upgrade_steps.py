"""A step of migrations that deletes rows of what is gone."""

from collections.abc import Callable
from typing import Any

from django.db.migrations import RunPython
from django.db.models import QuerySet


class DeleteRows(RunPython):
    """Deletes `rows(apps)` and what belongs to them. How many there are is said before an upgrade."""

    def __init__(self, rows: Callable[[Any], QuerySet[Any]]) -> None:
        super().__init__(self.delete, RunPython.noop)
        self.rows = rows

    def delete(self, apps: Any, schema_editor: Any) -> None:
        self.rows(apps).delete()
