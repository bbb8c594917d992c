"""Judged pairs as TMX 1.4b, the exchange format of translation memories: a translation unit is a pair.

Each unit has two variants, in the order of the sentences. The property `x-label` is the label, `x-flagged`
the flag, the note the comment. A unit without a label is a paraphrase, and counted.
LISA (2005), "TMX 1.4b Specification".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

from paragold.formats.judgements.judgement_format import JudgedPair, JudgementFormat, LabelRules, label_of
from paragold.formats.unknown import Unknown
from paragold.problems import FileProblem, quoted

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ATTRIBUTES = {"tuid", "creationdate", "changedate", "creationid", "changeid", "creationtool", "srclang"}
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="Paragold" creationtoolversion="1" segtype="sentence" o-tmf="Paragold" adminlang="en"
 srclang={language} datatype="plaintext"/>
<body>
"""
END = "</body>\n</tmx>\n"


def _units(text: str, unknown: Unknown) -> Iterator[tuple[int, Any]]:
    """The translation units of a file, each with its line. Raises FileProblem for what is no TMX."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True,
        encoding="utf-8",
    )  # fmt: skip
    try:
        root = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise FileProblem(f"It is not XML ({error.msg}).", "Export the memory again.", line=line) from error
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(iter(dtd.iterentities()), None) is not None:
        raise FileProblem("The file declares entities.", "Remove them from its DOCTYPE.", line=1)
    if root.tag != "tmx" or root.find("body") is None:
        raise FileProblem("This is no TMX file.", "Give a file with <tmx> and <body>.", line=1)
    for unit in root.find("body"):
        yield unit.sourceline, unit


def _parse(unit: Any, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    texts = [_text(variant.find("seg"), unknown) for variant in unit.findall("tuv")]
    if len(texts) != 2:
        raise FileProblem(f"The unit has {len(texts)} variants.", "Give two: the sentences of a pair.")
    unknown.update(f"attribute {name}" for name in set(unit.keys()) - _ATTRIBUTES)
    properties: dict[str, str] = {}
    comments = []
    for element in unit.iterdescendants("prop", "note"):
        if element.tag == "note" and element.getparent() is unit:
            comments.append(element.text or "")
        elif element.get("type") in ("x-label", "x-flagged"):
            properties[element.get("type")] = element.text or ""
        else:
            unknown[f"{element.tag} {element.get('type', '')}".strip()] += 1
    if "x-label" not in properties:
        unknown["unit without a label, read as paraphrase"] += 1
    label = properties.get("x-label", "paraphrase")
    return JudgedPair(
        unit.get("tuid") or str(line),
        texts[0],
        texts[1],
        None if label == "skipped" else label_of(label),
        line,
        "\n".join(comments),
        properties.get("x-flagged") == "true",
    )


def _text(segment: Any, unknown: Unknown) -> str:
    """The text of a segment without the codes in it."""
    if segment is None:
        raise FileProblem("A variant has no segment.", "Give each <tuv> a <seg>.")
    parts = [segment.text or ""]
    for child in segment:
        unknown[f"element {child.tag} in a segment"] += 1
        parts += [_text(child, unknown) if child.tag == "hi" else "", child.tail or ""]
    return "".join(parts)


def dumps(pairs: Sequence[JudgedPair], before: int, language: str) -> str:
    """The text of some pairs in a file that has so many already; `END` ends the file.

    Raises FileProblem, with the pair as the file, for a character that XML does not have.
    """
    units = "".join(_unit(pair, quoteattr(language)) for pair in pairs)
    return units if before else _HEAD.format(language=quoteattr(language)) + units


def _unit(pair: JudgedPair, language: str) -> str:
    for text in (pair.key, pair.a, pair.b, pair.comment):
        if bad := _NO_XML.search(text):
            message = f"XML does not have the character U+{ord(bad[0]):04X}."
            raise FileProblem(message, "Choose another format.", file=f"pair {quoted(pair.key)}")
    lines = [f"<tu tuid={quoteattr(pair.key)}>"]
    if pair.comment:
        lines.append(f"<note>{_escaped(pair.comment)}</note>")
    lines.append(f'<prop type="x-label">{pair.label or "skipped"}</prop>')
    if pair.flagged:
        lines.append('<prop type="x-flagged">true</prop>')
    lines += [f"<tuv xml:lang={language}><seg>{_escaped(text)}</seg></tuv>" for text in (pair.a, pair.b)]
    return "\n".join([*lines, "</tu>\n"])


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


TMX = JudgementFormat(
    id="tmx",
    label="TMX 1.4, translation memory",
    begins=lambda head, reading: head.lstrip().startswith("<") and "<tmx" in head,
    records=_units,
    parse=_parse,
    write=dumps,
    end=END,
    extension=".tmx",
    help="judged pairs as units of a translation memory",
)
