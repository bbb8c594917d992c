"""Request bodies: JSON of bounded size, and corpus files that are never held in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

from projects.lone_surrogates import REFUSAL, holds_lone_surrogate


class BoundedJSONParser(JSONParser):
    """JSON of bounded depth without lone surrogates.

    Django bounds its size (DATA_UPLOAD_MAX_MEMORY_SIZE).
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        try:
            data: dict[str, Any] = super().parse(stream, media_type, parser_context)
            # The body itself is ASCII or UTF-8; its escapes alone can hold lone surrogates.
            refused = holds_lone_surrogate(json.dumps(data, ensure_ascii=False))
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        if refused:
            raise ParseError(REFUSAL)
        return data


class NdjsonParser(BaseParser):
    """Hands the body over unread, as {"stream": ...}: nothing is stored before permissions are checked."""

    media_type = "application/x-ndjson"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {"stream": stream}
