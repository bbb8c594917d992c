"""Linked pairs as a CSV table with a header: id, source, target, sure, possible.

Tokens are separated by spaces, links are `0-0 1-1`, from 0. `tokens_a` and `tokens_b`, as an export's
links.csv calls them, are read as source and target. Other columns are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paragold.formats.annotators import AnnotatorChoice
from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.pharaoh import fields_of_pair, pair_of_fields
from paragold.formats.tables import CSV_START, csv_lines, named_rows, reversible
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair

COLUMNS = ("id", "source", "target", "sure", "possible")
_ALSO = {"tokens_a": "source", "tokens_b": "target"}


def loads(text: str, unknown: Unknown, choice: AnnotatorChoice | None = None) -> list[LinkedPair]:
    """The pairs in order. Raises FileProblem, with the line, for anything not in the format."""
    rows = named_rows(text, COLUMNS, unknown, also=_ALSO, required=COLUMNS[1:4])
    return unique_pairs((choice or AnnotatorChoice()).chosen(rows), _pair)


def _pair(row: Mapping[str, str], line: int) -> LinkedPair:
    fields = [row.get(name, "") for name in COLUMNS[1:]]
    return pair_of_fields(row.get("id", str(line)), fields, line)


def dumps(pairs: Sequence[LinkedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already."""
    rows = [tuple(map(reversible, (pair.key, *fields_of_pair(pair)))) for pair in pairs]
    return csv_lines(rows) if before else CSV_START + csv_lines([COLUMNS, *rows])


TABLE = LinkFormat(
    id="table",
    label="CSV table",
    help="linked pairs, a row each",
    example="columns sure, possible",
    extensions=(".table.csv",),
    first_line=re.compile(r"(?=.*\b(?:source|tokens_a)\b)(?=.*\bsure\b)[\w\"]+(?:[,;\t][\w\"]+)+\s*$"),
    read_of=lambda text, choice, unknown: loads(text, unknown, choice),
    write=dumps,
    tool=True,
)
