"""Archives of a project: asked for, written by a job, downloaded while they are kept."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.jobs import JobSerializer
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.models import ProjectArchive
from projects.api.endpoint import DetailEndpoint, ListEndpoint, ObjectEndpoint
from projects.api.serializers import RowSerializer
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.permissions import check_manage


class ArchiveSerializer(RowSerializer[ProjectArchive]):
    filename = serializers.CharField(read_only=True)
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    kept_until = serializers.DateTimeField(read_only=True, help_text="When the file is deleted, in UTC.")

    class Meta:
        model = ProjectArchive
        fields = (
            "id", "filename", "sha256", "bytes", "rows", "files", "created_by", "written_at", "kept_until",
        )  # fmt: skip


@extend_schema_view(get=extend_schema(operation_id="archives_list"))
class ProjectArchivesView(ListEndpoint):
    """The stored archives of the project."""

    checks = {"GET": check_manage, "POST": check_manage}
    rows = ProjectArchive.objects.select_related("created_by", "project")
    serializer_class = ArchiveSerializer

    def list(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        sweep_archives()
        return super().list(request, *arguments, **kwargs)

    @extend_schema(operation_id="archives_create", request=None, responses={202: JobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Write the whole project to an archive, user names and all. When the job is done it is listed."""
        job = request_archive(project=self.project, by=self.caller)
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)


@extend_schema_view(get=extend_schema(operation_id="archives_retrieve"))
class ProjectArchiveView(DetailEndpoint):
    """One archive."""

    checks = {"GET": check_manage, "DELETE": check_manage}
    rows = ProjectArchive.objects.select_related("created_by")
    serializer_class = ArchiveSerializer

    @extend_schema(operation_id="archives_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove an archive and its file."""
        delete_archive(archive=self.object, by=self.caller)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ProjectArchiveDownloadView(ObjectEndpoint):
    rows = ProjectArchive.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(
        operation_id="archives_download", responses={(200, "application/zip"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, pk: int) -> FileResponse:
        """The file, which `manage.py import_project` reads."""
        try:
            path = archive_file(self.object)
        except PublicError as error:
            raise Http404(str(error)) from error
        return zip_response(path, self.object.filename, self.project)
