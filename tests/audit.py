"""What the audit log says, without the logins that every client of a test begins with."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from projects.models import AuditEntry

LOGINS = ("login", "logout")


def entries(**conditions: Any) -> QuerySet[AuditEntry]:
    """The entries, the oldest first."""
    return AuditEntry.objects.filter(**conditions).exclude(event__in=LOGINS).order_by("pk")


def events(**conditions: Any) -> list[str]:
    return [entry.event for entry in entries(**conditions)]
