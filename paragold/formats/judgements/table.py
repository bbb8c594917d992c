"""Judged pairs as a CSV table with a header: id, a, b, label, comment, flagged.

`text_a` and `text_b`, as an export's pairs.csv calls them, are read as `a` and `b`. A row without a label is
a skipped pair. Other columns are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paragold.formats.judgements.judgement_format import (
    JudgedPair,
    JudgementFormat,
    LabelRules,
    first_line,
    label_of,
)
from paragold.formats.tables import CSV_START, csv_lines, named_rows, reversible
from paragold.formats.unknown import Unknown

COLUMNS = ("id", "a", "b", "label", "comment", "flagged")
_ALSO = {"text_a": "a", "text_b": "b"}
_YES = ("1", "true", "yes")


def _parse(row: Mapping[str, str], line: int, reading: LabelRules, unknown: Unknown) -> JudgedPair:
    label = row["label"].strip()
    flagged = row.get("flagged", "").strip().lower() in _YES
    key = row.get("id") or str(line)
    label_given = label_of(label) if label else None
    return JudgedPair(key, row["a"], row["b"], label_given, line, row.get("comment", ""), flagged)


def _is_table(head: str) -> bool:
    names = set(re.split(r"[,;\t]", first_line(head).lower().replace('"', "")))
    return "label" in names and ({"a", "b"} <= names or {"text_a", "text_b"} <= names)


def dumps(pairs: Sequence[JudgedPair], before: int) -> str:
    """The text of some pairs in a file that has so many already."""
    rows = [
        (
            *map(reversible, (pair.key, pair.a, pair.b, pair.label or "", pair.comment)),
            "true" if pair.flagged else "",
        )
        for pair in pairs
    ]
    return csv_lines(rows) if before else CSV_START + csv_lines([COLUMNS, *rows])


TABLE = JudgementFormat(
    id="table",
    label="CSV table",
    begins=lambda head, reading: _is_table(head),
    records=lambda text, unknown: named_rows(
        text, COLUMNS, unknown, also=_ALSO, required=("a", "b", "label")
    ),
    parse=_parse,
    write=lambda pairs, before, language: dumps(pairs, before),
    extension=".table.csv",
    help="judged pairs, a row each",
)
