"""Files that come in requests: as a body, as a field of a form, or large ones in pieces."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, cast

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.uploads import (
    MEGABYTES_AT_MOST,
    PIECE_MEGABYTES,
    Upload,
    UploadGone,
    add_piece,
    begin_upload,
    find_upload,
    on_disk,
)
from paragold.problems import PROBLEMS_SHOWN
from projects.api.endpoint import Endpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_ID, StrictSerializer
from projects.api.transport import NdjsonParser, PieceParser
from projects.permissions import check_manage

PIECE = 1 << 20
BIT = 1 << 16
# What a form may add around the file.
FORM_BYTES = 1 << 16
FILE = {
    "type": "object",
    "properties": {"file": {"type": "string", "format": "binary"}},
    "required": ["file"],
}


class FileTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = (
        f"The file is larger than {MEGABYTES_AT_MOST} MB, the limit of one request. Upload it in pieces "
        "(uploads/), or use `manage.py import_corpus` on the server, which has no limit."
    )


class LimitedBody(Endpoint):
    """Refuses a body of more than `max_bytes` before it is read; no more than announced ever is."""

    max_bytes: ClassVar[int] = (MEGABYTES_AT_MOST << 20) + FORM_BYTES
    too_large: ClassVar[type[APIException]] = FileTooLarge

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        if int(request.META.get("CONTENT_LENGTH") or 0) > self.max_bytes:
            raise self.too_large
        super().initial(request, *arguments, **kwargs)


class FirstProblems(serializers.ListSerializer[Any]):
    def to_representation(self, data: Any) -> Any:
        return super().to_representation(data[:PROBLEMS_SHOWN])


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem of a file. Of several the first five are listed; `problem_count` counts all."""

    file = serializers.CharField(help_text="The file inside an archive; empty for the file that was sent.")
    line = serializers.IntegerField(help_text="Line of the file, from 1; 0 for the whole file.")
    column = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    remedy = serializers.CharField()

    class Meta:
        list_serializer_class = FirstProblems


class ProblemCountField(serializers.IntegerField):
    def __init__(self) -> None:
        help_text = "How many problems were found until reading stopped; the first five are listed."
        super().__init__(source="problems", read_only=True, help_text=help_text)

    def to_representation(self, value: Any) -> int:
        return len(value)


def sent_file(request: Request) -> tuple[Iterator[bytes], int, str]:
    """The sent file in pieces, its size in bytes, and its name ("" for a bare body)."""
    file = request.FILES.get("file")
    if str(request.content_type).startswith(NdjsonParser.media_type):
        # An empty body is an empty file: its report says so.
        sent = cast(dict[str, Any], request.data)
        stream = sent.get("stream") or io.BytesIO()
        return iter(lambda: stream.read(PIECE), b""), int(request.META.get("CONTENT_LENGTH") or 0), ""
    if isinstance(file, UploadedFile):
        return iter(file.chunks(PIECE)), file.size or 0, file.name or ""
    raise ValidationError({"file": ["Send the file as the field `file`, or as application/x-ndjson."]})


@contextmanager
def uploaded(request: Request) -> Iterator[tuple[Path, str]]:
    """The file that was sent, on disk for as long as it is needed, and its name ("" for a bare body)."""
    pieces, _, name = sent_file(request)
    with on_disk(pieces) as path:
        yield path, name


class NewUploadSerializer(StrictSerializer):
    filename = serializers.CharField(max_length=255)
    size = serializers.IntegerField(
        min_value=0, max_value=LARGEST_ID, help_text="Size of the whole file in bytes."
    )
    encoding = serializers.CharField(default="utf-8", max_length=40)


class UploadSerializer(serializers.Serializer[Upload]):
    token = serializers.CharField()
    filename = serializers.CharField()
    size = serializers.IntegerField()
    received = serializers.IntegerField(help_text="How many bytes are received; the next piece starts there.")
    piece_bytes = serializers.SerializerMethodField(help_text="Maximum size of a piece in bytes.")

    def get_piece_bytes(self, upload: Upload) -> int:
        return PIECE_MEGABYTES << 20


class OffsetSerializer(StrictSerializer):
    offset = serializers.IntegerField(min_value=0, max_value=LARGEST_ID, help_text="Where the piece begins.")


class UploadsEndpoint(Endpoint):
    """Begins uploads for its `project`, None for an archive that is to become one."""

    project: Any = None

    @extend_schema(request=NewUploadSerializer, responses={201: UploadSerializer})
    def post(self, request: Request, **address: str) -> Response:
        """Start an upload in pieces. It is deleted if not imported within PARAGOLD_UPLOADS_DAYS (1)."""
        upload = begin_upload(**self.body(NewUploadSerializer), project=self.project, user=self.caller)
        return self.created(UploadSerializer, upload)


class UploadEndpoint(Endpoint):
    """One upload for its `project`."""

    parser_classes = (PieceParser,)
    project: Any = None

    def upload(self, token: str) -> Upload:
        try:
            return find_upload(token, project=self.project, user=self.caller)
        except UploadGone as error:
            raise NotFound(str(error)) from error

    @extend_schema(responses=UploadSerializer)
    def get(self, request: Request, token: str, **address: str) -> Response:
        """How much of the file was received."""
        self.filters()
        return Response(UploadSerializer(self.upload(token)).data)

    @extend_schema(
        parameters=[OffsetSerializer],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses=UploadSerializer,
    )
    def put(self, request: Request, token: str, **address: str) -> Response:
        """Add a piece. 409 with the right offset if the piece does not continue the file."""
        upload, offset = self.upload(token), self.filters(OffsetSerializer)["offset"]
        if int(request.META.get("CONTENT_LENGTH") or 0) > PIECE_MEGABYTES << 20:
            raise serializers.ValidationError({"detail": [f"A piece has at most {PIECE_MEGABYTES} MB."]})
        # An empty body is not parsed at all.
        stream = cast(dict[str, Any], request.data).get("stream") or io.BytesIO()
        add_piece(upload=upload, offset=offset, pieces=iter(lambda: stream.read(BIT), b""))
        return Response(UploadSerializer(upload).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token: str, **address: str) -> Response:
        """Delete the upload."""
        self.upload(token).remove()
        return Response(status=status.HTTP_204_NO_CONTENT)


def upload_operations(prefix: str) -> Callable[[type[UploadEndpoint]], type[UploadEndpoint]]:
    """Names the operations of an UploadEndpoint in the OpenAPI document."""
    names = {"get": "retrieve", "put": "add", "delete": "discard"}
    return extend_schema_view(
        **{method: extend_schema(operation_id=f"{prefix}_{name}") for method, name in names.items()}
    )


@extend_schema_view(post=extend_schema(operation_id="uploads_begin"))
class UploadsView(UploadsEndpoint, ProjectEndpoint):
    checks = {"POST": check_manage}


@upload_operations("uploads")
class UploadView(UploadEndpoint, ProjectEndpoint):
    checks = {"GET": check_manage, "PUT": check_manage, "DELETE": check_manage}
