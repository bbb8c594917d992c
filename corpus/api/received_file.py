"""Files that come as the body of a request or as a field of a form."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

from corpus.services.uploads import MEGABYTES_AT_MOST
from projects.api.parsers import NdjsonParser

PIECE = 1 << 20
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
        f"The file is larger than {MEGABYTES_AT_MOST} MB, the most that can come in one request. Send a "
        "corpus in pieces (uploads/), or use the commands on the server (`manage.py import_corpus`), which "
        "have no such limit."
    )


class ProblemSerializer(serializers.Serializer[Any]):
    file = serializers.CharField(help_text="The file inside an archive; empty for the file that was sent.")
    line = serializers.IntegerField(help_text="From 1; 0 is the whole file.")
    column = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    remedy = serializers.CharField()


def sent_file(request: Request) -> tuple[Iterator[bytes], int, str]:
    """What was sent, bit by bit, its size in bytes, and its name ("" for a bare body)."""
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
    with tempfile.NamedTemporaryFile(dir=settings.UPLOADS_DIR, suffix=".sent") as stored:
        for piece in pieces:
            stored.write(piece)
        stored.flush()
        yield Path(stored.name), name
