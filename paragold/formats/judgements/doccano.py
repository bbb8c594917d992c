"""Judged pairs as doccano has them: JSON Lines of a project of text classification.

`{"text": str, "label": [str], "pair": str, "a": str, "b": str, "comment": str, "flagged": bool}`: `text` has
both sentences, a line each. doccano keeps the other fields as metadata and exports them again; without `a`
and `b` the lines of the text are the sentences. `Comments` are those that people wrote in doccano.
"""

from __future__ import annotations

import json
import re

from paragold.formats.json_lines import parse_object
from paragold.formats.judgements.judgement_format import (
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    field_of_type,
    label_of,
)
from paragold.formats.unknown import Unknown, count_fields
from paragold.problems import FileProblem

_KNOWN = frozenset({"id", "pair", "text", "label", "a", "b", "comment", "flagged", "Comments"})
_LABELS = re.compile(r'(?<!\\)"label"\s*:\s*\[')


def _parse(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair | None:
    values = parse_object(text)
    count_fields(values, _KNOWN, unknown)
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


def _line(pair: JudgedPair) -> str:
    fields = {"text": f"{pair.a}\n{pair.b}", "label": [pair.label] if pair.label else [], "pair": pair.key}
    fields |= {"a": pair.a, "b": pair.b, "comment": pair.comment}
    return json.dumps(fields | {"flagged": pair.flagged}, ensure_ascii=False) + "\n"


DOCCANO = JudgementFormat(
    id="doccano",
    label="doccano JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{") and bool(_LABELS.search(head)),
    parse=_parse,
    write=lambda pairs, before, language: "".join(map(_line, pairs)),
    extension=".doccano.jsonl",
    help="judged pairs for doccano, text classification",
)
