"""Archives that come in as projects, for administrators: sent, checked, looked at, stored."""

from __future__ import annotations

from typing import Any

from django.http import Http404
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
from jobs.services.ledger import hand_over
from ops.archive.import_jobs import (
    begin_storing,
    discard_import,
    earlier_import,
    launch_check,
    preview,
    sweep_imports,
)
from ops.models import ArchiveImport, ArchiveState
from projects.api.endpoint import Endpoint
from projects.api.serializers import RowSerializer, StrictSerializer
from projects.permissions import can_create_projects, check_administer, check_create_projects


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
    accounts = serializers.DictField(
        child=serializers.CharField(max_length=150),
        default=dict,
        help_text="Accounts here for users of the archive. Default: the account of the same name; if there "
        "is none, one is made that cannot log in.",
    )


class AskedSerializer(StrictSerializer):
    upload = serializers.CharField(required=False, max_length=32)


class AdminEndpoint(Endpoint):
    """For administrators; nobody else learns whether an object exists."""

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        super().initial(request, *arguments, **kwargs)
        if kwargs and not self.caller.is_superuser:
            raise Http404("There is no object with this number that you may see.")
        check_administer(self.caller)


class ArchiveImportsView(LimitedBody, AdminEndpoint):
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


class ArchiveImportView(AdminEndpoint):
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


class StoreArchiveView(AdminEndpoint):
    @extend_schema(
        operation_id="archive_imports_store",
        request=StoreSerializer,
        responses={202: ArchiveImportSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Store a checked archive as a new project, by a worker: completely or not at all."""
        source = _source(pk)
        hand_over(begin_storing(source=source, by=self.caller, **self.body(StoreSerializer)))
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
