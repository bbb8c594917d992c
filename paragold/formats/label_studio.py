"""Word links and judged pairs as Label Studio has them: its JSON export, and tasks to import there.

The texts of a task are `a` and `b` ("$source" is the whole task there), for links with tokens separated by
spaces. Words are regions, links are relations between them, labelled SURE or POSSIBLE. The choice `label` is
the label of a judged pair; the text area `comment` and the choice `flag` are read too. The labelling
configuration is written beside the tasks.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from paragold.formats.answers import AnnotatorChoice, Unknown, annotator_names, count_fields
from paragold.formats.json_lines import array_objects
from paragold.formats.judgement_formats import (
    SCHEMES,
    JudgedPair,
    JudgementFormat,
    LabelRules,
    both_texts,
    label_of,
)
from paragold.formats.link_formats import (
    POSSIBLE,
    SURE,
    WORD,
    LinkFormat,
    LinkReading,
    SpanPair,
    labelled_links,
    pair_text,
)
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

CONFIGURATION = "label-studio.xml"
"""The ending of the names of labelling configurations."""
TASKS = re.compile(r'(?<!\\)"(?:annotations|predictions)"\s*:')
"""Found in the beginning of every file of tasks."""
# Fields of Label Studio about a task and its import.
_TASK = frozenset(
    {
        *("id", "data", "annotations", "predictions", "drafts", "meta", "created_at", "updated_at"),
        *("inner_id", "project", "updated_by", "file_upload", "total_annotations", "cancelled_annotations"),
        *("total_predictions", "comment_authors", "comment_count", "unresolved_comment_count"),
        *("last_comment_updated_at", "state", "allow_skip", "import_id"),
    }
)
_ANSWERS = ("annotations", "predictions")
_DATA = frozenset({"id", "a", "b"})


def count_task(
    task: Mapping[str, Any], unknown: Unknown, unread: Sequence[str] = ("predictions", "drafts", "meta")
) -> Mapping[str, Any]:
    """The data of a task; count its other fields that are not read."""
    data: Mapping[str, Any] = task.get("data") or {}
    count_fields(task, _TASK, unknown)
    count_fields(data, _DATA, unknown)
    for name in unread:
        if task.get(name):
            unknown[name] += 1
    return data


def answer_of(
    task: object, unknown: Unknown, choice: AnnotatorChoice, name: str = "annotations"
) -> Mapping[str, Any] | None:
    """The annotation of a task, or of its "predictions" the one, that is read; None, counted, without one.

    It is that of the chosen person or model, or else the ground truth. Raises FileProblem for several that
    are not different people's, and for what is no task.
    """
    given = task.get(name) if isinstance(task, dict) else None
    if not isinstance(given, list) or not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise FileProblem(f"This is no task with data and {name}.", 'Export as "JSON", not "JSON-MIN".')
    done = [one for one in given if isinstance(one, dict)]
    decided = [] if choice.judge else [one for one in done if one.get("ground_truth")]
    if decided:
        unknown["annotation that is not the ground truth"] += len(given) - len(decided)
        choice.read_anyway()
    read = decided or [one for one in done if choice.reads([*annotator_names(one), *_model_of(one)])]
    if choice.is_open and not decided:
        return None
    if not read:
        unknown[f"task without {name}, left out"] += 1
        return None
    if len(read) > 1:
        raise FileProblem(f"The task has {len(read)} {name}.", "Mark one as the ground truth.")
    return read[0]


def _model_of(prediction: Mapping[str, Any]) -> list[str]:
    return [str(prediction["model_version"])] if prediction.get("model_version") else []


def results_of(annotation: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The results of an annotation, each with its value. Raises FileProblem for what is no object."""
    given = annotation.get("result") or []
    for result in given if isinstance(given, list) else [given]:
        value = (result.get("value") or {}) if isinstance(result, dict) else None
        if not isinstance(value, dict):
            raise FileProblem("A result of the annotation is not an object.", "Export the tasks again.")
        yield result, value


def strings(values: Mapping[str, Any], name: str) -> list[str]:
    """A list of strings in a result; empty without one. Raises FileProblem for anything else."""
    given = values.get(name) or []
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise FileProblem(f"{name} of a result is not a list of strings.", "Export the tasks again.")
    return given


def _more_tasks(tasks: Iterable[object], before: int) -> str:
    """Some elements of an array that has so many already, one a line; "\\n]\\n" ends the file."""
    lines = ",\n".join(json.dumps(task, ensure_ascii=False) for task in tasks)
    return f",\n{lines}" if before and lines else lines if before else f"[\n{lines}"


LINK_CONFIGURATION = f"""<View>
  <Labels name="words_a" toName="a"><Label value="{WORD}"/></Labels>
  <Text name="a" value="$a" granularity="word"/>
  <Labels name="words_b" toName="b"><Label value="{WORD}"/></Labels>
  <Text name="b" value="$b" granularity="word"/>
  <Relations><Relation value="{SURE}"/><Relation value="{POSSIBLE}"/></Relations>
</View>
"""


def _read_links(text: str, reading: LinkReading) -> Iterator[LinkedPair]:
    """The tasks with their annotation or prediction that is read; those without one are left out, counted."""
    tasks, unknown = list(array_objects(text)), reading.unknown
    has = {name: any(isinstance(task, dict) and task.get(name) for _, task in tasks) for name in _ANSWERS}
    only_predictions = has["predictions"] and not has["annotations"]
    predictions = only_predictions if reading.predictions is None else reading.predictions
    name, unread = ("predictions", "annotations") if predictions else _ANSWERS
    if predictions:
        reading.choice.who = "models"
        if tasks and not has[name]:
            raise FileProblem("No task has a prediction.", "Export the tasks with their predictions.")
    elif only_predictions:
        raise FileProblem(
            "The tasks have predictions of a model, but no annotations.",
            "Give annotations, or import these links as suggestions.",
        )
    for line, task in tasks:
        with located(line):
            answer = answer_of(task, unknown, reading.choice, name)
            if answer is None:
                continue
            if answer.get("was_cancelled"):
                unknown["skipped task, left out"] += 1
                continue
            pair = _linked_pair(task, answer, line, unknown, unread)
        if predictions:
            score = [f"score {answer['score']}"] if answer.get("score") is not None else []
            reading.origins[pair.key] = ", ".join([*_model_of(answer), *score])
        yield pair


def _linked_pair(task: Any, annotation: Any, line: int, unknown: Unknown, unread: str) -> LinkedPair:
    """Raises FileProblem for a task without both texts and for regions that are not whole words."""
    data = count_task(task, unknown, (unread, "drafts", "meta"))
    texts = [data.get("a"), data.get("b")]
    if not all(isinstance(text, str) and "\n" not in text for text in texts):
        raise FileProblem(
            "The task has no texts a and b of one line each.",
            "Use the labelling configuration that Paragold exports.",
        )
    pair = SpanPair("\n".join(map(str, texts)), unknown)
    shift = {"a": 0, "b": len(str(texts[0])) + 1}
    code_points: dict[str, array[int]] = {}
    words: dict[str, list[int]] = {}
    relations = []
    for result, value in results_of(annotation):
        if result.get("type") == "relation":
            relations.append(result)
        elif result.get("type") == "labels" and str(result.get("to_name")) in shift:
            name = result["to_name"]
            start, end = value.get("start"), value.get("end")
            if not isinstance(start, int) or not isinstance(end, int):
                raise FileProblem("A region has no offsets.", "Export the tasks again.")
            text = str(data[name])
            if "text" in value and value["text"] != text[start:end]:
                given = start, end
                if name not in code_points:
                    code_points[name] = _code_points_by_unit(text)
                last = len(code_points[name]) - 1
                start, end = (code_points[name][min(max(offset, 0), last)] for offset in given)
                if value["text"] != text[start:end]:
                    place = f"{given[0]} to {given[1]} of {name}"
                    raise FileProblem(
                        f"The region {quoted(value.get('text'))} is not at {place}.",
                        "Export the tasks again; offsets count code points from 0.",
                    )
            words[str(result.get("id"))] = pair.words(start + shift[name], end + shift[name])
            for label in {*strings(value, "labels")} - {WORD}:
                unknown[f"region label {label}"] += 1
        else:
            unknown[f"result of the control {result.get('from_name')} ({result.get('type')})"] += 1
    for relation in relations:
        ends = [words.get(str(relation.get(end))) for end in ("from_id", "to_id")]
        if ends[0] is None or ends[1] is None:
            unknown["relation of another kind of region"] += 1
            continue
        for label in strings(relation, "labels") or [""]:
            pair.link(ends[0], ends[1], label)
    return pair.linked(str(data.get("id", task.get("id", line))), line)


def _code_points_by_unit(text: str) -> array[int]:
    """The offset in code points of every offset in UTF-16 units, which JavaScript counts."""
    offsets = array("I")
    for position, character in enumerate(text):
        offsets.append(position)
        if character > "\uffff":
            offsets.append(position + 1)
    offsets.append(len(text))
    return offsets


def _linked_task(pair: LinkedPair, number: int) -> str:
    text, spans = pair_text(pair)
    source, target = text.split("\n")
    result: list[dict[str, Any]] = []
    for number, (start, end) in enumerate(spans):
        name, shift = ("a", 0) if number < len(pair.tokens.source) else ("b", len(source) + 1)
        names = {"from_name": f"words_{name}", "to_name": name, "type": "labels"}
        value = {"start": start - shift, "end": end - shift, "text": text[start:end], "labels": [WORD]}
        result.append({"id": f"w{number}", **names, "value": value})
    for a, b, label in labelled_links(pair):
        ends = {"from_id": f"w{a}", "to_id": f"w{b}"}
        result.append({"type": "relation", **ends, "direction": "right", "labels": [label]})
    data = {"id": pair.key, "a": source, "b": target}
    return "\n" + json.dumps({"data": data, "annotations": [{"result": result}]}, ensure_ascii=False)


LINKS = LinkFormat(
    id="label_studio",
    label="Label Studio JSON",
    help="linked pairs as tasks of Label Studio",
    example="labels of relations",
    extensions=(".label-studio.json",),
    first_line=re.compile(r"\s*\["),
    contains=TASKS,
    read=_read_links,
    write=_linked_task,
    start="[",
    between=",",
    end="\n]\n",
    tool=True,
    beside={f"links.{CONFIGURATION}": LINK_CONFIGURATION},
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


def _task_with_judgement(
    task: Any, choice: AnnotatorChoice, unknown: Unknown
) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    annotation = answer_of(task, unknown, choice)
    return None if annotation is None else (task, annotation)


def _judged_pair(record: Any, line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    task, annotation = record
    data = count_task(task, unknown)
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


def _judged_task(pair: JudgedPair) -> Mapping[str, Any]:
    result: list[Mapping[str, Any]] = []
    if pair.label is not None:
        result.append({"from_name": "label", "type": "choices", "value": {"choices": [pair.label]}})
    if pair.flagged:
        result.append({"from_name": "flag", "type": "choices", "value": {"choices": [FLAG]}})
    if pair.comment:
        result.append({"from_name": "comment", "type": "textarea", "value": {"text": [pair.comment]}})
    annotation = {"result": [{"to_name": "a", **one} for one in result], "was_cancelled": pair.label is None}
    return {"data": {"id": pair.key, "a": pair.a, "b": pair.b}, "annotations": [annotation]}


JUDGEMENTS = JudgementFormat(
    id="label_studio",
    label="Label Studio JSON",
    begins=lambda head, reading: head.lstrip().startswith("[") and bool(TASKS.search(head)),
    records=lambda text, reading, unknown: array_objects(text),
    of_annotator=_task_with_judgement,
    parse=_judged_pair,
    write=lambda pairs, before: _more_tasks(map(_judged_task, pairs), before),
    end="\n]\n",
    extension=".label-studio.json",
    help="judged pairs as tasks of Label Studio",
    beside=lambda scheme: {f"pairs.{CONFIGURATION}": configuration(scheme)},
)
