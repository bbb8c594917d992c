"""The settings of the installation, for its administrators."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.models import InstallationSettings
from projects.permissions import check_administer
from projects.services.installation import LIMITS, change_installation, installation_settings, is_forbidden

from .endpoint import Endpoint
from .serializers import RowSerializer, StrictSerializer


class InstallationSerializer(RowSerializer[InstallationSettings]):
    """Without `decided_at` nobody has changed the settings yet."""

    forbidden = serializers.SerializerMethodField(
        help_text="Whether the server's environment forbids fetching, whatever this setting says."
    )
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)

    class Meta:
        model = InstallationSettings
        fields = ("fetching", "fetch_contact", *LIMITS, "forbidden", "decided_by", "decided_at")
        extra_kwargs = {"decided_at": {"allow_null": True}}

    def get_forbidden(self, row: InstallationSettings) -> bool:
        return is_forbidden()


class NewInstallationSerializer(StrictSerializer):
    fetching = serializers.BooleanField()
    fetch_contact = serializers.CharField(
        max_length=200,
        allow_blank=True,
        help_text="Web or mail address at which sites reach the people who fetch.",
    )
    fetch_delay_seconds = serializers.FloatField(
        min_value=1, max_value=60, help_text="Seconds between two requests to a host: 1 to 60."
    )
    fetch_seconds = serializers.IntegerField(
        min_value=5, max_value=60, help_text="Maximum seconds of a request: 5 to 60."
    )
    fetch_megabytes = serializers.IntegerField(
        min_value=1, max_value=10, help_text="Maximum size of a page in megabytes: 1 to 10."
    )


class InstallationView(Endpoint):
    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        check_administer(request.user)

    @extend_schema(operation_id="installation_retrieve", responses=InstallationSerializer)
    def get(self, request: Request) -> Response:
        """Settings of the installation, and who changed them last."""
        self.filters()
        return Response(InstallationSerializer(installation_settings()).data)

    @extend_schema(
        operation_id="installation_update",
        request=NewInstallationSerializer,
        responses=InstallationSerializer,
    )
    def put(self, request: Request) -> Response:
        """Change the settings, as an administrator: whether pages are fetched, and the limits."""
        change_installation(by=self.caller, **self.body(NewInstallationSerializer))
        return Response(InstallationSerializer(installation_settings()).data)
