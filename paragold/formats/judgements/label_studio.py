"""Judged pairs as Label Studio has them: its JSON export, and tasks to import there.

The sentences of a task are `a` and `b`. The choice `label` is the label; the text area `comment` and the
choice `flag` are read too. The labelling configuration is written beside the tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paragold.formats.json_lines import array_objects, more_elements
from paragold.formats.judgements.judgement_format import (
    SCHEMES,
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    label_of,
)
from paragold.formats.label_studio import CONFIGURATION, TASKS, annotation_of, count_task, results_of, strings
from paragold.formats.unknown import Unknown
from paragold.problems import FileProblem

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


def _parse(task: Any, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair | None:
    annotation = annotation_of(task, unknown, reading.judge)
    if annotation is None:
        return None
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


def dumps(pairs: Sequence[JudgedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already; "]" ends the file."""
    return more_elements(map(_task, pairs), before)


LABEL_STUDIO = JudgementFormat(
    id="label_studio",
    label="Label Studio JSON",
    begins=lambda head, reading: head.lstrip().startswith("[") and bool(TASKS.search(head)),
    records=lambda text, unknown: array_objects(text),
    parse=_parse,
    write=lambda pairs, before, language: dumps(pairs, before),
    end="\n]\n",
    extension=".label-studio.json",
    help="judged pairs as tasks of Label Studio",
    beside=lambda scheme: {f"pairs.{CONFIGURATION}": configuration(scheme)},
)
