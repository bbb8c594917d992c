"""Linked pairs with their tokens, one JSON object a line.

`{"id": str, "source": [tokens], "target": [tokens], "sure": [[i, j]], "possible_only": [[i, j]]}`,
indices from 0. No link is in both lists. Blank lines are passed over.
"""

import json
import re
from collections.abc import Iterable, Mapping

from paragold.formats.json_lines import objects
from paragold.formats.links.link_format import LinkFormat, check_inside, unique_pairs
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, quoted

FIELDS = ("id", "source", "target", "sure", "possible_only")


def loads(text: str) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem for anything not in the format."""
    return unique_pairs(objects(text), _pair)


def _pair(record: Mapping[str, object], line: int) -> LinkedPair:
    if missing := [field for field in FIELDS if field not in record]:
        raise FileProblem(f"{', '.join(missing)} missing.", f"Every line needs {', '.join(FIELDS)}.")
    key = record["id"]
    if not isinstance(key, str) or not key:
        raise FileProblem(f"id is {quoted(key)}.", "Give a string that is not empty.")
    tokens = TokenPair(
        _tokens(record["source"], "source"),
        _tokens(record["target"], "target"),
    )
    sure = _links(record["sure"], "sure")
    possible = _links(record["possible_only"], "possible_only")
    if both := sorted(set(sure) & set(possible)):
        raise FileProblem(
            f"link {list(both[0])} is in sure and in possible_only.",
            "Keep it in one of them.",
        )
    check_inside([*sure, *possible], tokens)
    return LinkedPair(key, tokens, Links.of(sure, possible), line)


def _tokens(value: object, field: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(token, str) and token for token in value):
        raise FileProblem(
            f"{field} is not a list of tokens.",
            "Give a list of strings, none of them empty.",
        )
    return tuple(value)


def _links(value: object, field: str) -> list[Link]:
    def is_link(item: object) -> bool:
        return (
            isinstance(item, list)
            and len(item) == 2
            and all(isinstance(index, int) and not isinstance(index, bool) and index >= 0 for index in item)
        )

    if not isinstance(value, list) or not all(is_link(item) for item in value):
        raise FileProblem(
            f"{field} is not a list of links.",
            "Give a list of [i, j], whole numbers from 0.",
        )
    return [(i, j) for i, j in value]


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
    read=lambda text, tokens: loads(text),
    write=lambda pairs, before: dumps(pairs),
)
