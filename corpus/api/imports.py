"""Corpus files: read to the end, then imported whole or refused whole."""

from __future__ import annotations

import time
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import CorpusImport, ImportState
from corpus.services.import_storing import begin_storing
from corpus.services.importing import discard_import, ended, launch_check, sweep_imports
from corpus.services.uploads import Upload, keep_upload
from jobs.api.removal import InUseSerializer, RemovableEndpoint, RemovableListEndpoint
from jobs.services import removal, running
from jobs.services.ledger import hand_over
from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.sources.article_sources import ARTICLE_SOURCES, SourceOptions
from paragold.sources.articles import FIELDS
from paragold.text.segmenters import RULES, SEGMENTERS
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import RowSerializer, SpecSerializer
from projects.api.transport import NdjsonParser
from projects.permissions import check_manage, check_read_corpus

from .uploads import FILE, LargeBody, ProblemCountField, ProblemSerializer, sent_file

UPLOADABLE = [kind.id for kind in ARTICLE_SOURCES if kind.uploadable]
# Up to this size the answer waits for the worker's report.
AT_ONCE_BYTES = 8 << 20
STATUS_CODES = {"imported": status.HTTP_201_CREATED, "refused": status.HTTP_422_UNPROCESSABLE_ENTITY}


class ImportSerializer(RowSerializer[CorpusImport]):
    problems = ProblemSerializer(many=True, read_only=True)
    problem_count = ProblemCountField()
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
            "id", "state", "filename", "sha256", "counts", "notes", "problems", "problem_count",
            "signature", "job", "events",
            "imported_by", "imported_at", "archived_at",
        )  # fmt: skip


class ReportSerializer(serializers.Serializer[Any]):
    """`detail` is there when the file was refused."""

    filename = serializers.CharField()
    status = serializers.ChoiceField(choices=["imported", "checked", "unchanged", "refused"], source="state")
    counts = serializers.DictField(child=serializers.IntegerField())
    problems = ProblemSerializer(many=True)
    problem_count = ProblemCountField()
    notes = serializers.ListField(child=serializers.CharField())
    detail = serializers.CharField(required=False)


class ImportOptions(SpecSerializer):
    spec_class = EventSpec
    leave_out = ("language",)
    check = serializers.BooleanField(default=False, help_text="Checks the file only: nothing is written.")
    filename = serializers.CharField(
        default="upload.jsonl", max_length=255, help_text="File name to store, if the body is the file."
    )
    encoding = serializers.CharField(
        default="utf-8",
        max_length=40,
        help_text="A byte order mark of UTF-16 or UTF-32 is recognised.",
    )
    file_format = serializers.ChoiceField(
        choices=["auto", *UPLOADABLE], default="auto", help_text="auto: by content and name."
    )
    segmenter = serializers.ChoiceField(
        choices=SEGMENTERS.ids(), default=RULES.id, help_text="What splits texts into sentences."
    )
    find_clusters = serializers.BooleanField(
        default=False,
        help_text="The articles are dated and have no clusters: find the clusters.",
    )

    def get_fields(self) -> dict[str, Any]:
        columns = {
            column_of(field): serializers.CharField(
                required=False,
                allow_blank=True,
                max_length=200,
                help_text=f"The column, or key of JSON Lines, that is {field}; empty: none.",
            )
            for field in FIELDS
        }
        return super().get_fields() | columns


def column_of(field: str) -> str:
    """The query parameter that names the table's column of a field."""
    return f"{field}_column"


def source_options(chosen: dict[str, Any], upload: Upload, language: str) -> SourceOptions:
    """How to read what was sent. Without columns a table's are found by the usual names. Raises
    FileProblem."""
    events = chosen["spec"].replace(language=language) if chosen["find_clusters"] else None
    mapping = {field: chosen[column_of(field)] for field in FIELDS if column_of(field) in chosen}
    name = upload.format if chosen["file_format"] == "auto" else chosen["file_format"]
    return SourceOptions(name, upload.encoding, mapping, events=events, segmenter=chosen["segmenter"])


@extend_schema_view(get=extend_schema(operation_id="imports_list"))
class ImportsView(LargeBody, RemovableListEndpoint):
    """What was imported, and what was found in it."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = CorpusImport.objects.imported().select_related("imported_by")
    serializer_class = ImportSerializer
    parser_classes = (NdjsonParser, MultiPartParser)

    @extend_schema(
        parameters=[ImportOptions],
        request={"multipart/form-data": FILE, "application/x-ndjson": OpenApiTypes.BINARY},
        responses={
            200: ReportSerializer,
            201: ReportSerializer,
            202: ImportSerializer,
            422: ReportSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import articles, all of them or nothing: 201 imported, 200 checked or imported before, 422 refused.

        Send JSONL, a CSV or TSV, headlines, or a zip archive of `cluster/article.html` or `.txt` as the field
        `file` of a form, or JSONL as the body itself (application/x-ndjson). A worker reads it. Of a file of
        more than 8 MB, and when the worker is busy, the answer is 202, and `imports/{id}/` says what becomes
        of it."""
        chosen = self.filters(ImportOptions)
        sweep_imports()
        upload = self.received(request, chosen)
        try:
            options = source_options(chosen, upload, self.project.language)
        except FileProblem as refusal:
            upload.remove()
            problems = [refusal.at().as_json()]
            return report_response(
                CorpusImport(filename=upload.filename, state=ImportState.REFUSED, problems=problems)
            )
        source = launch_check(
            project=self.project,
            by=self.caller,
            upload=upload,
            options=options,
            then_store=not chosen["check"],
        )
        if upload.size > AT_ONCE_BYTES or not self.done(source):
            return Response(ImportSerializer(source).data, status=status.HTTP_202_ACCEPTED)
        source = ended(source)
        response = report_response(source)
        if source.state == ImportState.CHECKED:
            discard_import(source=source)
        return response

    def received(self, request: Request, chosen: dict[str, Any]) -> Upload:
        pieces, size, name = sent_file(request)
        return keep_upload(
            pieces=pieces,
            size=size,
            filename=name or chosen["filename"],
            encoding=chosen["encoding"],
            project=self.project,
            user=self.caller,
        )

    def done(self, source: CorpusImport) -> bool:
        """Wait for a worker to check a small import, and to store it if that was asked for."""
        until = time.monotonic() + running.API_SECONDS
        while source.job and source.job.active:
            if not running.wait_for(source.job, seconds=until - time.monotonic()):
                return False
            # The job that has checked it may have begun the one that stores it.
            source = CorpusImport.objects.select_related("job").get(pk=source.pk)
        return True


@extend_schema_view(get=extend_schema(operation_id="imports_retrieve"))
class ImportView(RemovableEndpoint):
    """Progress of an import, and its contents."""

    checks = {"GET": check_manage, "DELETE": check_manage}
    rows = CorpusImport.objects.select_related("imported_by", "job")
    serializer_class = ImportSerializer

    @extend_schema(
        operation_id="imports_discard", responses={204: None, 409: OpenApiResponse(InUseSerializer)}
    )
    def delete(self, request: Request, *arguments: Any, **kwargs: Any) -> Response:
        """Stop and delete an unfinished import with its file, or delete the articles of a finished one. 409
        lists the objects that refer to its articles.
        """
        if self.object.state == ImportState.IMPORTED:
            removal.delete(obj=self.object, by=self.caller)
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


def report_response(source: CorpusImport) -> Response:
    data: dict[str, Any] = dict(ReportSerializer(source).data)
    if source.refused:
        first = source.problems[0]
        place = first["file"] or f"Line {first['line']}"
        data["detail"] = f"Nothing was imported. {place}: {first['message']}"
    return Response(data, status=STATUS_CODES.get(source.state, status.HTTP_200_OK))
