"""The audit log, for administrators."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from projects.audit_events import EVENTS
from projects.audit_list import AuditFilters
from projects.models import AuditEntry
from projects.services.audit import FIELDS

from .endpoint import KnownFilters
from .installation import AdministratorEndpoint
from .lists import SortedPagination
from .serializers import RowSerializer


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    """Without a project it is about an account or the installation."""

    event = serializers.ChoiceField(choices=list(EVENTS.items()), help_text="Kind of event.")
    details = serializers.DictField(help_text="What else there is to say of the event.")

    class Meta:
        model = AuditEntry
        fields = FIELDS


class AuditView(AdministratorEndpoint, ListAPIView[Any]):
    queryset = AuditEntry.objects.all()
    serializer_class = AuditEntrySerializer
    filter_backends = (KnownFilters,)
    filterset_class = AuditFilters
    pagination_class = SortedPagination

    @extend_schema(operation_id="audit_list")
    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """The entries of the audit log, the oldest first; with the last `cursor` those that came since."""
        return self.list(request, *arguments, **kwargs)
