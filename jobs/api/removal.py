"""Deleting, archiving and restoring: the same for every kind of object (`jobs.services.removal`)."""

from __future__ import annotations

from typing import Any, ClassVar

from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.services import removal
from projects.api.endpoint import DetailEndpoint, ListEndpoint, ObjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.listings import ArchivedFilter
from projects.permissions import check_manage


class UserOfIt(serializers.Serializer[Any]):
    kind = serializers.CharField()
    id = serializers.IntegerField()
    name = serializers.CharField()


class InUseSerializer(serializers.Serializer[Any]):
    """Why it is not deleted, and the objects that refer to it."""

    detail = serializers.CharField()
    used_by = UserOfIt(many=True)


class ConfirmationFilters(StrictSerializer):
    confirm = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Its name, required if people's answers are deleted too.",
    )


class ArchivedFilters(FilterSet):
    """Lists leave archived objects out unless asked for."""

    archived = ArchivedFilter()


class RemovableListEndpoint(ListEndpoint):
    """The objects of a project that can be archived."""

    filterset_class = ArchivedFilters


class ArchivedSerializer(serializers.Serializer[Any]):
    archived_at = serializers.DateTimeField(allow_null=True)


class RemovableEndpoint(DetailEndpoint):
    """The page of one object, which managers delete: at once out of sight, its rows as fast as they go."""

    @extend_schema(
        parameters=[ConfirmationFilters], responses={204: None, 409: OpenApiResponse(InUseSerializer)}
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it for good. 409 lists the objects that refer to it; delete those first."""
        confirmed = self.filters(ConfirmationFilters).get("confirm")
        removal.delete(obj=self.object, by=self.caller, confirmed=confirmed)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ArchiveView(ObjectEndpoint):
    """Archive an object of the kind that the address names, or restore it."""

    checks = {"POST": check_manage}
    rows: ClassVar[Any] = None
    archives = True

    @extend_schema(request=None, responses=ArchivedSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Archive or restore it. Archived objects are hidden from lists and choices; nothing else changes."""
        self.filters()
        change = removal.archive if self.archives else removal.restore
        change(obj=self.object, by=self.caller)
        return Response(ArchivedSerializer(self.object).data)


def views_of(kind: removal.Kind) -> dict[str, Any]:
    """The endpoints that archive and restore objects of a kind, by the last part of their address."""
    options: dict[str, Any] = {"rows": kind.model.objects.all(), "project_path": kind.project_path}
    return {
        "archive": ArchiveView.as_view(**options),
        "restore": ArchiveView.as_view(**options, archives=False),
    }
