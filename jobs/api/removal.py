"""Archiving, restoring and deleting: the same for every kind of object (`jobs.services.removal`)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.services import removal
from projects.api.endpoint import ResourceObject
from projects.api.serializers import StrictSerializer


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


class ChangeSerializer(StrictSerializer):
    archived = serializers.BooleanField(
        required=False, help_text="true hides it from lists and choices, false shows it again."
    )


class RemovableObject(ResourceObject):
    """One object, which managers archive and delete: at once out of sight, its rows as fast as they go."""

    change_serializer: type[StrictSerializer] = ChangeSerializer

    @extend_schema(request=ChangeSerializer)
    def patch(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Archive it, or restore what was archived; fields that are left out stay as they are."""
        self.filters()
        self.change(self.body(self.change_serializer))
        return self.get(request, *arguments, **kwargs)

    def change(self, fields: dict[str, Any]) -> None:
        if "archived" in fields:
            removal.set_archived(obj=self.object, by=self.caller, archived=fields["archived"])

    @extend_schema(
        parameters=[ConfirmationFilters], responses={204: None, 409: OpenApiResponse(InUseSerializer)}
    )
    def delete(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Delete it for good. 409 lists the objects that refer to it; delete those first."""
        confirmed = self.filters(ConfirmationFilters).get("confirm")
        removal.delete(obj=self.object, by=self.caller, confirmed=confirmed)
        return Response(status=status.HTTP_204_NO_CONTENT)
