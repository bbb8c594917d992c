"""A member of a project: what the person holds, and removing the role."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.services.reassignment import (
    Held,
    OpenItems,
    held_by,
    jobs_of,
    remove_from_project,
)
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer, serializer_of
from projects.models import Membership, Role
from projects.permissions import check_manage

CHOICES = [OpenItems.HAND_BACK, OpenItems.HAND_OVER]


HeldSerializer = serializer_of(
    Held, "open", "begun", "answers", "looks", batch=serializers.IntegerField(source="batch.pk")
)


class HeldByMemberSerializer(serializers.Serializer[Any]):
    """Open work of a member; `jobs` are unfinished jobs, which continue."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    open_items = serializers.IntegerField()
    batches = HeldSerializer(many=True)
    jobs = serializers.ListField(child=serializers.IntegerField())


class RemovalParameters(StrictSerializer):
    """What becomes of open items: needed where an annotator holds any."""

    open_items = serializers.ChoiceField(choices=CHOICES, required=False)
    to = serializers.CharField(
        max_length=150,
        required=False,
        help_text="For hand_over: user name of the annotator who gets the items.",
    )


class MemberView(ProjectEndpoint):
    checks = {"GET": check_manage, "DELETE": check_manage}

    def _member(self, pk: int) -> Membership:
        rows = self.project.memberships.select_related("user", "project")
        member: Membership = get_object_or_404(rows, pk=pk)
        return member

    @extend_schema(operation_id="members_retrieve", responses=HeldByMemberSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Open work of the member, to check before removing the role."""
        self.filters()
        member = self._member(pk)
        user: User = member.user
        held = held_by(user, self.project) if member.role == Role.ANNOTATOR else []
        data = {
            "id": member.pk,
            "username": user.get_username(),
            "role": member.role,
            "open_items": sum(one.open for one in held),
            "batches": held,
            "jobs": [job.pk for job in jobs_of(user, self.project)],
        }
        return Response(HeldByMemberSerializer(data).data)

    @extend_schema(parameters=[RemovalParameters], responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a role. Open items go back to their batches or to another annotator, by the parameters;
        given answers stay. A project always keeps a manager.
        """
        chosen = self.filters(RemovalParameters)
        remove_from_project(membership=self._member(pk), by=self.caller, **chosen)
        return Response(status=status.HTTP_204_NO_CONTENT)
