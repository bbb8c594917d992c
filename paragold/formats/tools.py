"""Word links and judged pairs of other annotation tools: Label Studio and doccano."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from paragold.formats.answers import AnnotatorChoice, Unknown, annotator_names, count_fields
from paragold.formats.json_lines import (
    Flag,
    Index,
    WholeNumber,
    array_objects,
    field_of,
    objects,
    parse_object,
)
from paragold.formats.judgement_formats import (
    SCHEMES,
    JudgedPair,
    JudgementFormat,
    Reading,
    both_texts,
    label_of,
)
from paragold.formats.link_formats import (
    POSSIBLE,
    SURE,
    WORD,
    Line,
    LinkFormat,
    LinkReading,
    SpanPair,
    labelled_links,
    pair_text,
    read_each,
)
from paragold.formats.text_files import text_of
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

# Label Studio: its JSON export, and tasks to import there. The texts of a task are `a` and `b` ("$source" is
# the whole task there), for links with tokens separated by spaces. Words are regions, links are relations
# between them, labelled SURE or POSSIBLE. The choice `label` is the label of a judged pair; the text area
# `comment` and the choice `flag` are read too. The labelling configuration is written beside the tasks.

CONFIGURATION = "label-studio.xml"
"""The ending of the names of labelling configurations."""
TASKS = re.compile(r'(?<!\\)"(?:annotations|predictions)"\s*:')
"""Found in the beginning of every file of tasks."""
_ANSWERS = ("annotations", "predictions")
_Objects = list[dict[str, Any]] | None
_Texts = list[str] | None


def _control(result: Mapping[str, Any]) -> str:
    """What a result is called among what is not read."""
    return f"result of the control {result.get('from_name')} ({result.get('type')})"


def _place(region: Mapping[str, Any], text: str, name: str) -> tuple[int, int]:
    """Start and end of a region in code points. Raises FileProblem where its own text is not there."""
    start, end = field_of(region, "start", WholeNumber), field_of(region, "end", WholeNumber)
    marked = field_of(region, "text", str | None, None)
    if marked in (None, text[start:end]):
        return start, end
    places = _code_points_by_unit(text)
    first, after = (places[min(max(offset, 0), len(places) - 1)] for offset in (start, end))
    if marked != text[first:after]:
        raise FileProblem(
            f"The region {quoted(marked)} is not at {start} to {end} of {name}.",
            "Export the tasks again; offsets count code points from 0.",
        )
    return first, after


@lru_cache(2)
def _code_points_by_unit(text: str) -> array[int]:
    """The offset in code points of every offset in UTF-16 units, which JavaScript counts."""
    offsets = array("I")
    for position, character in enumerate(text):
        offsets.append(position)
        if character > "\uffff":
            offsets.append(position + 1)
    offsets.append(len(text))
    return offsets


def _count_task(task: Mapping[str, Any], unknown: Unknown, unread: str) -> Mapping[str, Any]:
    """The data of a task; count what else it holds that is not read."""
    data: Mapping[str, Any] = task["data"]
    count_fields(data, {"id", "a", "b"}, unknown)
    unknown.update(name for name in (unread, "drafts", "meta") if task.get(name))
    return data


def _answer_of(
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


LINK_CONFIGURATION = f"""<View>
  <Labels name="words_a" toName="a"><Label value="{WORD}"/></Labels>
  <Text name="a" value="$a" granularity="word"/>
  <Labels name="words_b" toName="b"><Label value="{WORD}"/></Labels>
  <Text name="b" value="$b" granularity="word"/>
  <Relations><Relation value="{SURE}"/><Relation value="{POSSIBLE}"/></Relations>
</View>
"""


def _read_links(lines: Iterator[Line], reading: LinkReading) -> Iterator[LinkedPair]:
    """The tasks with their annotation or prediction that is read; those without one are left out, counted."""
    tasks, unknown = list(array_objects(text_of(lines))), reading.unknown
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
            answer = _answer_of(task, unknown, reading.choice, name)
            if answer is None:
                continue
            if answer.get("was_cancelled"):
                unknown["skipped task, left out"] += 1
                continue
            pair = _task_links(task, answer, line, unknown, unread)
        if predictions:
            score = [f"score {answer['score']}"] if answer.get("score") is not None else []
            reading.origins[pair.key] = ", ".join([*_model_of(answer), *score])
        yield pair


def _task_links(task: Any, answer: Any, line: int, unknown: Unknown, unread: str) -> LinkedPair:
    """Raises FileProblem for a task without both texts and for regions that are not whole words."""
    data = _count_task(task, unknown, unread)
    texts = {name: data.get(name) for name in "ab"}
    if not all(isinstance(text, str) and "\n" not in text for text in texts.values()):
        raise FileProblem(
            "The task has no texts a and b of one line each.",
            "Use the labelling configuration that Paragold exports.",
        )
    pair = SpanPair("\n".join(map(str, texts.values())), unknown)
    words: dict[str, list[int]] = {}
    relations = []
    for result in field_of(answer, "result", _Objects, None) or []:
        side = result.get("to_name")
        if result.get("type") == "relation":
            relations.append(result)
        elif result.get("type") == "labels" and side in ("a", "b"):
            region = field_of(result, "value", dict[str, Any] | None, None) or {}
            start, end = _place(region, str(texts[side]), side)
            shift = 0 if side == "a" else len(str(texts["a"])) + 1
            words[str(result.get("id"))] = pair.words(start + shift, end + shift)
            labels = field_of(region, "labels", _Texts, None) or ()
            unknown.update(f"region label {label}" for label in {*labels} - {WORD})
        else:
            unknown[_control(result)] += 1
    for relation in relations:
        ends = [words.get(str(relation.get(end))) for end in ("from_id", "to_id")]
        if ends[0] is None or ends[1] is None:
            unknown["relation of another kind of region"] += 1
            continue
        for label in field_of(relation, "labels", _Texts, None) or [""]:
            pair.link(ends[0], ends[1], label)
    return pair.linked(str(data.get("id", task.get("id", line))), line)


def _linked_task(pair: LinkedPair, number: int) -> str:
    text, spans = pair_text(pair)
    source, target = text.split("\n")
    result: list[dict[str, Any]] = []
    for number, (start, end) in enumerate(spans):
        name, shift = ("a", 0) if number < len(pair.source) else ("b", len(source) + 1)
        names = {"from_name": f"words_{name}", "to_name": name, "type": "labels"}
        value = {"start": start - shift, "end": end - shift, "text": text[start:end], "labels": [WORD]}
        result.append({"id": f"w{number}", **names, "value": value})
    for a, b, label in labelled_links(pair):
        ends = {"from_id": f"w{a}", "to_id": f"w{b}"}
        result.append({"type": "relation", **ends, "direction": "right", "labels": [label]})
    data = {"id": pair.key, "a": source, "b": target}
    return "\n" + json.dumps({"data": data, "annotations": [{"result": result}]}, ensure_ascii=False)


LABEL_STUDIO_LINKS = LinkFormat(
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


def _task_with_judgement(task: Any, choice: AnnotatorChoice, unknown: Unknown) -> tuple[Any, Any] | None:
    annotation = _answer_of(task, unknown, choice)
    return None if annotation is None else (task, annotation)


def _task_judgement(record: Any, line: int, reading: Reading, unknown: Unknown) -> JudgedPair:
    task, annotation = record
    data = _count_task(task, unknown, "predictions")
    given: dict[str, list[str]] = {"label": [], "flag": [], "comment": []}
    kinds = {("label", "choices"): "choices", ("flag", "choices"): "choices", ("comment", "textarea"): "text"}
    for result in field_of(annotation, "result", _Objects, None) or []:
        control = (result.get("from_name"), result.get("type"))
        if control in kinds:
            value = field_of(result, "value", dict[str, Any] | None, None) or {}
            given[control[0]] = field_of(value, kinds[control], _Texts, None) or []
        else:
            unknown[_control(result)] += 1
    labels, skipped = given["label"], bool(annotation.get("was_cancelled"))
    if len(labels) != 1 and not skipped:
        raise FileProblem(
            f"The annotation has {len(labels)} choices called label.", "Choose one label for each task."
        )
    return JudgedPair(
        str(data.get("id", task.get("id", line))),
        *both_texts(data),
        None if skipped else label_of(labels[0]),
        line,
        "\n".join(given["comment"]),
        FLAG in given["flag"],
    )


def _judged_task(pair: JudgedPair, number: int) -> str:
    given = [
        ("label", "choices", "choices", pair.label),
        ("flag", "choices", "choices", FLAG if pair.flagged else ""),
        ("comment", "textarea", "text", pair.comment),
    ]
    result = [
        {"to_name": "a", "from_name": control, "type": kind, "value": {name: [answer]}}
        for control, kind, name, answer in given
        if answer
    ]
    data = {"id": pair.key, "a": pair.a, "b": pair.b}
    annotations = [{"result": result, "was_cancelled": pair.label is None}]
    return "\n" + json.dumps({"data": data, "annotations": annotations}, ensure_ascii=False)


LABEL_STUDIO_JUDGEMENTS = JudgementFormat(
    id="label_studio",
    label="Label Studio JSON",
    begins=lambda head, reading: head.lstrip().startswith("[") and bool(TASKS.search(head)),
    records=lambda text, reading, unknown: array_objects(text),
    of_annotator=_task_with_judgement,
    parse=_task_judgement,
    write=_judged_task,
    start="[",
    between=",",
    end="\n]\n",
    extension=".label-studio.json",
    help="judged pairs as tasks of Label Studio",
    beside=lambda scheme: {f"pairs.{CONFIGURATION}": configuration(scheme)},
)


# doccano, JSON Lines.
#
# Links, of a project of sequence labelling with relations: `{"text": str, "entities": [{"id", "label",
# "start_offset", "end_offset"}], "relations": [{"id", "from_id", "to_id", "type"}], "pair": str}`. The text
# has two lines, offsets are in code points, `type` is SURE or POSSIBLE, `pair` is the id, kept as metadata.
#
# Judged pairs, of a project of text classification: `{"text": str, "label": [str], "pair": str, "a": str,
# "b": str, "comment": str, "flagged": bool}`: `text` has both sentences, a line each. The other fields are
# metadata, which is exported again; without `a` and `b` the lines of the text are the sentences. `Comments`
# are those that people wrote in doccano.

_LINK_FIELDS = frozenset({"id", "pair", "text", "entities", "relations"})


def _example_links(value: Mapping[str, Any], line: int, unknown: Unknown) -> LinkedPair:
    pair = SpanPair(field_of(value, "text", str), unknown)
    count_fields(value, _LINK_FIELDS, unknown)
    words: dict[str, list[int]] = {}
    for place, entity in enumerate(field_of(value, "entities", list[dict[str, Any]]), start=1):
        name = f"entities {place}"
        offsets = (field_of(entity, end, Index, place=name) for end in ("start_offset", "end_offset"))
        words[str(entity.get("id"))] = pair.words(*offsets)
        if (label := field_of(entity, "label", str, place=name)).lower() != WORD:
            unknown[f"entity label {label}"] += 1
    for place, relation in enumerate(field_of(value, "relations", list[dict[str, Any]]), start=1):
        source, target = (words.get(str(relation.get(end))) for end in ("from_id", "to_id"))
        if source is None or target is None:
            raise FileProblem(
                f"relations {place}: from_id or to_id is no entity of this line.", "Export the dataset again."
            )
        pair.link(source, target, field_of(relation, "type", str, place=f"relations {place}"))
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


DOCCANO_LINKS = LinkFormat(
    id="doccano",
    label="doccano JSONL",
    help="linked pairs for doccano, sequence labelling with relations",
    example="type of relations",
    extensions=(".doccano.jsonl",),
    first_line=re.compile(r"\s*\{"),
    contains=re.compile(r'(?<!\\)"entities"\s*:'),
    read=lambda lines, reading: read_each(
        reading.choice.chosen(objects(lines)),
        lambda value, line: _example_links(value, line, reading.unknown),
    ),
    file_a_person=True,
    write=_linked_line,
    tool=True,
)


_JUDGEMENT_FIELDS = frozenset({"id", "pair", "text", "label", "a", "b", "comment", "flagged", "Comments"})
_LABELS = re.compile(r'(?<!\\)"label"\s*:\s*\[')


def _example_judgement(text: str, line: int, reading: Reading, unknown: Unknown) -> JudgedPair | None:
    values = parse_object(text)
    count_fields(values, _JUDGEMENT_FIELDS, unknown)
    labels = field_of(values, "label", list[Any], [])
    if not labels:
        unknown["example without a label, left out"] += 1
        return None
    if len(labels) > 1:
        raise FileProblem(f"The example has {len(labels)} labels.", "Leave it one.")
    comments = [field_of(values, "comment", str, ""), *field_of(values, "Comments", list[Any], [])]
    return JudgedPair(
        str(values.get("pair", values.get("id", line))),
        *both_texts(values),
        label_of(labels[0]),
        line,
        "\n".join(str(comment) for comment in comments if comment),
        field_of(values, "flagged", Flag, False),
    )


def _judged_line(pair: JudgedPair, number: int) -> str:
    fields = {"text": f"{pair.a}\n{pair.b}", "label": [pair.label] if pair.label else [], "pair": pair.key}
    fields |= {"a": pair.a, "b": pair.b, "comment": pair.comment}
    return json.dumps(fields | {"flagged": pair.flagged}, ensure_ascii=False) + "\n"


DOCCANO_JUDGEMENTS = JudgementFormat(
    id="doccano",
    label="doccano JSONL",
    begins=lambda head, reading: head.lstrip().startswith("{") and bool(_LABELS.search(head)),
    parse=_example_judgement,
    write=_judged_line,
    extension=".doccano.jsonl",
    help="judged pairs for doccano, text classification",
)
