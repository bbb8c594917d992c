"""Linked pairs as the Edinburgh and Jacana JSON files hold them: one array of objects.

`source` and `target` are texts whose tokens are separated by spaces; `sureAlign` and `possibleAlign` are
links such as `3-0 4-1`, indices from 0. A link in both is SURE. `name` repeats `id`; other fields,
such as `score`, are counted.
"""

import json
import re
from collections.abc import Iterable, Sequence

from paragold.formats.annotators import ANNOTATOR_FIELDS, AnnotatorChoice
from paragold.formats.json_lines import array_objects
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.pharaoh import fields_of_pair, pair_of_fields
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem

_TEXTS = ("id", "source", "target", "sureAlign")
_KNOWN = {*_TEXTS, "name", "possibleAlign"}


def loads(text: str, unknown: Unknown, choice: AnnotatorChoice | None = None) -> list[LinkedPair]:
    """The pairs in order; a pair's `possibleAlign` may be missing.

    Raises FileProblem, with the line where the object begins, for anything that is not in the format.
    """
    records = list(array_objects(text))
    for _, record in records:
        if isinstance(record, dict):
            unknown.update(
                f"field {name}" for name in record.keys() - _KNOWN if name.lower() not in ANNOTATOR_FIELDS
            )
    return unique_pairs((choice or AnnotatorChoice()).chosen(records), _pair)


def _pair(record: object, line: int) -> LinkedPair:
    if not isinstance(record, dict):
        raise FileProblem(
            "an element is not an object.",
            f"Write objects with {', '.join(_TEXTS)}, possibleAlign.",
        )
    for field in _TEXTS:
        if not isinstance(record.get(field), str):
            raise FileProblem(f"{field} is missing or not a string.", "Give every pair this field.")
    possible = record.get("possibleAlign", "")
    if not isinstance(possible, str):
        raise FileProblem("possibleAlign is not a string.", 'Write links such as "3-0 4-1", or "".')
    fields = (record["source"], record["target"], record["sureAlign"], possible)
    return pair_of_fields(record["id"], fields, line, ("sureAlign", "possibleAlign"))


def dumps(pairs: Iterable[LinkedPair]) -> str:
    """The file's text, links in ascending order, letters outside ASCII as they are.

    Raises FileProblem, with the pair as the file, for a token that holds a space, a tab or a line break.
    """
    records = []
    for pair in pairs:
        fields = zip(("source", "target", "sureAlign", "possibleAlign"), fields_of_pair(pair), strict=True)
        records.append({"id": pair.key, "name": pair.key, **dict(fields)})
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _more(pairs: Sequence[LinkedPair], before: int) -> str:
    """Further elements of the one array, which `_END` closes."""
    text = dumps(pairs).removesuffix(_END)
    return text if before == 0 else f",{text.removeprefix('[')}"


_END = "\n]\n"
EDINBURGH = LinkFormat(
    id="edinburgh",
    label="Edinburgh / Jacana JSON",
    help="linked pairs, as the Edinburgh++ corpus has them",
    example="sureAlign, possibleAlign",
    extensions=(".json",),
    first_line=re.compile(r"\s*\["),
    read_of=lambda text, choice, unknown: loads(text, unknown, choice),
    write=_more,
    end=_END,
)
