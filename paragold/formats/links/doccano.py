"""Linked pairs as doccano has them: JSON Lines of a project of sequence labelling with relations.

`{"text": str, "entities": [{"id", "label", "start_offset", "end_offset"}], "relations": [{"id", "from_id",
"to_id", "type"}], "pair": str}`: the text of two lines, offsets in code points, `type` SURE or POSSIBLE, and
`pair` the id, which doccano keeps as metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from paragold.formats.json_lines import Record, objects
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.spans import WORD, SpanPair, labelled_links, pair_text
from paragold.formats.unknown import Unknown, count_fields
from paragold.metrics.links import LinkedPair

_KNOWN = frozenset({"id", "pair", "text", "entities", "relations"})


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem for anything not in the format."""
    return unique_pairs(objects(text), lambda value, line: _pair(value, line, unknown))


def _pair(value: Mapping[str, Any], line: int, unknown: Unknown) -> LinkedPair:
    record = Record.of(value, "the line")
    pair = SpanPair(record.text("text"), unknown)
    count_fields(value, _KNOWN, unknown)
    words: dict[str, list[int]] = {}
    for entity in record.records("entities"):
        words[str(entity.values.get("id"))] = pair.words(
            entity.index("start_offset"), entity.index("end_offset")
        )
        if (label := entity.text("label")).lower() != WORD:
            unknown[f"entity label {label}"] += 1
    for relation in record.records("relations"):
        ends = [words.get(str(relation.values.get(end))) for end in ("from_id", "to_id")]
        if ends[0] is None or ends[1] is None:
            raise relation.error("from_id or to_id is no entity of this line.", "Export the dataset again.")
        pair.link(ends[0], ends[1], relation.text("type"))
    return pair.linked(str(value.get("pair", value.get("id", line))), line)


def _line(pair: LinkedPair) -> str:
    text, spans = pair_text(pair)
    entities = [
        {"id": number, "label": WORD, "start_offset": start, "end_offset": end}
        for number, (start, end) in enumerate(spans)
    ]
    relations = [
        {"id": number, "from_id": a, "to_id": b, "type": label}
        for number, (a, b, label) in enumerate(labelled_links(pair))
    ]
    fields = {"text": text, "entities": entities, "relations": relations, "pair": pair.key}
    return json.dumps(fields, ensure_ascii=False) + "\n"


DOCCANO = LinkFormat(
    id="doccano",
    label="doccano JSONL",
    help="linked pairs for doccano, sequence labelling with relations",
    example="type of relations",
    extensions=(".doccano.jsonl",),
    first_line=re.compile(r"\s*\{"),
    contains=re.compile(r'(?<!\\)"entities"\s*:'),
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=lambda pairs, before: "".join(map(_line, pairs)),
    tool=True,
)
