"""Linked pairs with their tokens, one JSON object a line.

`{"id": str, "source": [tokens], "target": [tokens], "sure": [[i, j]], "possible_only": [[i, j]]}`,
indices from 0. No link is in both lists. Blank lines are passed over.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from paragold.formats.annotators import AnnotatorChoice
from paragold.formats.json_lines import Filled, Index, objects, read_as
from paragold.formats.links.link_format import LinkFormat, check_inside, unique_pairs
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem


@dataclass(frozen=True, slots=True)
class _Line:
    id: Filled
    source: tuple[Filled, ...]
    target: tuple[Filled, ...]
    sure: list[tuple[Index, Index]]
    possible_only: list[tuple[Index, Index]]


def loads(text: str, choice: AnnotatorChoice | None = None) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem for anything not in the format."""
    return unique_pairs((choice or AnnotatorChoice()).chosen(objects(text)), _pair)


def _pair(value: object, line: int) -> LinkedPair:
    record = read_as(_Line, value)
    tokens = TokenPair(record.source, record.target)
    if both := sorted(set(record.sure) & set(record.possible_only)):
        raise FileProblem(
            f"link {list(both[0])} is in sure and in possible_only.",
            "Keep it in one of them.",
        )
    check_inside([*record.sure, *record.possible_only], tokens)
    return LinkedPair(record.id, tokens, Links.of(record.sure, record.possible_only), line)


def dumps(pairs: Iterable[LinkedPair]) -> str:
    """The file's text, a line for each pair, links in ascending order, letters outside ASCII as they are."""
    return "".join(
        json.dumps(
            {
                "id": pair.key,
                "source": pair.tokens.source,
                "target": pair.tokens.target,
                "sure": sorted(pair.links.sure),
                "possible_only": sorted(pair.links.possible_only),
            },
            ensure_ascii=False,
        )
        + "\n"
        for pair in pairs
    )


JSONL = LinkFormat(
    id="jsonl",
    label="JSON Lines",
    help="linked pairs with tokens",
    example="sure, possible_only",
    extensions=(".jsonl",),
    first_line=re.compile(r"\s*\{"),
    read_of=lambda text, choice, unknown: loads(text, choice),
    write=lambda pairs, before: dumps(pairs),
)
