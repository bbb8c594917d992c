"""A data card: what a data set is, where it comes from and what it is not, in Markdown.

The front matter is what `datasets.load_dataset` reads: which Parquet file is which split.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_NOTHING_STATED = "Not stated."


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a data set.

    `outlets` are (name, articles), the most frequent first; `dates` the first and last day, or empty;
    `methods` (name, parameters in words); `figures` a table's rows; `splits` (name, clusters, pairs).
    """

    title: str
    language: str
    clusters: int
    articles: int
    outlets: Sequence[tuple[str, int]]
    dates: tuple[str, str]
    methods: Sequence[tuple[str, str]]
    figures: Sequence[tuple[str, str]]
    splits: Sequence[tuple[str, int, int]]
    files: Mapping[str, str]
    columns: Mapping[str, str]
    licence: str = ""
    limits: str = ""
    parquet: Mapping[str, str] = field(default_factory=dict)


def data_card(card: Card) -> str:
    """The card's text. Nothing in it depends on the clock or the machine."""
    parts = [_front(card), f"# {card.title}\n"]
    parts.append(
        "Candidate pairs of sentences from news articles on the same events, proposed by the methods "
        "below. Nobody has judged them: many are no paraphrases.\n"
    )
    first, last = card.dates
    when = f" Articles are dated {first} to {last}." if first else " The articles' dates are not known."
    parts.append(
        "## Sources\n\n"
        f"{card.clusters:,} clusters with {card.articles:,} articles; a cluster holds articles on one event."
        f"{when}\n\n"
        + (
            _table(("outlet", "articles"), [(name, f"{n:,}") for name, n in card.outlets])
            or "Outlets are not known.\n"
        )
    )
    parts.append("## Methods\n\n" + _table(("method", "parameters"), card.methods))
    parts.append("## Figures\n\n" + _table(("of a pair", "value"), card.figures))
    if card.splits:
        rows = [(name, f"{clusters:,}", f"{pairs:,}") for name, clusters, pairs in card.splits]
        parts.append(
            "## Splits\n\nBy cluster: no cluster is divided.\n\n"
            + _table(("split", "clusters", "pairs"), rows)
        )
    parts.append("## Files\n\n" + _table(("file", "what"), list(card.files.items())))
    parts.append("## Columns\n\n" + _table(("column", "meaning"), list(card.columns.items())))
    parts.append(f"## Licence\n\n{card.licence.strip() or _NOTHING_STATED}\n")
    parts.append(f"## Known limits\n\n{card.limits.strip() or _NOTHING_STATED}\n")
    return "\n".join(parts)


def _front(card: Card) -> str:
    lines = [
        "---",
        f"pretty_name: {json.dumps(card.title, ensure_ascii=False)}",
        f"language: [{json.dumps(card.language)}]",
    ]
    if card.parquet:
        lines += ["configs:", "- config_name: default", "  data_files:"]
        for split, name in card.parquet.items():
            lines += [f"  - split: {split}", f"    path: {json.dumps(name)}"]
    return "\n".join([*lines, "---\n"])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(_cell(cell) for cell in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
