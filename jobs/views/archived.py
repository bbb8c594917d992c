"""Lists without what is archived, or with nothing else (`?archived=yes`)."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest


def shown(request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows that a list shows; the template tag `archived` offers the others where there are any."""
    archived = rows.exclude(archived_at=None)
    request.has_archived = getattr(request, "has_archived", False) or archived.exists()  # type: ignore[attr-defined]  # for the tag
    return archived if shows_archived(request) else rows.filter(archived_at=None)


def shows_archived(request: HttpRequest) -> bool:
    return request.GET.get("archived") == "yes"
