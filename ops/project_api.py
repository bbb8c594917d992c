"""The address of a project, where it is deleted, too."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ops.deletion.projects import delete_project
from projects.api.endpoint import route
from projects.api.projects import ProjectView
from projects.api.serializers import StrictSerializer
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


urlpatterns = [route("projects/<slug:slug>/", DeletableProjectView, "api-project")]
