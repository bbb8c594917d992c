"""Input quoted inside a message: short, whatever its length, and on one line."""

from __future__ import annotations

QUOTED_CHARACTERS = 60


def shortened(text: str, maximum: int = QUOTED_CHARACTERS) -> str:
    """The text, or its beginning and end with "..." between them if it has more than `maximum` characters."""
    if len(text) <= maximum:
        return text
    end = maximum // 4
    return f"{text[: maximum - end - 3]}...{text[-end:]}"


def quoted(value: object, maximum: int = QUOTED_CHARACTERS) -> str:
    """A value as Python writes it, shortened: `'text'`, `7`."""
    if isinstance(value, str):
        return repr(shortened(value, maximum))
    return shortened(repr(value), maximum)
