"""Large files in pieces: begun, continued after a lost connection, then imported by their token."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.uploads import (
    PIECE_MEGABYTES,
    Upload,
    UploadGone,
    add_piece,
    begin_upload,
    find_upload,
)
from projects.api.endpoint import Endpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_ID, StrictSerializer
from projects.permissions import check_manage

BIT = 1 << 16


class PieceParser(BaseParser):
    """Hands the body over unread."""

    media_type = "application/octet-stream"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        return {"stream": stream}


class NewUploadSerializer(StrictSerializer):
    filename = serializers.CharField(max_length=255)
    size = serializers.IntegerField(min_value=0, max_value=LARGEST_ID, help_text="Bytes of the whole file")
    encoding = serializers.CharField(default="utf-8", max_length=40)


class UploadSerializer(serializers.Serializer[Upload]):
    token = serializers.CharField()
    filename = serializers.CharField()
    size = serializers.IntegerField()
    received = serializers.IntegerField(help_text="Bytes that are here: where the next piece begins")
    piece_bytes = serializers.SerializerMethodField(help_text="The most that one piece may have")

    def get_piece_bytes(self, upload: Upload) -> int:
        return PIECE_MEGABYTES << 20


class OffsetSerializer(StrictSerializer):
    offset = serializers.IntegerField(min_value=0, max_value=LARGEST_ID)


class UploadsEndpoint(Endpoint):
    """Begins uploads for its `project`, None for an archive that is to become one."""

    project: Any = None

    @extend_schema(request=NewUploadSerializer, responses={201: UploadSerializer})
    def post(self, request: Request, **address: str) -> Response:
        """Begin to send a file in pieces. What is not imported within a day is removed."""
        upload = begin_upload(**self.body(NewUploadSerializer), project=self.project, user=self.caller)
        return Response(UploadSerializer(upload).data, status=status.HTTP_201_CREATED)


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
        """How much of the file is here."""
        self.filters()
        return Response(UploadSerializer(self.upload(token)).data)

    @extend_schema(
        parameters=[OpenApiParameter("offset", int, required=True, description="Where the piece begins.")],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses=UploadSerializer,
    )
    def put(self, request: Request, token: str, **address: str) -> Response:
        """Add a piece. 409, with the right offset, when that is not where the next byte belongs."""
        upload, offset = self.upload(token), self.filters(OffsetSerializer)["offset"]
        if int(request.META.get("CONTENT_LENGTH") or 0) > PIECE_MEGABYTES << 20:
            raise serializers.ValidationError({"detail": [f"A piece has at most {PIECE_MEGABYTES} MB."]})
        # An empty body is not parsed at all.
        stream = cast(dict[str, Any], request.data).get("stream") or io.BytesIO()
        add_piece(upload=upload, offset=offset, pieces=iter(lambda: stream.read(BIT), b""))
        return Response(UploadSerializer(upload).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token: str, **address: str) -> Response:
        """Remove what was sent."""
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
