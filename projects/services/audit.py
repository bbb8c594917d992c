"""The audit log of the installation: who did or saw what, from where. Entries are added, never changed.

Whatever records an event does so in the transaction of the change, so that there is neither without the
other. Entries older than PARAGOLD_AUDIT_DAYS are removed, which is recorded as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import islice
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django_filters import ChoiceFilter, DateFilter

from paragold.formats.tables import CSV_START, csv_lines
from projects import request_ids
from projects.audit_events import EVENTS
from projects.interface_language import in_language
from projects.listings import ListFilters, SortFilter, TextFilter
from projects.models import AuditEntry, Project
from projects.services.logins import client_network

# The same person who sees the same kind of page about the same thing again leaves one entry in this time.
SEEN_AGAIN = timedelta(minutes=10)
# Entries are removed at most about once a day, so that the log is not full of it.
PRUNED_EVERY = timedelta(days=1)
FIELDS = (
    "id", "at", "event", "actor", "actor_id", "project", "project_id", "target", "details", "address",
    "request_id",
)  # fmt: skip
FORMATS = ("csv", "jsonl")
READ_AT_ONCE = 500


def record(
    event: str,
    *,
    actor: User | None,
    project: Project | None = None,
    target: str = "",
    request: HttpRequest | None = None,
    **details: Any,
) -> AuditEntry:
    """Add an entry to the audit log.

    event: one of EVENTS, else ValueError. actor: who did it, None for a command, a job or a stranger.
    target: what it was done to, in words. request: where it came from; the one that this thread works for,
    where there is one. details: what else there is to say, as JSON.
    """
    if event not in EVENTS:
        raise ValueError(f"{event!r} is no event of the audit log; add it to EVENTS.")
    request = request or request_ids.current_request()
    return AuditEntry.objects.create(
        event=event,
        actor_id=actor.pk if actor else None,
        actor=actor.get_username() if actor else "",
        project_id=project.pk if project else None,
        project=project.slug if project else "",
        target=target[:200],
        details=details,
        address=client_network(request) if request else "",
        request_id=request_ids.current(),
    )


def record_seen(*, actor: User, project: Project, page: str, target: str) -> None:
    """Record that somebody sees others' answers on a kind of page, once within SEEN_AGAIN."""
    seen = AuditEntry.objects.filter(
        event="answers-seen",
        actor_id=actor.pk,
        project_id=project.pk,
        target=target[:200],
        at__gt=timezone.now() - SEEN_AGAIN,
        details__page=page,
    )
    if not seen.exists():
        record("answers-seen", actor=actor, project=project, target=target, page=page)


def record_download(project: Project | None, filename: str, **details: Any) -> None:
    """Record that whoever sent the present request gets a file."""
    record("file-downloaded", actor=current_user(), project=project, target=filename, **details)


def current_user() -> User | None:
    """Who sent the request that this thread works for; None for a stranger or without a request."""
    user = getattr(request_ids.current_request(), "user", None)
    return user if isinstance(user, User) else None


@receiver(user_logged_in)
def _logged_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    record("login", actor=user, target=user.get_username(), request=request)


@receiver(user_logged_out)
def _logged_out(sender: Any, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        record("logout", actor=user, target=user.get_username(), request=request)


@receiver(user_login_failed)
def _login_failed(sender: Any, credentials: Mapping[str, Any], request: HttpRequest | None, **_: Any) -> None:
    # What is no account may be a password in the wrong field: it is not stored.
    username = str(credentials.get("username", ""))
    known = User.objects.filter(username=username).exists()
    record("login-failed", actor=None, target=username if known else "no such account", request=request)


def prune() -> int:
    """Remove the entries older than PARAGOLD_AUDIT_DAYS and record that; returns how many."""
    if not settings.AUDIT_DAYS:
        return 0
    before = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    if not AuditEntry.objects.filter(at__lt=before - PRUNED_EVERY).exists():
        return 0
    with transaction.atomic():
        old: QuerySet[AuditEntry] = QuerySet(AuditEntry).filter(at__lt=before)
        details = {"entries": old.count(), "before": before.isoformat()}
        AuditEntry.objects.create(event="log-pruned", details=details, pruned_before=before)
        return old.delete()[0]


def exported(entries: QuerySet[AuditEntry], form: str) -> Iterator[str]:
    """The entries as a file in pieces of text, the oldest first; form: one of FORMATS."""
    if form == "csv":
        yield CSV_START + csv_lines([FIELDS])
    read = entries.order_by("pk").iterator(READ_AT_ONCE)
    while some := list(islice(read, READ_AT_ONCE)):
        if form == "csv":
            yield csv_lines(map(csv_cells, some))
        else:
            yield "".join(json.dumps(audit_values(entry), ensure_ascii=False) + "\n" for entry in some)


def csv_cells(entry: AuditEntry) -> list[Any]:
    return [
        json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
        for value in audit_values(entry).values()
    ]


def audit_values(entry: AuditEntry) -> dict[str, Any]:
    """An entry as an export has it."""
    return {name: getattr(entry, name) for name in FIELDS} | {"at": entry.at.isoformat()}


class DayFilter(DateFilter):
    def __init__(self, **options: Any) -> None:
        super().__init__(field_name="at", widget=forms.DateInput(attrs={"type": "date"}), **options)


class AuditFilters(ListFilters):
    event = ChoiceFilter(
        label=_("Event"), choices=in_language(list(EVENTS.items())), empty_label=_("any event")
    )
    person = TextFilter(label=_("Person"), field_name="actor", help_text=_("User name of who did it."))
    project = TextFilter(label=_("Project"), help_text=_("Short name of the project."))
    q = TextFilter(
        label=_("Object"), field_name="target", lookup_expr="icontains", help_text=_("Text in the object.")
    )
    since = DayFilter(label=_("From"), lookup_expr="date__gte", help_text=_("First day, in UTC."))
    until = DayFilter(label=_("To"), lookup_expr="date__lte", help_text=_("Last day, in UTC."))
    sort = SortFilter({"id": "pk"})
