"""Encodings that a file may be declared to have."""

from __future__ import annotations

import codecs

# Not encodings of files: decoding the first two takes quadratic time, the others give half characters.
_NOT_OF_FILES = frozenset(("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"))
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def known_encoding(declared: str) -> str:
    """Python's name of an encoding of text. Raises LookupError for another name."""
    try:
        codec = codecs.lookup(declared)
    except (UnicodeError, ValueError) as error:
        raise LookupError(declared) from error
    if codec.name.replace("_", "-") in _NOT_OF_FILES or not getattr(codec, "_is_text_encoding", True):
        raise LookupError(declared)
    return codec.name


def marked_encoding(head: bytes) -> str:
    """The encoding that the byte order mark at the beginning of a file says, or "" without one."""
    return next((encoding for mark, encoding in BYTE_ORDER_MARKS if head.startswith(mark)), "")
