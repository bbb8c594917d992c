"""The text of an HTML page's bytes, in the encoding that the page declares; never guessed; MHTML."""

from __future__ import annotations

import codecs
import email
from email.message import EmailMessage
from email.policy import default as MODERN

from paragold.formats.text_files import known_encoding
from paragold.problems import FileProblem, quoted

from .declared_encoding import ENCODINGS, declared_encoding

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Undecodable(FileProblem):
    """A page whose bytes are not in its encoding: among others it is left out."""


def page_in_mhtml(data: bytes) -> tuple[bytes, str]:
    """The HTML of a page that a browser saved as one file (RFC 2557), and the encoding that it declares.

    Raises Undecodable where there is none.
    """
    try:
        message = email.message_from_bytes(data, policy=MODERN)
        for part in message.walk():
            if isinstance(part, EmailMessage) and part.get_content_type() == "text/html":
                content = part.get_payload(decode=True)
                if isinstance(content, bytes):
                    return content, part.get_content_charset("")
    except (RecursionError, LookupError, ValueError):
        pass  # as one without a page
    raise Undecodable("The file holds no HTML page.", 'Save the page as "Webpage, HTML only".')


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
        raise Undecodable(
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
    name = declared or declared_encoding(data) or "utf-8"
    known = name.strip().lower()
    try:
        if declared and known not in ENCODINGS:
            # Encodings that people choose need not be those of web pages.
            known = known_encoding(name)
            return ENCODINGS.get(known, known), 0
        encoding = ENCODINGS[known]
    except LookupError as error:
        raise FileProblem(f"The page's encoding {quoted(name)} is not known.", "Save it as UTF-8.") from error
    if not encoding:
        raise FileProblem(f"No page may be in the encoding {quoted(name)}.", "Save it as UTF-8.")
    return encoding, 0
