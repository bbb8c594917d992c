"""Linked pairs as the Edinburgh and Jacana JSON files hold them: one array of objects.

`source` and `target` are texts whose tokens are separated by spaces; `sureAlign` and `possibleAlign` are
links such as `3-0 4-1`, indices from 0. A link in both is SURE. `name` repeats `id`; other fields,
such as `score`, are counted.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from paragold.formats.json_lines import array_objects
from paragold.formats.links.link_format import (
    LinkFormat,
    check_inside,
    spaced_texts,
    split_tokens,
    unique_pairs,
)
from paragold.formats.links.pharaoh import format_field, links_of_field
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem

_TEXTS = ("id", "source", "target", "sureAlign")
_KNOWN = {*_TEXTS, "name", "possibleAlign"}


def loads(text: str, unknown: Unknown | None = None) -> list[LinkedPair]:
    """The pairs in order; a pair's `possibleAlign` may be missing.

    Raises FileProblem, with the line where the object begins, for anything that is not in the format.
    """
    counted = Counter() if unknown is None else unknown
    records = list(array_objects(text))
    for _, record in records:
        if isinstance(record, dict):
            counted.update(f"field {name}" for name in record.keys() - _KNOWN)
    return unique_pairs(records, _pair)


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
    tokens = TokenPair(split_tokens(record["source"]), split_tokens(record["target"]))
    links = Links.of(
        links_of_field(record["sureAlign"], "sureAlign"),
        links_of_field(possible, "possibleAlign"),
    )
    check_inside(links.possible, tokens)
    return LinkedPair(record["id"], tokens, links, line)


def dumps(pairs: Iterable[LinkedPair]) -> str:
    """The file's text, links in ascending order, letters outside ASCII as they are.

    Raises FileProblem, with the pair as the file, for a token that holds a space, a tab or a line break.
    """
    records = []
    for pair in pairs:
        source, target = spaced_texts(pair)
        records.append(
            {
                "id": pair.key,
                "name": pair.key,
                "source": source,
                "target": target,
                "sureAlign": format_field(pair.links.sure),
                "possibleAlign": format_field(pair.links.possible_only),
            }
        )
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
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=_more,
    end=_END,
)
