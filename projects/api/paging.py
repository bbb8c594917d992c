"""Lists a page at a time, by key set: a page costs the same however deep it lies, and none is shown twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from .serializers import LARGEST_ID

DEFAULT_LIMIT = 100
MAX_LIMIT = 500
PARAMETERS = ("limit", "cursor")


class KeySetPagination(BasePagination):
    """Rows in the order of their ids. `cursor` is the id after which the page begins."""

    next: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        limit, after = limit_and_cursor(request.query_params)
        rows = list(queryset.filter(pk__gt=after).order_by("pk")[: limit + 1])
        if len(rows) > limit:
            rows.pop()
            self.next = str(rows[-1].pk)
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.next})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["items", "next"],
            "properties": {
                "items": schema,
                "next": {"type": "string", "nullable": True, "description": "Cursor of the next page."},
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        texts = {
            "limit": f"How many, 1 to {MAX_LIMIT}; {DEFAULT_LIMIT} by default.",
            "cursor": "`next` of the page before.",
        }
        kinds = {"limit": "integer", "cursor": "string"}
        return [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": text,
                "schema": {"type": kinds[name]},
            }
            for name, text in texts.items()
        ]


def limit_and_cursor(parameters: Mapping[str, str]) -> tuple[int, int]:
    """The page asked for: how many rows, and after which key. Raises ValidationError."""
    return (
        _number(parameters, "limit", default=DEFAULT_LIMIT, low=1, high=MAX_LIMIT),
        _number(parameters, "cursor", default=0, low=0, high=LARGEST_ID),
    )


def _number(parameters: Mapping[str, str], name: str, *, default: int, low: int, high: int) -> int:
    text = parameters.get(name, str(default))
    if not text.isascii() or not text.isdigit() or len(text) > 19 or not low <= int(text) <= high:
        raise ValidationError({name: [f"{name} must be a whole number from {low} to {high}."]})
    return int(text)
