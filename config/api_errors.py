"""One shape for every error of the API: `{"detail": "..."}`, with the fields at fault beside it, and for a
stale version what is stored now."""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS, RequestDataTooBig
from django.core.exceptions import ValidationError as ModelError
from django.http import HttpRequest, HttpResponse
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import exception_handler, set_rollback

from config import overload
from projects.errors import Conflict, InUse, KeyReused, PublicError, TooLittleRoom
from projects.lone_surrogates import REFUSAL, is_surrogate_error

logger = logging.getLogger(__name__)


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    if isinstance(error, Conflict):
        return Response({"detail": str(error), "current": error.current}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, KeyReused):
        return Response({"detail": str(error)}, status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    if isinstance(error, InUse):
        return Response({"detail": str(error), "used_by": error.used_by}, status=status.HTTP_409_CONFLICT)
    if isinstance(error, PublicError):
        refused = overload.TOO_LITTLE_ROOM if isinstance(error, TooLittleRoom) else 400
        at_fault = {error.field: [str(error)]} if error.field else {}
        return Response({"detail": str(error), **at_fault}, status=refused)
    if isinstance(error, ModelError):
        fields = error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
        return Response(with_detail(fields), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, RequestDataTooBig):
        limit = f"The body is larger than the {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes that are allowed."
        return Response({"detail": limit}, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
    hindrance = overload.overload_of(error)
    if hindrance is not None:
        set_rollback()
        logger.warning("Answered 503: %r", error)
        request: HttpRequest = context["request"]._request
        return overload.answer(request, hindrance)
    if is_surrogate_error(error):
        return Response({"detail": REFUSAL}, status=status.HTTP_400_BAD_REQUEST)
    response = exception_handler(error, context)
    if response is not None:
        response.data = with_detail(response.data)
    return response


def with_detail(data: Any) -> dict[str, Any]:
    """The errors by field, with all of them as one text under `detail`."""
    if isinstance(data, Mapping) and isinstance(data.get("detail"), str):
        return dict(data)
    fields = dict(data) if isinstance(data, Mapping) else {NON_FIELD_ERRORS: data}
    overall = " ".join(
        texts(fields.pop("non_field_errors", []), "") + texts(fields.pop(NON_FIELD_ERRORS, []), "")
    )
    by_field = " ".join(text for name, errors in fields.items() for text in texts(errors, f"{name}: "))
    return {"detail": " ".join(part for part in (overall, by_field) if part), **fields}


def texts(errors: Any, prefix: str) -> list[str]:
    """Every message in a nest of lists and mappings, each after its place."""
    if isinstance(errors, Mapping):
        return [text for name, inner in errors.items() for text in texts(inner, f"{prefix}{name}: ")]
    if isinstance(errors, list):
        return [text for inner in errors for text in texts(inner, prefix)]
    return [f"{prefix}{errors}"]
