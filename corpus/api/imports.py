"""Files that are imported: an address for each kind, made from its declaration, and one for an import."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import CorpusImport, ImportState
from corpus.services.importing import (
    ImportKind,
    begin_storing,
    discard_import,
    ended,
    kind_of,
    launch_check,
    sweep_imports,
)
from corpus.services.uploads import Upload, keep_upload
from jobs.api.removal import InUseSerializer, RemovableObject
from jobs.services import retention, running
from jobs.services.ledger import hand_over
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint, ResourceList, checked
from projects.api.serializers import RowSerializer, SpecSerializer
from projects.api.transport import NdjsonParser
from projects.listings import ArchivedFilters, Resource
from projects.permissions import check_manage, check_read_corpus

from .uploads import FORM_BYTES, FileTooLarge, LimitedBody, ProblemCountField, ProblemSerializer, sent_file

# Up to this size the answer waits for the worker's report.
AT_ONCE_BYTES = 8 << 20
STATUS_CODES = {"imported": status.HTTP_201_CREATED, "refused": status.HTTP_422_UNPROCESSABLE_ENTITY}


class ImportSerializer(RowSerializer[CorpusImport]):
    id = serializers.IntegerField(
        source="pk", allow_null=True, help_text="Null where the import is not kept."
    )
    kind = serializers.CharField(help_text="What was imported: articles, judgements or links.")
    problems = ProblemSerializer(many=True, read_only=True)
    problem_count = ProblemCountField()
    detail = serializers.SerializerMethodField(help_text="Why it was refused; empty if it was not.")
    made = serializers.SerializerMethodField(help_text="Numbers of what it became, such as batch.")
    imported_by = serializers.CharField(source="imported_by.username", allow_null=True, default=None)
    job = serializers.IntegerField(
        source="job_id", allow_null=True, help_text="Number of the latest job for it; null for none."
    )
    events = serializers.JSONField(
        source="found_by",
        read_only=True,
        allow_null=True,
        help_text="How its clusters were found; empty if the file names them.",
    )

    class Meta:
        model = CorpusImport
        fields = (
            "id", "kind", "state", "filename", "sha256", "counts", "notes", "problems", "problem_count",
            "detail", "made", "signature", "job", "events", "imported_by", "imported_at", "archived_at",
        )  # fmt: skip

    def get_made(self, source: CorpusImport) -> dict[str, int]:
        return {name: row.pk for name, row in kind_of(source).made(source).items()}

    def get_detail(self, source: CorpusImport) -> str:
        if not source.refused:
            return ""
        first = source.problems[0]
        place = first["file"] or (f"Line {first['line']}" if first["line"] else source.filename)
        return f"Nothing was imported. {place}: {first['message']}"


class ImportOptions(SpecSerializer):
    """Parameters of the address, or fields of the form; those of a kind's Spec are added to them."""

    kind: ClassVar[ImportKind]

    check = serializers.BooleanField(default=False, help_text="Checks the file only: nothing is written.")
    filename = serializers.CharField(
        default="upload", max_length=255, help_text="File name to store, if the body is the file."
    )
    map = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=1_000,
        help_text="Columns of a table, or fields of JSON Lines, that are not called as usual, such as "
        "text=body,id=number; nothing after = leaves a field out. Numbers where there is no header.",
    )

    def validate_map(self, value: str) -> dict[str, str]:
        try:
            return choice_from_words(filter(None, value.split(",")))
        except FileProblem as problem:
            raise ValidationError(f"{problem.message} {problem.remedy}") from problem


IMPORTS = Resource(
    name="imports",
    noun="import",
    objects=CorpusImport.objects.select_related("imported_by", "project"),
    visible=lambda user, project: (
        CorpusImport.objects.imported().filter(project=project).select_related("imported_by", "project")
    ),
    filters=ArchivedFilters,
    serializer=ImportSerializer,
)


class ImportsView(ResourceList):
    resource = IMPORTS


class SendingView(LimitedBody, ProjectEndpoint):
    """Takes the files of one kind of import; `import_view` makes the view of a kind."""

    kind: ClassVar[ImportKind]
    options_class: ClassVar[type[ImportOptions]]
    parser_classes = (NdjsonParser, MultiPartParser)

    def too_large(self) -> FileTooLarge:
        return FileTooLarge(self.kind.too_large)

    def post(self, request: Request, slug: str) -> Response:
        chosen = self.chosen(request)
        sweep_imports()
        options = self.kind.options(chosen["spec"], chosen["map"], self.project)
        source = launch_check(
            project=self.project,
            by=self.caller,
            uploads=self.received(request, chosen),
            options=options,
            then_store=not chosen["check"],
        )
        if source.options["bytes"] > AT_ONCE_BYTES or not self.done(source):
            return Response(ImportSerializer(source).data, status=status.HTTP_202_ACCEPTED)
        source = ended(source)
        data = ImportSerializer(source).data
        if source.state == ImportState.CHECKED:
            discard_import(source=source)
        return Response(data, status=STATUS_CODES.get(source.state, status.HTTP_200_OK))

    def chosen(self, request: Request) -> dict[str, Any]:
        """The options, from the address or the fields of the form."""
        form = request.data if isinstance(request.data, QueryDict) else {}
        fields = {name: value for name, value in form.items() if name not in self.kind.parts}
        given = request.query_params.dict() | fields
        return checked(self.options_class, given, context={"texts": True})

    def received(self, request: Request, chosen: dict[str, Any]) -> dict[str, Upload]:
        uploads = {}
        for part in self.kind.parts:
            if part == "file" or part in request.FILES:
                pieces, size, name = sent_file(request, part)
                if size > self.kind.megabytes << 20:
                    raise self.too_large()
                uploads[part] = keep_upload(
                    pieces=pieces,
                    size=size,
                    filename=name or chosen["filename"],
                    encoding=chosen["spec"].encoding,
                    project=self.project,
                    user=self.caller,
                )
        return uploads

    def done(self, source: CorpusImport) -> bool:
        """Wait for a worker to check a small import, and to store it if that was asked for."""
        until = time.monotonic() + running.API_SECONDS
        while source.job and source.job.active:
            if not running.wait_for(source.job, seconds=until - time.monotonic()):
                return False
            # The job that has checked it may have begun the one that stores it.
            source = CorpusImport.objects.select_related("job").get(pk=source.pk)
        return True


def import_view(kind: ImportKind, *bases: type[ProjectEndpoint]) -> type[ProjectEndpoint]:
    """The endpoint of a kind, with other methods from `bases`."""
    about = {"kind": kind, "spec_class": kind.spec, "leave_out": kind.leave_out}
    options = type(f"{kind.id.title()}ImportOptions", (ImportOptions,), about)
    files = {
        "type": "object",
        "properties": {part: {"type": "string", "format": "binary"} for part in kind.parts},
        "required": ["file"],
    }

    @extend_schema(
        operation_id=f"import_{kind.id}",
        description=f"Import {kind.id}, completely or not at all: 201 imported, 200 checked or imported "
        "before, 422 refused. Send the file as the field `file` of a form, or as the body itself "
        "(application/x-ndjson). A worker reads it: of a large file, and when the worker is busy, the answer "
        "is 202, and `imports/{id}/` says what becomes of it.",
        parameters=[options],
        request={"multipart/form-data": files, "application/x-ndjson": OpenApiTypes.BINARY},
        responses=dict.fromkeys((200, 201, 202, 422), ImportSerializer),
    )
    def post(self: Any, request: Request, slug: str) -> Response:
        return SendingView.post(self, request, slug)

    checks = {"POST": check_manage} | ({"GET": check_read_corpus} if bases else {})
    max_bytes = len(kind.parts) * (kind.megabytes << 20) + FORM_BYTES
    own = {"kind": kind, "options_class": options, "checks": checks, "post": post, "max_bytes": max_bytes}
    return type(f"{kind.id.title()}ImportsView", (SendingView, *bases), own)


@extend_schema_view(get=extend_schema(operation_id="imports_retrieve"))
class ImportView(RemovableObject):
    resource = IMPORTS
    checks = dict.fromkeys(("GET", "PATCH", "DELETE"), check_manage)

    @extend_schema(
        operation_id="imports_discard", responses={204: None, 409: OpenApiResponse(InUseSerializer)}
    )
    def delete(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Stop and delete an unfinished import with its file, or delete the articles of a finished one. 409
        lists the objects that refer to its articles.
        """
        if self.object.state == ImportState.IMPORTED:
            retention.delete(obj=self.object, by=self.caller)
        else:
            discard_import(source=self.object)
        return Response(status=status.HTTP_204_NO_CONTENT)


class StoreImportView(ObjectEndpoint):
    checks = {"POST": check_manage}
    rows = CorpusImport.objects.all()

    @extend_schema(operation_id="imports_store", request=None, responses={202: ImportSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Store a large file that was only checked; a worker does it."""
        hand_over(begin_storing(source=self.object, by=self.caller))
        self.object.refresh_from_db()
        return Response(ImportSerializer(self.object).data, status=status.HTTP_202_ACCEPTED)
