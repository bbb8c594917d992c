"""What the audit log says, without the logins that every client of a test begins with."""

from projects.models import AuditEntry

LOGINS = ("login", "logout")


def entries(**conditions):
    """The entries, the oldest first."""
    return AuditEntry.objects.filter(**conditions).exclude(event__in=LOGINS).order_by("pk")


def events(**conditions):
    return [entry.event for entry in entries(**conditions)]
