"""Judged pairs as doccano and Label Studio have them.

doccano, JSON Lines of a project of text classification: `{"text": str, "label": [str], "pair": str, "a": str,
"b": str, "comment": str, "flagged": bool}`: `text` has both sentences, a line each. doccano keeps the other
fields as metadata and exports them again; without `a` and `b` the lines of the text are the sentences.
`Comments` are those that people wrote in doccano.

Label Studio, its JSON export, and tasks to import there: the sentences of a task are `a` and `b`. The choice
`label` is the label; the text area `comment` and the choice `flag` are read too. The labelling configuration
is written beside the tasks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from paragold.formats.annotators import AnnotatorChoice
from paragold.formats.json_lines import array_objects, more_elements, parse_object
from paragold.formats.judgements.judgement_format import (
    SCHEMES,
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    field_of_type,
    label_of,
)
from paragold.formats.label_studio import CONFIGURATION, TASKS, annotation_of, count_task, results_of, strings
from paragold.formats.unknown import Unknown, count_fields
from paragold.problems import FileProblem

_DOCCANO_FIELDS = frozenset({"id", "pair", "text", "label", "a", "b", "comment", "flagged", "Comments"})
_LABELS = re.compile(r'(?<!\\)"label"\s*:\s*\[')


def _doccano_pair(text: str, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair | None:
    values = parse_object(text)
    count_fields(values, _DOCCANO_FIELDS, unknown)
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


def _doccano_line(pair: JudgedPair) -> str:
    fields = {"text": f"{pair.a}\n{pair.b}", "label": [pair.label] if pair.label else [], "pair": pair.key}
    fields |= {"a": pair.a, "b": pair.b, "comment": pair.comment}
    return json.dumps(fields | {"flagged": pair.flagged}, ensure_ascii=False) + "\n"


DOCCANO = JudgementFormat(
    id="doccano",
    label="doccano JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{") and bool(_LABELS.search(head)),
    parse=_doccano_pair,
    write=lambda pairs, before: "".join(map(_doccano_line, pairs)),
    extension=".doccano.jsonl",
    help="judged pairs for doccano, text classification",
)


FLAG = "flagged"


def configuration(scheme: str) -> str:
    """The labelling configuration, XML, for the labels of a scheme."""
    choices = "".join(f'<Choice value="{label}"/>' for label in SCHEMES[scheme])
    return f"""<View>
  <Text name="a" value="$a"/>
  <Text name="b" value="$b"/>
  <Choices name="label" toName="a" choice="single" required="true">{choices}</Choices>
  <Choices name="flag" toName="a" choice="multiple"><Choice value="{FLAG}"/></Choices>
  <TextArea name="comment" toName="a" placeholder="Comment"/>
</View>
"""


def _annotated(
    task: Any, choice: AnnotatorChoice, unknown: Unknown
) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    annotation = annotation_of(task, unknown, choice)
    return None if annotation is None else (task, annotation)


def _label_studio_pair(record: Any, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    task, annotation = record
    data = count_task(task, frozenset({"id", "a", "b"}), unknown)
    given: dict[str, list[str]] = {}
    for result, value in results_of(annotation):
        kind = result.get("type")
        if result.get("from_name") in ("label", "flag") and kind == "choices":
            given[result["from_name"]] = strings(value, "choices")
        elif result.get("from_name") == "comment" and kind == "textarea":
            given["comment"] = strings(value, "text")
        else:
            unknown[f"result of the control {result.get('from_name')} ({kind})"] += 1
    labels, skipped = given.get("label", []), bool(annotation.get("was_cancelled"))
    if len(labels) != 1 and not skipped:
        raise FileProblem(
            f"The annotation has {len(labels)} choices called label.", "Choose one label for each task."
        )
    return JudgedPair(
        str(data.get("id", task.get("id", line))),
        *both_texts(data),
        None if skipped else label_of(labels[0]),
        line,
        "\n".join(given.get("comment", [])),
        FLAG in given.get("flag", []),
    )


def _task(pair: JudgedPair) -> Mapping[str, Any]:
    result: list[Mapping[str, Any]] = []
    if pair.label is not None:
        result.append({"from_name": "label", "type": "choices", "value": {"choices": [pair.label]}})
    if pair.flagged:
        result.append({"from_name": "flag", "type": "choices", "value": {"choices": [FLAG]}})
    if pair.comment:
        result.append({"from_name": "comment", "type": "textarea", "value": {"text": [pair.comment]}})
    annotation = {"result": [{"to_name": "a", **one} for one in result], "was_cancelled": pair.label is None}
    return {"data": {"id": pair.key, "a": pair.a, "b": pair.b}, "annotations": [annotation]}


LABEL_STUDIO = JudgementFormat(
    id="label_studio",
    label="Label Studio JSON",
    begins=lambda head, reading: head.lstrip().startswith("[") and bool(TASKS.search(head)),
    records=lambda text, unknown: array_objects(text),
    of_annotator=_annotated,
    parse=_label_studio_pair,
    write=lambda pairs, before: more_elements(map(_task, pairs), before),
    end="\n]\n",
    extension=".label-studio.json",
    help="judged pairs as tasks of Label Studio",
    beside=lambda scheme: {f"pairs.{CONFIGURATION}": configuration(scheme)},
)
