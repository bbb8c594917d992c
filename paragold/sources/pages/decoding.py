"""The text of an HTML page's bytes, in the encoding that the page declares; never guessed."""

from __future__ import annotations

import codecs
import re

from paragold.formats.text_files import known_encoding
from paragold.problems import FileProblem, quoted

# Where HTML looks for a declaration (WHATWG HTML, section 4.2.5.4), with some air for long heads.
HEAD_BYTES = 8192

_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{1,40})["']""")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Browsers read these labels as the larger Windows sets, and pages are written for browsers (WHATWG Encoding).
_AS_BROWSERS_DO = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030"}


def decode_page(data: bytes, *, declared: str = "") -> str:
    """The page's text without a byte order mark.

    A byte order mark counts most, then `declared` (of the HTTP header, say), then the page's own declaration;
    without any of them it is UTF-8. Raises FileProblem for an unknown encoding, for bytes that the encoding
    does not have (with their offset), and for NUL characters.
    """
    encoding, start = _encoding(data, declared)
    try:
        text = data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        offset = error.start + start
        raise FileProblem(
            f"Byte {offset:,} (0x{data[offset]:02x}) is not {encoding}, "
            f"{'which the page declares' if declared or encoding != 'utf-8' else 'the default encoding'}.",
            'Save the page as UTF-8, or add <meta charset="..."> with the encoding that it has.',
        ) from error
    if "\0" in text:
        raise FileProblem("The page holds NUL characters; it is not HTML text.", "Leave it out.")
    return text


def _encoding(data: bytes, declared: str) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    name = declared
    if not name:
        head = data[:HEAD_BYTES]
        match = _META.search(head) or _XML.match(head)
        # A declaration that can be read byte by byte cannot be that of UTF-16 (as HTML has it, too).
        name = match[1].decode("ascii") if match else "utf-8"
        if match and name.lower().startswith("utf-16"):
            name = "utf-8"
    try:
        known = known_encoding(name)
    except LookupError as error:
        raise FileProblem(f"The page's encoding {quoted(name)} is not known.", "Save it as UTF-8.") from error
    return _AS_BROWSERS_DO.get(known, known), 0
