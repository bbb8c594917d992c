"""The audit log as a long list, for its page, its API and its command."""

from __future__ import annotations

from typing import Any

from django import forms
from django_filters import ChoiceFilter, DateFilter

from projects.audit_events import EVENTS
from projects.models import AuditEntry, Project

from .listings import ListFilters, Listing, SortFilter, TextFilter


class DayFilter(DateFilter):
    def __init__(self, **options: Any) -> None:
        super().__init__(field_name="at", widget=forms.DateInput(attrs={"type": "date"}), **options)


class AuditFilters(ListFilters):
    event = ChoiceFilter(label="Event", choices=list(EVENTS.items()), empty_label="any event")
    person = TextFilter(label="Person", field_name="actor", help_text="User name of who did it.")
    project = TextFilter(label="Project", help_text="Short name of the project.")
    q = TextFilter(
        label="Object", field_name="target", lookup_expr="icontains", help_text="Text in the object."
    )
    since = DayFilter(label="From", lookup_expr="date__gte", help_text="First day, in UTC.")
    until = DayFilter(label="To", lookup_expr="date__lte", help_text="Last day, in UTC.")
    sort = SortFilter({"id": "pk"})


def entries_for(user: Any, project: Project | None) -> Any:
    return AuditEntry.objects.all() if user.is_superuser else AuditEntry.objects.none()


AUDIT = Listing(name="audit-log", noun="entry", plural="entries", rows=entries_for, filters=AuditFilters)
