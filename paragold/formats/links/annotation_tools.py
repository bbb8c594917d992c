"""Linked pairs as doccano and Label Studio have them.

doccano, JSON Lines of a project of sequence labelling with relations: `{"text": str, "entities": [{"id",
"label", "start_offset", "end_offset"}], "relations": [{"id", "from_id", "to_id", "type"}], "pair": str}`: the
text of two lines, offsets in code points, `type` SURE or POSSIBLE, and `pair` the id, which doccano keeps as
metadata.

Label Studio, its JSON export, and tasks to import there: the texts of a task are `a` and `b`, tokens
separated by spaces ("$source" is the whole task there). Words are regions, links are relations between them,
labelled SURE or POSSIBLE. The labelling configuration is written beside the tasks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from paragold.formats.annotators import AnnotatorChoice
from paragold.formats.json_lines import Index, array_objects, more_elements, objects, read_as
from paragold.formats.label_studio import CONFIGURATION, TASKS, annotation_of, count_task, results_of, strings
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.spans import POSSIBLE, SURE, WORD, SpanPair, labelled_links, pair_text
from paragold.formats.unknown import Unknown, count_fields
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

_DOCCANO_FIELDS = frozenset({"id", "pair", "text", "entities", "relations"})


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


def _doccano_pair(value: Mapping[str, Any], line: int, unknown: Unknown) -> LinkedPair:
    example = read_as(_Example, value)
    pair = SpanPair(example.text, unknown)
    count_fields(value, _DOCCANO_FIELDS, unknown)
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


def _doccano_line(pair: LinkedPair) -> str:
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
    read_of=lambda text, choice, unknown: unique_pairs(
        choice.chosen(objects(text)), lambda value, line: _doccano_pair(value, line, unknown)
    ),
    file_a_person=True,
    write=lambda pairs, before: "".join(map(_doccano_line, pairs)),
    tool=True,
)


CONFIG = f"""<View>
  <Labels name="words_a" toName="a"><Label value="{WORD}"/></Labels>
  <Text name="a" value="$a" granularity="word"/>
  <Labels name="words_b" toName="b"><Label value="{WORD}"/></Labels>
  <Text name="b" value="$b" granularity="word"/>
  <Relations><Relation value="{SURE}"/><Relation value="{POSSIBLE}"/></Relations>
</View>
"""
_DATA = frozenset({"id", "a", "b"})


def _annotated(text: str, choice: AnnotatorChoice, unknown: Unknown) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """Each task with its annotation that is read; those without one are left out and counted."""
    for line, task in array_objects(text):
        with located(line):
            annotation = annotation_of(task, unknown, choice)
        if annotation is not None and annotation.get("was_cancelled"):
            unknown["skipped task, left out"] += 1
        elif annotation is not None:
            yield line, (task, annotation)


def _studio_pair(task: Any, annotation: Any, line: int, unknown: Unknown) -> LinkedPair:
    """Raises FileProblem for a task without both texts and for regions that are not whole words."""
    data = count_task(task, _DATA, unknown)
    texts = [data.get("a"), data.get("b")]
    if not all(isinstance(text, str) and "\n" not in text for text in texts):
        raise FileProblem(
            "The task has no texts a and b of one line each.",
            "Use the labelling configuration that Paragold exports.",
        )
    pair = SpanPair("\n".join(map(str, texts)), unknown)
    shift = {"a": 0, "b": len(str(texts[0])) + 1}
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
            if "text" in value and value["text"] != str(data[name])[start:end]:
                raise FileProblem(
                    f"The region {quoted(value.get('text'))} is not at {start} to {end} of {name}.",
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


def _task(pair: LinkedPair) -> dict[str, Any]:
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
    return {"data": data, "annotations": [{"result": result}]}


LABEL_STUDIO = LinkFormat(
    id="label_studio",
    label="Label Studio JSON",
    help="linked pairs as tasks of Label Studio",
    example="labels of relations",
    extensions=(".label-studio.json",),
    first_line=re.compile(r"\s*\["),
    contains=TASKS,
    read_of=lambda text, choice, unknown: unique_pairs(
        _annotated(text, choice, unknown), lambda task, line: _studio_pair(*task, line, unknown)
    ),
    write=lambda pairs, before: more_elements(map(_task, pairs), before),
    end="\n]\n",
    tool=True,
    beside={f"links.{CONFIGURATION}": CONFIG},
)
