"""The text of an HTML page's bytes, in the encoding that the page declares; never guessed; MHTML.

A page declares its encoding by a tag `<meta charset>` or `<meta http-equiv="content-type" content>`, or else
by an XML declaration at the very beginning. Comments, scripts, titles and other tags declare nothing.
"""

from __future__ import annotations

import codecs
import email
import re
from contextlib import suppress
from email.message import EmailMessage
from email.policy import default as MODERN
from html.parser import HTMLParser

from paragold.formats.text_files import known_encoding
from paragold.problems import FileProblem, quoted

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# HTML looks at 1,024 bytes first, and follows declarations that its parser meets later.
HEAD_BYTES = 1 << 16
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_XML = re.compile(r"<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)")
# Elements besides scripts and styles whose content is text: tags in it are none.
_TEXT_ELEMENTS = frozenset(("title", "textarea", "xmp", "iframe", "noembed", "noframes"))

# As in WHATWG Encoding, 4.2: browsers read many labels as an encoding that has more characters.
_OF_THE_WEB = {
    **dict.fromkeys(("ascii", "iso8859-1", "user-defined"), "cp1252"),
    **{"iso8859-9": "cp1254", "utf-16": "utf-16-le", "logical": "iso8859-8", "visual": "iso8859-8"},
    **dict.fromkeys(("gb2312", "gb_2312", "gb_2312-80", "gbk"), "gb18030"),
    **dict.fromkeys(("big5", "x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc_kr", "ksc_5601", "windows-949"), "cp949"),
    **dict.fromkeys(("tis-620", "iso8859-11", "windows-874", "dos-874"), "cp874"),
    **{"koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u", "mac": "mac-roman"},
}


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
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", ""))
    if not encoding:
        name = declared or declared_encoding(data) or "utf-8"
        try:
            encoding = _encoding(name)
        except LookupError as error:
            message = f"The page's encoding {quoted(name)} is not known."
            raise FileProblem(message, "Save it as UTF-8.") from error
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        offset = error.start + len(mark)
        raise Undecodable(
            f"Byte {offset:,} (0x{data[offset]:02x}) is not {encoding}, "
            f"{'which the page declares' if declared or encoding != 'utf-8' else 'the default encoding'}.",
            'Save the page as UTF-8, or add <meta charset="..."> with the encoding that it has.',
        ) from error
    if "\0" in text:
        raise FileProblem("The page holds NUL characters; it is not HTML text.", "Leave it out.")
    return text


def _encoding(label: str) -> str:
    """Python's name of the encoding that browsers take a label for. Raises LookupError."""
    label = label.strip().lower().removeprefix("x-")
    label = re.sub(r"^iso-?8859-?([0-9]+)(-[ei])?$", r"iso8859-\1", label)
    name = _OF_THE_WEB.get(label) or known_encoding(label)
    return _OF_THE_WEB.get(name, name)


def declared_encoding(page: bytes) -> str:
    """The label that the page declares, in lower case; "" for none.

    The first known label counts, as browsers pass over others; without any, the first one.
    """
    head = page[:HEAD_BYTES].decode("latin-1")
    tags = _MetaTags()
    # The parser of the standard library gives up with it at malformed <![...]> sections.
    with suppress(AssertionError):
        tags.feed(head)
    declaration = _XML.match(head)
    first = ""
    for label in [*tags.labels, *([declaration[1].lower()] if declaration else [])]:
        first = first or label
        try:
            # What can be read byte by byte is not in UTF-16, whatever it says.
            return "utf-8" if _encoding(label).startswith("utf-16") else label
        except LookupError:
            continue
    return first


class _MetaTags(HTMLParser):
    """Collects the encodings that the meta tags of a page declare."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.labels: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TEXT_ELEMENTS:
            self.set_cdata_mode(tag)
        if tag != "meta":
            return
        # The first attribute of a name counts.
        attributes = {name: (value or "").strip() for name, value in reversed(attrs)}
        label = attributes.get("charset", "")
        if "charset" not in attributes and attributes.get("http-equiv", "").lower() == "content-type":
            charset = _CHARSET.search(attributes.get("content", ""))
            label = charset[1] if charset else ""
        if label:
            self.labels.append(label.lower())
