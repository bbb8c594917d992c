"""The header Idempotency-Key: a request that makes something, sent again, gets its first answer."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from projects.services.submissions import Claim, claim

from .parsers import NdjsonParser

HEADER = "Idempotency-Key"
MADE = {status.HTTP_201_CREATED, status.HTTP_202_ACCEPTED}


def idempotency_key(request: Request) -> uuid.UUID:
    """The key of a request. Raises ValidationError for a missing one and one that is no UUID."""
    try:
        return uuid.UUID(request.headers.get(HEADER, ""))
    except ValueError:
        raise ValidationError({"detail": f"Send a UUID in the header {HEADER}."}) from None


def once(handler: Callable[..., Response]) -> Callable[..., Response]:
    """A handler that makes one thing for each key, and answers the same to the same request again.

    Corpus files as application/x-ndjson are read as they come: the key does not count for them.
    """

    def handle(request: Request, *args: Any, **kwargs: Any) -> Response:
        if str(request.content_type).startswith(NdjsonParser.media_type):
            return handler(request, *args, **kwargs)
        key = f"api:{idempotency_key(request)}"
        first = claim(user=cast(User, request.user), key=key, body_sha256=fingerprint(request))
        if not isinstance(first, Claim):
            return Response(first["data"], status=first["status"])
        try:
            response = handler(request, *args, **kwargs)
        except BaseException:
            first.release()
            raise
        if response.status_code in MADE:
            data = json.loads(json.dumps(response.data, cls=JSONEncoder))
            first.settle({"status": response.status_code, "data": data})
        else:
            first.release()
        return response

    return handle


def fingerprint(request: Request) -> str:
    """Of the address and all that was sent, files' contents among it."""
    found = sha256(f"{request.method} {request.get_full_path()}".encode())
    fields: dict[str, Any] = {}
    for name, value in request.data.items() if hasattr(request.data, "items") else [("", request.data)]:
        if isinstance(value, UploadedFile):
            fields[name] = [value.name, value.size, _content(value)]
        else:
            fields[name] = request.data.getlist(name) if hasattr(request.data, "getlist") else value
    found.update(json.dumps(fields, sort_keys=True, default=str).encode())
    return found.hexdigest()


def _content(file: UploadedFile) -> str:
    found = sha256()
    for piece in file.chunks():
        found.update(piece)
    file.seek(0)
    return found.hexdigest()
