"""The plug-ins and the audit log of the installation, for administrators."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from paragold.plugins import installed_plugins
from paragold.registry import Plugin
from projects.audit_events import EVENTS
from projects.audit_list import AuditFilters
from projects.models import AuditEntry
from projects.permissions import check_administer
from projects.services.audit import FIELDS

from .endpoint import Endpoint, KnownFilters
from .lists import SortedPagination
from .serializers import RowSerializer, WholeListSerializer


class PluginSerializer(serializers.Serializer[Plugin]):
    """What another package adds; where it cannot be used, `id` and `label` are "" and `error` says why."""

    group = serializers.CharField(help_text="Group of entry points, such as paragold.aligners.")
    kind = serializers.CharField(help_text="What it adds, such as aligner or link format.")
    name = serializers.CharField(help_text="Name of the entry point.")
    value = serializers.CharField(help_text="Module and object that the entry point leads to.")
    distribution = serializers.CharField(help_text="Name of the installed package.")
    version = serializers.CharField(help_text="Version of the installed package.")
    id = serializers.CharField(help_text="Id by which it is chosen.")
    label = serializers.CharField(help_text="What people read of it.")  # type: ignore[assignment]  # a field
    error = serializers.CharField(help_text="Why it cannot be used.")
    remedy = serializers.CharField(help_text="What to do about the error.")


class PluginListSerializer(WholeListSerializer):
    items = PluginSerializer(many=True)


class AdministratorEndpoint(Endpoint):
    """For administrators of the installation; nobody else learns whether an object exists."""

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        if kwargs and not self.caller.is_superuser:
            raise Http404("There is no object with this number that you may see.")
        check_administer(self.caller)


class PluginsView(AdministratorEndpoint):
    @extend_schema(operation_id="plugins_list", responses=PluginListSerializer)
    def get(self, request: Request) -> Response:
        """The plug-ins that are installed, also those that cannot be used, with their errors."""
        self.filters()
        return Response(PluginListSerializer({"items": installed_plugins()}).data)


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
