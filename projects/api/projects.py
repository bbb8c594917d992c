"""Projects, their settings and their people."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from projects.models import GoldRule, Membership, Project, Role, Scheme
from projects.permissions import check_create_projects, check_manage
from projects.services.projects import add_member, change_project, create_project
from projects.views.project_view import anybody_in_it

from .endpoint import Endpoint, ListEndpoint, ProjectEndpoint
from .serializers import SeedField, StrictSerializer


class ProjectSerializer(serializers.ModelSerializer[Project]):
    """`roles` are the caller's own."""

    roles = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = (
            "slug", "name", "language", "scheme", "overlap", "gold_rule", "asks_phenomena",
            "held_out_share", "seed", "near_duplicate_share", "guidelines", "created_at", "roles",
        )  # fmt: skip
        read_only_fields = fields

    def get_roles(self, project: Project) -> list[str]:
        return sorted(membership.role for membership in project.memberships.all())


def with_own_roles(user: Any) -> Prefetch[Any]:
    return Prefetch("memberships", queryset=Membership.objects.filter(user=user))


def project_json(project: Project, user: Any) -> dict[str, Any]:
    row = Project.objects.prefetch_related(with_own_roles(user)).get(pk=project.pk)
    return ProjectSerializer(row).data


class SettingsSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120)
    language = serializers.CharField(max_length=35, required=False)
    scheme = serializers.ChoiceField(choices=Scheme.choices, required=False)
    overlap = serializers.IntegerField(min_value=1, max_value=20, required=False)
    gold_rule = serializers.ChoiceField(choices=GoldRule.choices, required=False)
    asks_phenomena = serializers.BooleanField(
        required=False, help_text="New judging batches have phenomena counted in paraphrases."
    )
    held_out_share = serializers.FloatField(required=False, help_text="0 to 0.9")
    seed = SeedField(required=False)
    near_duplicate_share = serializers.FloatField(
        required=False,
        allow_null=True,
        help_text="0.1 to 1: articles that share so much text with one of their cluster are left out.",
    )
    guidelines = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)

    def validate_held_out_share(self, value: float) -> float:
        # Written so that NaN, which compares as neither, is refused as well.
        if not 0 <= value <= 0.9:
            raise ValidationError("A share is a number from 0 to 0.9.")
        return value

    def validate_near_duplicate_share(self, value: float | None) -> float | None:
        if value is not None and not 0.1 <= value <= 1:
            raise ValidationError("A share is a number from 0.1 to 1, or null.")
        return value


class NewProjectSerializer(SettingsSerializer):
    slug = serializers.SlugField(max_length=60)


class ProjectsView(Endpoint):
    @extend_schema(operation_id="projects_list", responses=ProjectSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The projects in which I have a role."""
        self.filters()
        rows = Project.objects.visible_to(request.user).prefetch_related(with_own_roles(request.user))
        return self.paged(rows, ProjectSerializer)

    @extend_schema(request=NewProjectSerializer, responses={201: ProjectSerializer})
    def post(self, request: Request) -> Response:
        """Create a project; I become its manager."""
        check_create_projects(request.user)
        project = create_project(by=self.caller, **self.body(NewProjectSerializer))
        return Response(project_json(project, request.user), status=status.HTTP_201_CREATED)


class ProjectView(ProjectEndpoint):
    checks = {"GET": anybody_in_it, "PATCH": check_manage}

    @extend_schema(responses=ProjectSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """One project."""
        return Response(project_json(self.project, request.user))

    @extend_schema(request=SettingsSerializer(partial=True), responses=ProjectSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings. Language, seed and share held out are fixed by the first import."""
        settings = self.body(SettingsSerializer, partial=True)
        project = change_project(project=self.project, by=self.caller, **settings)
        return Response(project_json(project, request.user))


class MemberSerializer(serializers.ModelSerializer[Membership]):
    username = serializers.CharField(source="user.username")

    class Meta:
        model = Membership
        fields = ("id", "username", "role")
        read_only_fields = fields


class NewMemberSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices)


@extend_schema_view(get=extend_schema(operation_id="members_list"))
class MembersView(ListEndpoint):
    """Who has which role in the project."""

    checks = {"GET": check_manage, "POST": check_manage}
    rows = Membership.objects.select_related("user")
    serializer_class = MemberSerializer

    @extend_schema(request=NewMemberSerializer, responses={201: MemberSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Give a user a role; a person may hold several."""
        membership = add_member(project=self.project, by=self.caller, **self.body(NewMemberSerializer))
        return Response(MemberSerializer(membership).data, status=status.HTTP_201_CREATED)
