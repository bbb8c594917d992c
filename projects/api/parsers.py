"""Request bodies: JSON of bounded size, and corpus files that are never held in memory.

JSON escapes such as "\\ud800" can produce lone surrogates, which UTF-8 cannot carry: they are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

REFUSAL = (
    "The text holds half of a surrogate pair, which is not valid Unicode. Correct the text and send it again."
)


def holds_lone_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def is_surrogate_error(error: BaseException) -> bool:
    """Whether text could not be encoded because of a lone surrogate."""
    return isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed"


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
