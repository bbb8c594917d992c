"""What people make in a project and may take back: archived and restored, or deleted."""

from __future__ import annotations

from typing import Any, Self

from django.db import models


class RemovableQuerySet(models.QuerySet[Any]):
    def current(self) -> Self:
        """Those that lists and choices offer: without the archived ones."""
        return self.filter(archived_at=None)


class Kept:
    """For managers: all rows but those that are being deleted."""

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(deleted_at=None)  # type: ignore[misc]  # that of the manager


class KeptManager(Kept, models.Manager.from_queryset(RemovableQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class Removable(models.Model):
    """An archived row is hidden from lists and choices, and readable. One that is being deleted is hidden
    from everything but the job that removes it (`everything`)."""

    archived_at = models.DateTimeField(null=True, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)

    objects = KeptManager()
    everything = models.Manager()  # noqa: DJ012 - a second manager is taken for a field

    class Meta:
        abstract = True
