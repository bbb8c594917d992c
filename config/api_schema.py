"""What the OpenAPI document says of every operation alike."""

from __future__ import annotations

from typing import Any

ERROR = {
    "type": "object",
    "description": "What is wrong and how to mend it; beside it the fields at fault, each with its messages, "
    "and for a stale version what is stored now, as `current`.",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
    "additionalProperties": {},
}


def document_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every refusal has one shape (`config.api_errors`); for drf-spectacular's POSTPROCESSING_HOOKS."""
    result["components"]["schemas"]["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("4XX", {"description": "Refused.", "content": content})
    return result


KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "format": "uuid"},
    "description": "The same request with the same key makes one thing and gets the first answer again; "
    "another request with the key is refused (422). Kept for two days; not for application/x-ndjson.",
}


def document_idempotency(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """What makes something takes a key (`corpus.api.idempotency`); for POSTPROCESSING_HOOKS."""
    for path in result["paths"].values():
        operation = path.get("post", {"responses": {}})
        if {"201", "202"} & operation["responses"].keys():
            operation.setdefault("parameters", []).append(KEY)
    return result
