"""Deleting and restoring projects; deleting people."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ops.deletion.people import KEEP, REMOVE, Contribution, contributions, delete_person
from ops.deletion.projects import delete_project, deleted_projects, kept_until, restore_project
from projects.api.endpoint import Endpoint
from projects.api.installation import AdministratorEndpoint
from projects.api.projects import ProjectSerializer, ProjectView, project_json
from projects.api.serializers import RowSerializer, StrictSerializer
from projects.models import Project
from projects.permissions import check_manage


class ConfirmationFilters(StrictSerializer):
    confirm = serializers.CharField(max_length=120, help_text="The project's name.")


class DeletableProjectView(ProjectView):
    checks = ProjectView.checks | {"DELETE": check_manage}

    @extend_schema(parameters=[ConfirmationFilters], responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the project. It can be restored for PARAGOLD_UNDO_DAYS (7)."""
        confirmed = self.filters(ConfirmationFilters)["confirm"]
        delete_project(project=self.project, by=self.caller, confirmed=confirmed)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeletedProjectSerializer(serializers.ModelSerializer[Project]):
    deleted_by = serializers.CharField(source="deleted_by.username", help_text="Who deleted it.")
    kept_until = serializers.SerializerMethodField(help_text="Until when it can be restored, in UTC.")

    class Meta:
        model = Project
        fields = ("id", "slug", "name", "deleted_at", "deleted_by", "kept_until")
        read_only_fields = fields

    def get_kept_until(self, project: Project) -> str:
        return kept_until(project).isoformat()


class DeletedProjectsView(Endpoint):
    @extend_schema(operation_id="deleted_projects_list", responses=DeletedProjectSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The deleted projects that I may restore: those that I deleted; as an administrator all."""
        self.filters()
        return self.paged(deleted_projects(request.user), DeletedProjectSerializer)


class RestoreProjectView(Endpoint):
    @extend_schema(request=None, responses=ProjectSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Restore a deleted project. Its jobs stay stopped."""
        project = deleted_projects(request.user).filter(pk=pk).first()
        if project is None:
            raise Http404("There is no deleted project with this number that you may restore.")
        restore_project(project=project, by=self.caller)
        return Response(project_json(project, request.user))


class ContributionSerializer(serializers.Serializer[Contribution]):
    """What a person gave to a project."""

    project = serializers.CharField(source="project.slug", help_text="The project's short name.")
    answers = serializers.IntegerField(help_text="Items that they answered or skipped.")
    decisions = serializers.IntegerField(help_text="Disagreements that they decided.")
    ratings = serializers.IntegerField(help_text="Lexicon entries that they rated.")
    pairs_without_gold = serializers.IntegerField(
        help_text="Pairs that have too few labels for a gold set if the answers are removed."
    )
    gold_sets = serializers.IntegerField(help_text="Frozen gold sets with their answers, which stay.")


class PersonSerializer(RowSerializer[User]):
    class Meta:
        model = User
        fields: tuple[str, ...] = ("id", "username", "is_active", "is_superuser", "last_login")
        extra_kwargs = {
            "is_active": {"help_text": "Whether they can log in."},
            "is_superuser": {"help_text": "Whether they are an administrator."},
            "last_login": {"help_text": "When they logged in last; null for never."},
        }


class PersonPreviewSerializer(PersonSerializer):
    contributions = serializers.SerializerMethodField(help_text="What they gave, by project.")

    class Meta(PersonSerializer.Meta):
        fields = (*PersonSerializer.Meta.fields, "contributions")

    @extend_schema_field(ContributionSerializer(many=True))
    def get_contributions(self, user: User) -> list[dict[str, Any]]:
        return [ContributionSerializer(row).data for row in contributions(user)]


class PersonFilters(StrictSerializer):
    username = serializers.CharField(max_length=150, required=False, help_text="The account of this name.")


class PersonDeletionFilters(StrictSerializer):
    confirm = serializers.CharField(max_length=150, help_text="The person's user name.")
    answers = serializers.ChoiceField(
        choices=(KEEP, REMOVE),
        help_text="`keep` leaves answers, decisions and ratings under a pseudonym; `remove` removes them.",
    )


class DeletedPersonSerializer(StrictSerializer):
    kept_as = serializers.CharField(help_text='The pseudonym of what is kept; "" where nothing is.')


class PeopleView(AdministratorEndpoint):
    @extend_schema(
        operation_id="people_list", parameters=[PersonFilters], responses=PersonSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The accounts of the installation, for administrators."""
        return self.paged(User.objects.filter(**self.filters(PersonFilters)), PersonSerializer)


class PersonView(AdministratorEndpoint):
    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        self.person = get_object_or_404(User, pk=kwargs["pk"])

    @extend_schema(operation_id="people_retrieve", responses=PersonPreviewSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """An account, and what would go with its answers."""
        self.filters()
        return Response(PersonPreviewSerializer(self.person).data)

    @extend_schema(parameters=[PersonDeletionFilters], responses=DeletedPersonSerializer)
    def delete(self, request: Request, pk: int) -> Response:
        """Delete the account at once, as an administrator. It cannot be undone; GET shows what changes."""
        filters = self.filters(PersonDeletionFilters)
        pseudonym = delete_person(
            user=self.person, by=self.caller, confirmed=filters["confirm"], answers=filters["answers"]
        )
        return Response({"kept_as": pseudonym})
