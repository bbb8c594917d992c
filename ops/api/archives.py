"""Archives that come in as projects, for administrators: sent, checked, looked at, stored. Archives of a
project: asked for, written by a job, downloaded while they are kept.
"""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.uploads import (
    FILE,
    LimitedBody,
    UploadEndpoint,
    UploadsEndpoint,
    sent_file,
    upload_operations,
)
from corpus.services.uploads import find_upload, keep_upload
from jobs.api.jobs import JobSerializer
from ops.archive.archive_storage import archive_file, delete_archive, request_archive, sweep_archives
from ops.archive.import_jobs import (
    begin_storing,
    discard_import,
    earlier_import,
    launch_check,
    preview,
    sweep_imports,
)
from ops.models import ArchiveImport, ArchiveState, ProjectArchive
from projects.api.endpoint import DetailEndpoint, Endpoint, ListEndpoint, ObjectEndpoint
from projects.api.installation import AdministratorEndpoint
from projects.api.serializers import DictField, RowSerializer, StrictSerializer
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.permissions import can_create_projects, check_create_projects, check_manage


class FoundUserSerializer(serializers.Serializer[Any]):
    user = serializers.CharField()
    found = serializers.BooleanField(help_text="Whether an account of this installation has the same name.")


class PreviewSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    slug = serializers.CharField()
    language = serializers.CharField()
    rows = serializers.DictField(child=serializers.IntegerField(), help_text="How many rows each table has.")
    files = serializers.IntegerField()
    users = FoundUserSerializer(many=True)


class ArchiveImportSerializer(RowSerializer[ArchiveImport]):
    """`preview` is given after the check, `project` after the import."""

    project = serializers.CharField(source="project.slug", default=None, allow_null=True)
    imported_by = serializers.CharField(source="imported_by.username", default=None, allow_null=True)
    done = serializers.IntegerField(source="job.done", default=0)
    total = serializers.IntegerField(source="job.total", default=0)
    job_state = serializers.CharField(source="job.state", default=None, allow_null=True)
    error = serializers.CharField(
        source="job.error", default="", help_text="Why the job failed, in words; empty if it did not."
    )
    preview = serializers.SerializerMethodField()
    same_file = serializers.SerializerMethodField(
        help_text="Project that an earlier import of the same file made; null for none."
    )

    class Meta:
        model = ArchiveImport
        fields = (
            "id", "state", "filename", "sha256", "problem", "job_state", "done", "total", "error", "preview",
            "same_file", "made", "project", "imported_by", "imported_at",
        )  # fmt: skip
        extra_kwargs = {
            "made": {"help_text": "User names of the accounts that the import made; they cannot log in yet."}
        }

    @extend_schema_field(PreviewSerializer(allow_null=True))
    def get_preview(self, source: ArchiveImport) -> dict[str, Any] | None:
        return preview(source) if source.state == ArchiveState.CHECKED else None

    def get_same_file(self, source: ArchiveImport) -> str | None:
        earlier = earlier_import(source) if source.state == ArchiveState.CHECKED else None
        return earlier.project.slug if earlier and earlier.project else None


class StoreSerializer(StrictSerializer):
    slug = serializers.SlugField(
        max_length=60,
        required=False,
        help_text="Short name of the project in addresses; by default that in the archive.",
    )
    accounts = DictField(
        max_length=10_000,
        child=serializers.CharField(max_length=150),
        default=dict,
        help_text="Accounts here for users of the archive. Default: the account of the same name; if there "
        "is none, one is made that cannot log in.",
    )


class AskedSerializer(StrictSerializer):
    upload = serializers.CharField(required=False, max_length=32)


class ArchiveImportsView(LimitedBody, AdministratorEndpoint):
    parser_classes = (MultiPartParser,)

    @extend_schema(operation_id="archive_imports_list", responses=ArchiveImportSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Archives that were or are being imported."""
        self.filters()
        sweep_imports()
        rows = ArchiveImport.objects.select_related("project", "imported_by", "job")
        return self.paged(rows, ArchiveImportSerializer)

    @extend_schema(
        operation_id="archive_imports_create",
        parameters=[
            OpenApiParameter("upload", str, description="A file uploaded in pieces, instead of a body.")
        ],
        request={"multipart/form-data": FILE},
        responses={202: ArchiveImportSerializer},
    )
    def post(self, request: Request) -> Response:
        """Check an archive; `archive-imports/{id}/` then shows its contents. Nothing is written."""
        token = self.filters(AskedSerializer).get("upload")
        sweep_imports()
        if token:
            upload = find_upload(token, project=None, user=self.caller)
        else:
            pieces, size, name = sent_file(request)
            upload = keep_upload(
                pieces=pieces, size=size, filename=name, encoding="utf-8", project=None, user=self.caller
            )
        source = launch_check(upload=upload, by=self.caller)
        return Response(ArchiveImportSerializer(source).data, status=status.HTTP_202_ACCEPTED)


def _source(pk: int) -> ArchiveImport:
    source = ArchiveImport.objects.select_related("project", "imported_by", "job").filter(pk=pk).first()
    if source is None:
        raise Http404("There is no import with this number.")
    return source


class ArchiveImportView(AdministratorEndpoint):
    @extend_schema(operation_id="archive_imports_retrieve", responses=ArchiveImportSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Progress of an import, and contents of the archive: project, rows, users found and missing."""
        self.filters()
        return Response(ArchiveImportSerializer(_source(pk)).data)

    @extend_schema(operation_id="archive_imports_discard", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Stop and delete an unfinished import with its file."""
        discard_import(source=_source(pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class StoreArchiveView(AdministratorEndpoint):
    @extend_schema(
        operation_id="archive_imports_store",
        request=StoreSerializer,
        responses={202: ArchiveImportSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Store a checked archive as a new project, by a worker: completely or not at all."""
        source = _source(pk)
        begin_storing(source=source, by=self.caller, **self.body(StoreSerializer))
        return Response(ArchiveImportSerializer(_source(pk)).data, status=status.HTTP_202_ACCEPTED)


class CreatorEndpoint(Endpoint):
    """For whoever may create projects: a file that is to become one is an archive, or a first corpus."""

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        if kwargs and not can_create_projects(self.caller):
            raise Http404("There is no upload of this token that you may see.")
        check_create_projects(self.caller)


@extend_schema_view(post=extend_schema(operation_id="archive_uploads_begin"))
class ArchiveUploadsView(UploadsEndpoint, CreatorEndpoint):
    pass


@upload_operations("archive_uploads")
class ArchiveUploadView(UploadEndpoint, CreatorEndpoint):
    pass


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
        """The file, which `manage.py import_project` and `archive-imports/` read."""
        try:
            path = archive_file(self.object)
        except PublicError as error:
            raise Http404(str(error)) from error
        return zip_response(path, self.object.filename, self.project)
