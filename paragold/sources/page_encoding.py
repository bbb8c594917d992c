"""The text of an HTML page's bytes, in the encoding that the page declares; never guessed; MHTML.

Encodings are declared by the rules of HTML (the prescan of WHATWG HTML, 13.2.3.2): a tag `<meta charset>` or
`<meta http-equiv="content-type" content>`, or else an XML declaration at the very beginning. Comments,
scripts, titles and attributes of other tags declare nothing.
"""

from __future__ import annotations

import codecs
import email
import re
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from email.policy import default as MODERN

from paragold.formats.text_files import known_encoding
from paragold.problems import FileProblem, quoted

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# HTML looks at 1,024 bytes first, and follows declarations that its parser meets later.
HEAD_BYTES = 1 << 16

_TAG = re.compile(rb"<(?:(!--)|(/?)([a-zA-Z][^\t\n\f\r />]*+)|[!/?])")
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"([^\"]*+)(?:\"|\Z)|'([^']*+)(?:'|\Z)|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)?))?+"
)
_TAG_END = re.compile(rb"[\t\n\f\r /]*+>")
_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*+))",
    re.IGNORECASE,
)
_XML = re.compile(rb"<\?xml[^>]*?encoding[\0- ]*+=[\0- ]*+(?:\"([^\"\0- ]++)\"|'([^'\0- ]++)')[^>]*+>")
_XML_OF_UTF_16 = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
# Elements whose content is text: tags in it are none.
_TEXT_ELEMENTS = frozenset(
    (b"script", b"style", b"title", b"textarea", b"xmp", b"iframe", b"noembed", b"noframes")
)

# Python's name of an encoding, or of a larger one that has the same characters for the same bytes, before its
# labels in the WHATWG Encoding standard (section 4.2). "none" has those that no page may be read in.
_LABELS = """
utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
cp866 866 cp866 csibm866 ibm866
iso8859-2 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso8859-3 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso8859-4 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso8859-5 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e
iso8859-6 iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597
iso8859-7 iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso8859-8 csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-8859-8-i iso-ir-138
iso8859-8 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 logical visual
iso8859-10 csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso8859-13 iso-8859-13 iso8859-13 iso885913
iso8859-14 iso-8859-14 iso8859-14 iso885914
iso8859-15 csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
iso8859-16 iso-8859-16
koi8-r cskoi8r koi koi8 koi8-r koi8_r
koi8-u koi8-ru koi8-u
mac-roman csmacintosh mac macintosh x-mac-roman
mac-cyrillic x-mac-cyrillic x-mac-ukrainian
cp874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
cp1250 cp1250 windows-1250 x-cp1250
cp1251 cp1251 windows-1251 x-cp1251
cp1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591
cp1252 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
cp1253 cp1253 windows-1253 x-cp1253
cp1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5
cp1254 windows-1254 x-cp1254
cp1255 cp1255 windows-1255 x-cp1255
cp1256 cp1256 windows-1256 x-cp1256
cp1257 cp1257 windows-1257 x-cp1257
cp1258 cp1258 windows-1258 x-cp1258
gb18030 chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
big5hkscs big5 big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp cseucpkdfmtjapanese euc-jp x-euc-jp
iso2022-jp csiso2022jp iso-2022-jp
cp932 csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
cp949 cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601
cp949 windows-949
utf-16-be unicodefffe utf-16be
utf-16-le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
none csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement
"""
ENCODINGS: Mapping[str, str] = {
    label: encoding for encoding, *labels in map(str.split, _LABELS.strip().splitlines()) for label in labels
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
    if encoding == "none":
        raise FileProblem(f"No page may be in the encoding {quoted(name)}.", "Save it as UTF-8.")
    return encoding, 0


def declared_encoding(page: bytes) -> str:
    """The label that the page declares, in lower case; "" for none.

    The first label that ENCODINGS has counts, as browsers pass over others; without any, the first of those.
    """
    head = page[:HEAD_BYTES]
    for beginning, label in _XML_OF_UTF_16:
        if head.startswith(beginning):
            return label
    labels = list(_of_tags(head))
    if declaration := _XML.match(head):
        labels.append(_label(declaration[1] or declaration[2]))
    label = next((label for label in labels if label in ENCODINGS), labels[0] if labels else "")
    # What can be read byte by byte is not in UTF-16, whatever it says.
    return "utf-8" if ENCODINGS.get(label, "").startswith("utf-16") else label


def _of_tags(head: bytes) -> Iterator[str]:
    at = 0
    while tag := _TAG.search(head, at):
        comment, closing, name = tag.groups()
        if comment:
            # The hyphens that begin a comment may be those that end it: <!-->.
            end = head.find(b"-->", tag.end() - 2)
            at = end + 3
        elif name is None:
            end = head.find(b">", tag.end())
            at = end + 1
        else:
            attributes, end = _attributes(head, tag.end())
            at = end + 1
            if end >= 0 and not closing and name.lower() == b"meta" and (label := _of_meta(attributes)):
                yield label
            if end >= 0 and not closing and name.lower() in _TEXT_ELEMENTS:
                content_end = re.compile(rb"</" + name + rb"[\t\n\f\r />]", re.IGNORECASE).search(head, at)
                at, end = (content_end.start(), at) if content_end else (0, -1)
        if end < 0:
            return


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of a tag whose name ends at a place, the first of each name; where it ends, or -1."""
    attributes: dict[bytes, bytes] = {}
    while (end := _TAG_END.match(head, at)) is None:
        attribute = _ATTRIBUTE.match(head, at)
        if attribute is None:
            return attributes, -1
        name, *values = attribute.groups()
        attributes.setdefault(name.lower(), next((value for value in values if value is not None), b""))
        at = attribute.end()
    return attributes, end.end() - 1


def _of_meta(attributes: Mapping[bytes, bytes]) -> str:
    label = _label(attributes.get(b"charset", b""))
    if b"charset" not in attributes and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        charset = _CHARSET.search(attributes.get(b"content", b""))
        label = _label(next(value for value in charset.groups() if value is not None)) if charset else ""
    return "windows-1252" if label == "x-user-defined" else label


def _label(value: bytes) -> str:
    return value.decode("latin-1").strip("\t\n\f\r ").lower()
