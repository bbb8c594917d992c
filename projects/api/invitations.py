"""Invitations: links that give a role in a project."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from projects.models import Invitation, Role
from projects.permissions import check_manage
from projects.services.people import MAX_DAYS, MAX_USES, invite, open_invitations, revoke, token_of

from .endpoint import ProjectEndpoint
from .serializers import RowSerializer, StrictSerializer


class InvitationSerializer(RowSerializer[Invitation]):
    """`url` is the link to send: whoever opens it chooses a user name and a password and gets the role."""

    created_by = serializers.CharField(
        source="created_by.username", help_text="User name of the manager who made it."
    )
    url = serializers.SerializerMethodField(help_text="The link to send. It is secret: it gives the role.")

    class Meta:
        model = Invitation
        fields = ("id", "role", "uses_left", "expires_at", "created_by", "created_at", "url")

    def get_url(self, invitation: Invitation) -> str:
        path = reverse("join", args=[token_of(invitation)])
        url: str = self.context["request"].build_absolute_uri(path)
        return url


class NewInvitationSerializer(StrictSerializer):
    role = serializers.ChoiceField(
        choices=Role.choices, help_text="The role that people get who use the link."
    )
    uses = serializers.IntegerField(
        min_value=1,
        max_value=MAX_USES,
        default=1,
        help_text=f"How many people may use the link: 1 to {MAX_USES}.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DAYS,
        default=7,
        help_text=f"For how many days the link is valid: 1 to {MAX_DAYS}.",
    )


class InvitationsView(ProjectEndpoint):
    checks = {"GET": check_manage, "POST": check_manage}

    @extend_schema(operation_id="invitations_list", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The invitations that can still be used: not used up, expired or revoked."""
        self.filters()
        return self.paged(open_invitations(self.project), InvitationSerializer)

    @extend_schema(request=NewInvitationSerializer, responses={201: InvitationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a link that gives a role in the project. Send `url` to the people you invite."""
        made = invite(project=self.project, by=self.caller, **self.body(NewInvitationSerializer))
        return self.created(InvitationSerializer, made)


class InvitationView(ProjectEndpoint):
    checks = {"DELETE": check_manage}

    @extend_schema(operation_id="invitations_destroy", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Revoke an invitation: its link stops working. People who used it keep their role."""
        self.filters()
        revoke(invitation=get_object_or_404(self.project.invitations, pk=pk), by=self.caller)
        return Response(status=status.HTTP_204_NO_CONTENT)
