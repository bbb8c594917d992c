"""The OpenAPI document: what it says of every operation alike, and the address that serves it."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import get_lib_doc_excludes
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from projects.error_responses import FILES

from .descriptions import describe

ERROR = {
    "type": "object",
    "description": "What is wrong and how to correct it, with the invalid fields, each with its messages.",
    "properties": {
        "detail": {"type": "string"},
        "current": {"type": "object", "description": "With 409: what is stored now."},
    },
    "required": ["detail"],
    "additionalProperties": {
        "anyOf": [{"type": "array", "items": {}}, {"type": "object"}],
        "description": "Messages of a field; of a list or an object within it by their places.",
    },
}
KEY_REUSED = "The `Idempotency-Key` came with another request before. Nothing was done."
BUSY = "The disk is full, or the database is busy or does not answer. Try again later."
TOO_LITTLE_ROOM = "The server's disk has too little space for this file."
RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "format": "uuid"},
    "description": "The same request with the same key is carried out once and gets the first answer "
    "again; another request with this key is refused (422). Keys are kept for two days; not for "
    "application/x-ndjson.",
}


def document_operations(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every refusal has one shape (`projects.error_responses`), what makes something takes a key
    (`projects.submissions`), and every field is described; for POSTPROCESSING_HOOKS."""
    result["components"]["schemas"]["Error"] = ERROR
    error = {"$ref": "#/components/schemas/Error"}
    content = {"application/json": {"schema": error}}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            parameters = operation.setdefault("parameters", [])
            if method == "post" and {"201", "202"} & responses.keys():
                parameters.append(KEY)
            if any(parameter["name"] == KEY["name"] for parameter in parameters):
                refused = responses.setdefault("422", {"description": KEY_REUSED, "content": content})
                if refused["content"] is not content:
                    described = refused["content"]["application/json"]
                    described["schema"] = {"anyOf": [described["schema"], error]}
                    refused["description"] = f"The file was refused. Or: {KEY_REUSED}"
            responses.setdefault("4XX", {"description": "Refused.", "content": content})
            responses["503"] = {"description": BUSY, "headers": RETRY_AFTER, "content": content}
            sent = operation.get("requestBody", {}).get("content", {})
            if path.endswith("uploads/") or any(kind in sent for kind in FILES):
                responses["507"] = {"description": TOO_LITTLE_ROOM, "content": content}
    describe(result)
    return result


@cache
def classes_without_description() -> list[type]:
    """Bases whose docstrings say nothing of one request or answer; for GET_LIB_DOC_EXCLUDES."""
    from .serializers import RowSerializer, SpecSerializer, StrictSerializer, WholeListSerializer

    return [*get_lib_doc_excludes(), RowSerializer, SpecSerializer, StrictSerializer, WholeListSerializer]


class SchemaView(SpectacularAPIView):
    """Serves the document, which takes seconds to make and does not change: once in a process and format."""

    made: ClassVar[dict[str, Any]] = {}

    @extend_schema(exclude=True)
    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> HttpResponse:
        renderer: Any = request.accepted_renderer
        if renderer.media_type not in self.made:
            document = SchemaGenerator().get_schema(public=True)
            self.made[renderer.media_type] = renderer.render(document, renderer_context={})
        return HttpResponse(
            self.made[renderer.media_type],
            content_type=f"{renderer.media_type}; charset=utf-8",
            headers={"Content-Disposition": f'inline; filename="Paragold.{renderer.format}"'},
        )
