"""Judged pairs as Prodigy has them: JSON Lines of its interfaces `choice` and `classification`.

`accept` holds the chosen label, or `label` is it and `answer` whether it was accepted; the other answer to a
binary label is the other label. An ignored task is a skipped pair. The sentences are `a` and `b`, which
Prodigy keeps, or the two lines of `text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from paragold.formats.json_lines import parse_object
from paragold.formats.judgements.judgement_format import (
    BINARY,
    SCHEMES,
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    field_of_type,
    label_of,
)
from paragold.formats.unknown import Unknown, count_fields
from paragold.problems import FileProblem

_KNOWN = frozenset(
    {"id", "text", "a", "b", "label", "options", "accept", "answer", "comment", "flagged", "config"}
)
_ANSWER = re.compile(r'(?<!\\)"(?:answer|_input_hash)"\s*:')


def _parse(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    values = parse_object(text)
    own = {name for name in values if name.startswith("_")}  # hashes, session, view and time
    count_fields(values, _KNOWN | own, unknown)
    return JudgedPair(
        str(values.get("id", line)),
        *both_texts(values),
        _label(values, unknown),
        line,
        field_of_type(values, "comment", str, ""),
        field_of_type(values, "flagged", bool, False),
    )


def _label(values: Mapping[str, Any], unknown: Unknown) -> str | None:
    answer = values.get("answer", "accept")
    if answer not in ("accept", "reject"):
        return None
    if "accept" in values:
        chosen = field_of_type(values, "accept", list, [])
        if answer == "reject":
            unknown["rejected task, read as skipped"] += 1
            return None
        if len(chosen) != 1:
            raise FileProblem(f"The task has {len(chosen)} accepted options.", "Accept one.")
        return label_of(chosen[0])
    label = label_of(values.get("label"))
    if answer == "accept":
        return label
    if label not in SCHEMES[BINARY]:
        raise FileProblem(
            f"The label {label} was rejected, which leaves several.", "Use the options of `choice`."
        )
    return SCHEMES[BINARY][1 - SCHEMES[BINARY].index(label)]


def _line(pair: JudgedPair) -> str:
    scheme = next((labels for labels in SCHEMES.values() if pair.label in labels[1:]), SCHEMES[BINARY])
    fields: dict[str, Any] = {"id": pair.key, "text": f"{pair.a}\n{pair.b}", "a": pair.a, "b": pair.b}
    fields |= {"options": [{"id": label, "text": label.replace("_", " ")} for label in scheme]}
    fields |= (
        {"accept": [pair.label], "answer": "accept"} if pair.label else {"accept": [], "answer": "ignore"}
    )
    return json.dumps(fields | {"comment": pair.comment, "flagged": pair.flagged}, ensure_ascii=False) + "\n"


PRODIGY = JudgementFormat(
    id="prodigy",
    label="Prodigy JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{") and bool(_ANSWER.search(head)),
    parse=_parse,
    write=lambda pairs, before, language: "".join(map(_line, pairs)),
    extension=".prodigy.jsonl",
    help="judged pairs for Prodigy, interface choice",
)
