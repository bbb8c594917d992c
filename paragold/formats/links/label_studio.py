"""Linked pairs as Label Studio has them: its JSON export, and tasks to import there.

The texts of a task are `a` and `b`, tokens separated by spaces ("$source" is the whole task there).
Words are regions, links are relations between them, labelled SURE or POSSIBLE. The labelling configuration is
written beside the tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from paragold.formats.json_lines import array_objects, more_elements
from paragold.formats.label_studio import CONFIGURATION, TASKS, annotation_of, count_task, results_of, strings
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.spans import POSSIBLE, SURE, WORD, SpanPair, labelled_links, pair_text
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located, quoted

CONFIG = f"""<View>
  <Labels name="words_a" toName="a"><Label value="{WORD}"/></Labels>
  <Text name="a" value="$a" granularity="word"/>
  <Labels name="words_b" toName="b"><Label value="{WORD}"/></Labels>
  <Text name="b" value="$b" granularity="word"/>
  <Relations><Relation value="{SURE}"/><Relation value="{POSSIBLE}"/></Relations>
</View>
"""
_DATA = frozenset({"id", "a", "b"})


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The pairs in order; tasks without an annotation are left out and counted.

    Raises FileProblem for a task without both texts, for one with several annotations of which none is the
    ground truth, and for regions that are not whole words.
    """
    return unique_pairs(_annotated(text, unknown), lambda task, line: _pair(*task, line, unknown))


def _annotated(text: str, unknown: Unknown) -> Iterator[tuple[int, tuple[Any, Any]]]:
    for line, task in array_objects(text):
        with located(line):
            annotation = annotation_of(task, unknown)
        if annotation is not None and annotation.get("was_cancelled"):
            unknown["skipped task, left out"] += 1
        elif annotation is not None:
            yield line, (task, annotation)


def _pair(task: Any, annotation: Any, line: int, unknown: Unknown) -> LinkedPair:
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
            if value.get("text", marked := str(data[name])[start:end]) != marked:
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


def dumps(pairs: Sequence[LinkedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already; "]" ends the file."""
    return more_elements(map(_task, pairs), before)


LABEL_STUDIO = LinkFormat(
    id="label_studio",
    label="Label Studio JSON",
    help="linked pairs as tasks of Label Studio",
    example="labels of relations",
    extensions=(".label-studio.json",),
    first_line=re.compile(r"\s*\["),
    contains=TASKS,
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=dumps,
    end="\n]\n",
    tool=True,
    beside={f"links.{CONFIGURATION}": CONFIG},
)
