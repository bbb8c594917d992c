"""Answers of the API as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import renderers


class JSONRenderer(renderers.JSONRenderer):
    """JSON in UTF-8; an answer that holds lone surrogates is written with ASCII escapes."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        try:
            return super().render(data, accepted_media_type, renderer_context)
        except UnicodeEncodeError:
            return EscapingRenderer().render(data, accepted_media_type, renderer_context)


class EscapingRenderer(renderers.JSONRenderer):
    ensure_ascii = True
