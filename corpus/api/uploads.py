"""Files that come in requests: as a body, or as a field of a form."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, cast

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

from corpus.services.uploads import (
    MEGABYTES_AT_MOST,
    check_room,
    may_send_large,
    on_disk,
)
from paragold.problems import PROBLEMS_SHOWN
from projects.api.endpoint import Endpoint
from projects.api.transport import NdjsonParser

PIECE = 1 << 20
# What a form may add around the file.
FORM_BYTES = 1 << 16


class FileTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = (
        f"The file is larger than {MEGABYTES_AT_MOST} MB, the limit of one request. Split it, or use the "
        "command of `manage.py` on the server, which has no limit."
    )


class LimitedBody(Endpoint):
    """Refuses a body of more than `max_bytes` before it is read; no more than announced ever is.

    One of more than MEGABYTES_AT_MOST is read by a worker, and taken as far as there is room for it.
    """

    max_bytes: ClassVar[int] = (MEGABYTES_AT_MOST << 20) + FORM_BYTES

    def too_large(self) -> FileTooLarge:
        return FileTooLarge()

    def initial(self, request: Request, *arguments: Any, **kwargs: Any) -> None:
        size, user = int(request.META.get("CONTENT_LENGTH") or 0), request._request.user
        # The body of a session is read with its token, before permissions are checked.
        large = size > LimitedBody.max_bytes
        if size > self.max_bytes or (
            large and user.is_authenticated and not may_send_large(user, kwargs["slug"])
        ):
            raise self.too_large()
        if request.method == "POST" and self.max_bytes > LimitedBody.max_bytes:
            check_room(size)
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


def sent_file(request: Request, part: str = "file") -> tuple[Iterator[bytes], int, str]:
    """The sent file in pieces, its size in bytes, and its name ("" for a bare body)."""
    file = request.FILES.get(part)
    if str(request.content_type).startswith(NdjsonParser.media_type):
        # An empty body is an empty file: its report says so.
        sent = cast(dict[str, Any], request.data)
        stream = sent.get("stream") or io.BytesIO()
        return iter(lambda: stream.read(PIECE), b""), int(request.META.get("CONTENT_LENGTH") or 0), ""
    if isinstance(file, UploadedFile):
        return iter(file.chunks(PIECE)), file.size or 0, file.name or ""
    raise ValidationError(
        {"file": [gettext("Send the file as the field `file`, or as application/x-ndjson.")]}
    )


@contextmanager
def uploaded(request: Request) -> Iterator[tuple[Path, str]]:
    """The file that was sent, on disk for as long as it is needed, and its name ("" for a bare body)."""
    pieces, _, name = sent_file(request)
    with on_disk(pieces) as path:
        yield path, name
