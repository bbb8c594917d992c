"""Archiving, restoring and deleting: the same for every kind of object (`jobs.services.retention`)."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.services import retention
from projects.api.endpoint import ProjectEndpoint, ResourceObject
from projects.api.serializers import StrictSerializer
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


class ChangeSerializer(StrictSerializer):
    archived = serializers.BooleanField(
        required=False, help_text="true hides it from lists and choices, false shows it again."
    )


class RemovableObject(ResourceObject):
    """One object, which managers archive and delete."""

    change_serializer: type[StrictSerializer] = ChangeSerializer

    @extend_schema(request=ChangeSerializer)
    def patch(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Archive it, or restore what was archived; fields that are left out stay as they are."""
        self.filters()
        self.change(self.body(self.change_serializer))
        return self.get(request, *arguments, **kwargs)

    def change(self, fields: dict[str, Any]) -> None:
        if fields.get("archived"):
            retention.archive(obj=self.object, by=self.caller)
        elif "archived" in fields and self.object.archived_at is not None:
            retention.restore(obj=self.object, by=self.caller)

    @extend_schema(
        parameters=[ConfirmationFilters], responses={204: None, 409: OpenApiResponse(InUseSerializer)}
    )
    def delete(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Delete it. It can be restored from the bin for PARAGOLD_UNDO_DAYS (7), but not an import or an
        extraction. 409 lists the objects that refer to it; delete those first."""
        confirmed = self.filters(ConfirmationFilters).get("confirm")
        retention.delete(obj=self.object, by=self.caller, confirmed=confirmed)
        return Response(status=status.HTTP_204_NO_CONTENT)


class BinEntrySerializer(serializers.Serializer[Any]):
    """A deleted or archived object."""

    kind = serializers.CharField(source="kind.name")
    id = serializers.IntegerField(source="object.pk")
    name = serializers.CharField(source="object.__str__")
    archived_at = serializers.DateTimeField(source="object.archived_at", allow_null=True)
    deleted_at = serializers.DateTimeField(source="object.deleted_at", allow_null=True)
    deleted_by = serializers.CharField(source="object.deleted_by.username", allow_null=True)
    kept_until = serializers.DateTimeField(
        source="until", allow_null=True, help_text="Then it is deleted for good; null for what is archived."
    )


class BinView(ProjectEndpoint):
    checks = {"GET": check_manage}

    @extend_schema(operation_id="bin_list", responses=BinEntrySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What is deleted or archived in the project, the newest first."""
        self.filters()
        return self.paged(retention.bin_of(self.project), BinEntrySerializer)


class BinEntryView(ProjectEndpoint):
    checks = dict.fromkeys(("POST", "DELETE"), check_manage)

    def entry(self) -> retention.Entry:
        entries = retention.bin_of(self.project, kind=self.kwargs["kind"], pk=self.kwargs["pk"])
        if not entries:
            raise Http404(_("There is no such object in the bin."))
        return entries[0]

    @extend_schema(operation_id="bin_restore", request=None, responses={204: None})
    def post(self, request: Request, slug: str, kind: str, pk: int) -> Response:
        """Restore it, with its name; a batch comes back closed. 400 says why it cannot be restored."""
        retention.restore(obj=self.entry().object, by=self.caller)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(
        operation_id="bin_remove",
        parameters=[ConfirmationFilters],
        responses={204: None, 409: OpenApiResponse(InUseSerializer)},
    )
    def delete(self, request: Request, slug: str, kind: str, pk: int) -> Response:
        """Delete it for good. 409 lists what was made from it and is in the bin; that goes first."""
        confirmed = self.filters(ConfirmationFilters).get("confirm")
        retention.remove(obj=self.entry().object, by=self.caller, confirmed=confirmed)
        return Response(status=status.HTTP_204_NO_CONTENT)
