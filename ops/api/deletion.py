"""Deleting and restoring projects."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ops.deletion.projects import delete_project, deleted_projects, kept_until, restore_project
from projects.api.endpoint import Endpoint
from projects.api.projects import ProjectSerializer, ProjectView, project_json
from projects.api.serializers import StrictSerializer
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
