"""Linked pairs as a CSV table with a header: id, source, target, sure, possible.

Tokens are separated by spaces, links are `0-0 1-1`, from 0. `tokens_a` and `tokens_b`, as an export's
links.csv calls them, are read as source and target. Other columns are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paragold.formats.links.link_format import (
    LinkFormat,
    check_inside,
    spaced_texts,
    split_tokens,
    unique_pairs,
)
from paragold.formats.links.pharaoh import format_field, links_of_field
from paragold.formats.tables import CSV_START, csv_lines, named_rows, reversible
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair, Links, TokenPair

COLUMNS = ("id", "source", "target", "sure", "possible")
_ALSO = {"tokens_a": "source", "tokens_b": "target"}


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem, with the line, for anything not in the format."""
    return unique_pairs(named_rows(text, COLUMNS, unknown, also=_ALSO, required=COLUMNS[1:4]), _pair)


def _pair(row: Mapping[str, str], line: int) -> LinkedPair:
    tokens = TokenPair(split_tokens(row["source"]), split_tokens(row["target"]))
    links = Links.of(links_of_field(row["sure"], "sure"), links_of_field(row.get("possible", ""), "possible"))
    check_inside(links.possible, tokens)
    return LinkedPair(row.get("id", str(line)), tokens, links, line)


def dumps(pairs: Sequence[LinkedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already."""
    rows = [
        (
            *map(reversible, (pair.key, *spaced_texts(pair))),
            format_field(pair.links.sure),
            format_field(pair.links.possible_only),
        )
        for pair in pairs
    ]
    return csv_lines(rows) if before else CSV_START + csv_lines([COLUMNS, *rows])


TABLE = LinkFormat(
    id="table",
    label="CSV table",
    help="linked pairs, a row each",
    example="columns sure, possible",
    extensions=(".table.csv",),
    first_line=re.compile(r"(?=.*\b(?:source|tokens_a)\b)(?=.*\bsure\b)[\w\"]+(?:[,;\t][\w\"]+)+\s*$"),
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=dumps,
    tool=True,
)
