"""Lone surrogates: JSON escapes such as "\\ud800" can produce them, and UTF-8 cannot carry them."""

from __future__ import annotations

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
