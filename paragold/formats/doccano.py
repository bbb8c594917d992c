"""Word links and judged pairs as doccano has them, JSON Lines.

Links, of a project of sequence labelling with relations: `{"text": str, "entities": [{"id", "label",
"start_offset", "end_offset"}], "relations": [{"id", "from_id", "to_id", "type"}], "pair": str}`: the text of
two lines, offsets in code points, `type` SURE or POSSIBLE, and `pair` the id, which doccano keeps as
metadata.

Judged pairs, of a project of text classification: `{"text": str, "label": [str], "pair": str, "a": str, "b":
str, "comment": str, "flagged": bool}`: `text` has both sentences, a line each. doccano keeps the other fields
as metadata and exports them again; without `a` and `b` the lines of the text are the sentences. `Comments`
are those that people wrote in doccano.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paragold.formats.answers import Unknown, count_fields
from paragold.formats.json_lines import Index, objects, parse_object, read_as
from paragold.formats.judgement_formats import (
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    field_of_type,
    label_of,
)
from paragold.formats.link_formats import (
    WORD,
    LinkFormat,
    SpanPair,
    labelled_links,
    pair_text,
    read_each,
)
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem

_LINK_FIELDS = frozenset({"id", "pair", "text", "entities", "relations"})


@dataclass(frozen=True, slots=True)
class _Entity:
    label: str
    start_offset: Index
    end_offset: Index
    id: Any = None


@dataclass(frozen=True, slots=True)
class _EntityRelation:
    type: str
    from_id: Any = None
    to_id: Any = None


@dataclass(frozen=True, slots=True)
class _Example:
    text: str
    entities: list[_Entity]
    relations: list[_EntityRelation]


def _linked_pair(value: Mapping[str, Any], line: int, unknown: Unknown) -> LinkedPair:
    example = read_as(_Example, value)
    pair = SpanPair(example.text, unknown)
    count_fields(value, _LINK_FIELDS, unknown)
    words: dict[str, list[int]] = {}
    for entity in example.entities:
        words[str(entity.id)] = pair.words(entity.start_offset, entity.end_offset)
        if entity.label.lower() != WORD:
            unknown[f"entity label {entity.label}"] += 1
    for place, relation in enumerate(example.relations, start=1):
        source, target = (words.get(str(end)) for end in (relation.from_id, relation.to_id))
        if source is None or target is None:
            raise FileProblem(
                f"relations {place}: from_id or to_id is no entity of this line.", "Export the dataset again."
            )
        pair.link(source, target, relation.type)
    return pair.linked(str(value.get("pair", value.get("id", line))), line)


def _linked_line(pair: LinkedPair, number: int) -> str:
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


LINKS = LinkFormat(
    id="doccano",
    label="doccano JSONL",
    help="linked pairs for doccano, sequence labelling with relations",
    example="type of relations",
    extensions=(".doccano.jsonl",),
    first_line=re.compile(r"\s*\{"),
    contains=re.compile(r'(?<!\\)"entities"\s*:'),
    read=lambda text, reading: read_each(
        reading.choice.chosen(objects(text)), lambda value, line: _linked_pair(value, line, reading.unknown)
    ),
    file_a_person=True,
    write=_linked_line,
    tool=True,
)


_JUDGEMENT_FIELDS = frozenset({"id", "pair", "text", "label", "a", "b", "comment", "flagged", "Comments"})
_LABELS = re.compile(r'(?<!\\)"label"\s*:\s*\[')


def _judged_pair(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair | None:
    values = parse_object(text)
    count_fields(values, _JUDGEMENT_FIELDS, unknown)
    labels = field_of_type(values, "label", list, [])
    if not labels:
        unknown["example without a label, left out"] += 1
        return None
    if len(labels) > 1:
        raise FileProblem(f"The example has {len(labels)} labels.", "Leave it one.")
    comments = [field_of_type(values, "comment", str, ""), *field_of_type(values, "Comments", list, [])]
    return JudgedPair(
        str(values.get("pair", values.get("id", line))),
        *both_texts(values),
        label_of(labels[0]),
        line,
        "\n".join(str(comment) for comment in comments if comment),
        field_of_type(values, "flagged", bool, False),
    )


def _judged_line(pair: JudgedPair, number: int) -> str:
    fields = {"text": f"{pair.a}\n{pair.b}", "label": [pair.label] if pair.label else [], "pair": pair.key}
    fields |= {"a": pair.a, "b": pair.b, "comment": pair.comment}
    return json.dumps(fields | {"flagged": pair.flagged}, ensure_ascii=False) + "\n"


JUDGEMENTS = JudgementFormat(
    id="doccano",
    label="doccano JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{") and bool(_LABELS.search(head)),
    parse=_judged_pair,
    write=_judged_line,
    extension=".doccano.jsonl",
    help="judged pairs for doccano, text classification",
)
