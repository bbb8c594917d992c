"""The plug-ins and the audit log of the installation for programs of administrators, at their pages."""

from __future__ import annotations

from typing import Any

from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from paragold.plugins import installed_plugins
from projects.audit_list import AuditFilters
from projects.models import AuditEntry
from projects.permissions import check_administer
from projects.services.audit import FIELDS

from .endpoint import Endpoint, KnownFilters
from .lists import SortedPagination
from .serializers import RowSerializer


class AdministratorEndpoint(Endpoint):
    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        check_administer(self.caller)


class PluginsView(AdministratorEndpoint):
    def get(self, request: Request) -> Response:
        """The plug-ins that are installed, also those that cannot be used, with their errors."""
        self.filters()
        return Response({"plugins": installed_plugins()})


class AuditEntrySerializer(RowSerializer[AuditEntry]):
    class Meta:
        model = AuditEntry
        fields = FIELDS


class AuditView(AdministratorEndpoint, ListAPIView[Any]):
    """The entries of the audit log, the oldest first; with the last `cursor` those that came since."""

    queryset = AuditEntry.objects.all()
    serializer_class = AuditEntrySerializer
    filter_backends = (KnownFilters,)
    filterset_class = AuditFilters
    pagination_class = SortedPagination
