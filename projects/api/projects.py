"""Projects, their settings and their people."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.listings import ListFilters, Resource
from projects.models import Membership, Project, Role
from projects.permissions import check_create_projects, check_manage
from projects.services.guidelines import confirm_guidelines
from projects.services.projects import SETTINGS, add_member, change_project, create_project
from projects.views.project_view import any_member

from .endpoint import ProjectEndpoint, ResourceList
from .serializers import RowSerializer, SeedField, StrictSerializer


class ProjectSerializer(RowSerializer[Project]):
    """`roles` are the caller's own."""

    roles = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = (
            "slug", "name", "language", "second_language", "scheme", "overlap", "gold_rule",
            "count_phenomena", "held_out_share", "seed", "near_duplicate_share", "licence", "authors",
            "contact", "guidelines", "guidelines_version", "created_at", "roles",
        )  # fmt: skip

    def get_roles(self, project: Project) -> list[str]:
        return sorted(membership.role for membership in project.memberships.all())


def with_own_roles(user: Any) -> Prefetch[Any]:
    return Prefetch("memberships", queryset=Membership.objects.filter(user=user))


def project_json(project: Project, user: Any) -> dict[str, Any]:
    row = Project.objects.prefetch_related(with_own_roles(user)).get(pk=project.pk)
    return ProjectSerializer(row).data


class SettingsSerializer(StrictSerializer, serializers.ModelSerializer[Project]):
    # Named here, since those of a model differ by its database.
    overlap = serializers.IntegerField(min_value=1, max_value=20, required=False)
    seed = SeedField(required=False)

    class Meta:
        model = Project
        fields: tuple[str, ...] = SETTINGS
        extra_kwargs = {"guidelines": {"trim_whitespace": False}}


class NewProjectSerializer(SettingsSerializer):
    slug = serializers.SlugField(max_length=60)

    class Meta(SettingsSerializer.Meta):
        fields = ("slug", *SETTINGS)


PROJECTS = Resource(
    name="projects",
    noun="project",
    objects=Project.objects.all(),
    visible=lambda user, project: Project.objects.visible_to(user).prefetch_related(with_own_roles(user)),
    project_path=(),
    check=any_member,
    filters=ListFilters,
    serializer=ProjectSerializer,
    about="Those in which you have a role.",
)


@extend_schema_view(get=extend_schema(operation_id="projects_list"))
class ProjectsView(ResourceList):
    resource = PROJECTS
    checks = {"GET": any_member, "POST": lambda user, project: check_create_projects(user)}

    @extend_schema(request=NewProjectSerializer, responses={201: ProjectSerializer})
    def post(self, request: Request) -> Response:
        """Create a project; I become its manager."""
        project = create_project(by=self.caller, **self.body(NewProjectSerializer))
        return Response(project_json(project, request.user), status=status.HTTP_201_CREATED)


class ProjectView(ProjectEndpoint):
    checks = {"GET": any_member, "PATCH": check_manage}

    @extend_schema(responses=ProjectSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """One project."""
        return Response(project_json(self.project, request.user))

    @extend_schema(request=SettingsSerializer(partial=True), responses=ProjectSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings. Languages, seed and held-out share cannot change after the first import."""
        settings = self.body(SettingsSerializer, partial=True)
        project = change_project(project=self.project, by=self.caller, **settings)
        return Response(project_json(project, request.user))


class ConfirmationSerializer(StrictSerializer):
    version = serializers.IntegerField(min_value=1, help_text="Version of the guidelines that you have read.")


class GuidelinesView(ProjectEndpoint):
    checks = {"POST": any_member}

    @extend_schema(request=ConfirmationSerializer, responses=ConfirmationSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Confirm that I, an annotator, have read the present guidelines (`guidelines` of the project)."""
        read = self.body(ConfirmationSerializer)
        confirm_guidelines(project=self.project, by=self.caller, **read)
        return Response(read)


class MemberSerializer(RowSerializer[Membership]):
    username = serializers.CharField(source="user.username")

    class Meta:
        model = Membership
        fields = ("id", "username", "role")


class NewMemberSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices)


MEMBERS = Resource(
    name="members",
    noun="member",
    objects=Membership.objects.select_related("user"),
    check=check_manage,
    filters=ListFilters,
    serializer=MemberSerializer,
    about="Each has a row for every role.",
)


class MembersView(ResourceList):
    resource = MEMBERS

    @extend_schema(request=NewMemberSerializer, responses={201: MemberSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Give a user a role; a person may hold several."""
        membership = add_member(project=self.project, by=self.caller, **self.body(NewMemberSerializer))
        return self.created(MemberSerializer, membership)
