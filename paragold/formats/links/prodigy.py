"""Linked pairs as Prodigy has them: JSON Lines of its interface `relations`.

The text is two lines; `tokens` have start, end and id; a relation has the numbers of tokens `head` and
`child`, or `head_span` and `child_span` with offsets in code points, and a label, SURE or POSSIBLE.
Tasks that were not accepted are left out and counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from paragold.formats.json_lines import Record, objects
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.spans import WORD, SpanPair, labelled_links, pair_text
from paragold.formats.unknown import Unknown, count_fields
from paragold.metrics.links import LinkedPair

_KNOWN = frozenset({"id", "text", "tokens", "spans", "relations", "answer"})


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The accepted pairs in order. Raises FileProblem for anything not in the format."""
    return unique_pairs(_accepted(text, unknown), lambda value, line: _pair(value, line, unknown))


def _accepted(text: str, unknown: Unknown) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, value in objects(text):
        if (answer := value.get("answer", "accept")) == "accept":
            yield line, value
        else:
            unknown[f"task answered with {answer}, left out"] += 1


def _pair(value: Mapping[str, Any], line: int, unknown: Unknown) -> LinkedPair:
    record = Record.of(value, "the line")
    tokens = [(token.index("start"), token.index("end")) for token in record.records("tokens")]
    pair = SpanPair(record.text("text"), unknown, tokens)
    known = {name for name in value if name.startswith("_")}  # Prodigy's own: hashes, session, view, time
    count_fields(value, _KNOWN | known, unknown)
    for span in record.records("spans") if value.get("spans") else ():
        if str(label := span.values.get("label") or WORD).lower() != WORD:
            unknown[f"span label {label}"] += 1
    for relation in record.records("relations"):
        ends = []
        for end in ("head", "child"):
            if isinstance(place := relation.values.get(f"{end}_span"), dict):
                ends.append(pair.words(place.get("start"), place.get("end")))
            elif (number := relation.index(end)) < len(tokens):
                ends.append(pair.words(*tokens[number]))
            else:
                raise relation.error(f"{end} is not a token of the text.", "Export the dataset again.")
        label = None if relation.values.get("label") is None else relation.text("label")
        pair.link(ends[0], ends[1], label)
    return pair.linked(str(value.get("id", line)), line)


def _line(pair: LinkedPair) -> str:
    text, spans = pair_text(pair)
    breaks = len(pair.tokens.source)
    # The line break is a token, as in texts that Prodigy tokenises itself.
    middle = text.index("\n")
    places = [*spans[:breaks], (middle, middle + 1), *spans[breaks:]]
    tokens = [
        {"text": text[start:end], "start": start, "end": end, "id": number, "ws": text[end : end + 1] == " "}
        for number, (start, end) in enumerate(places)
    ]
    marked = [
        {"start": start, "end": end, "token_start": number, "token_end": number, "label": WORD}
        for number, (start, end) in enumerate(places)
        if number != breaks
    ]
    relations = [
        {"head": a, "child": b + 1, "head_span": marked[a], "child_span": marked[b], "label": label}
        for a, b, label in labelled_links(pair)
    ]
    fields = {"id": pair.key, "text": text, "tokens": tokens, "spans": [], "relations": relations}
    return json.dumps(fields | {"answer": "accept"}, ensure_ascii=False) + "\n"


PRODIGY = LinkFormat(
    id="prodigy",
    label="Prodigy JSONL",
    help="linked pairs for Prodigy, interface relations",
    example="label of relations",
    extensions=(".prodigy.jsonl",),
    first_line=re.compile(r"\s*\{"),
    contains=re.compile(r'(?<!\\)"tokens"\s*:\s*\[\s*(?:\]|\{).*(?<!\\)"relations"\s*:', re.S),
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=lambda pairs, before: "".join(map(_line, pairs)),
    tool=True,
)
