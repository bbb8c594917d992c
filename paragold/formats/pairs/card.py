"""A data card: what a data set is, where it comes from and what it is not, in Markdown.

The front matter is what `datasets.load_dataset` reads: which Parquet file is which split.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NOTHING_STATED = "Not stated."
WHOLE = "train"
"""What `datasets` calls the only split of a data set without splits."""

FAR_FROM_SHARE = 0.05
"""By so much a split may miss its share before the card says so."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a paragraph, a table or both."""

    title: str
    text: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a data set.

    `parquet` are paths of files by configuration and split.
    """

    title: str
    language: str
    about: str
    sections: Sequence[Section]
    files: Mapping[str, str]
    columns: Mapping[str, str]
    licence: str = ""
    limits: str = ""
    parquet: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def sources(
    *, clusters: int, articles: int, outlets: Sequence[tuple[str, int]], dates: tuple[str, str]
) -> Section:
    """Where the texts come from: `outlets` are (name, articles), `dates` the first and last day, or empty."""
    first, last = dates
    when = f"Articles are dated {first} to {last}." if first else "The articles' dates are not known."
    unknown = "" if outlets else " Outlets are not known."
    return Section(
        "Sources",
        f"{clusters:,} clusters with {articles:,} articles; a cluster holds articles on one event. "
        f"{when}{unknown}",
        ("outlet", "articles"),
        [(name, f"{n:,}") for name, n in outlets],
    )


def splits(described: Mapping[str, Any]) -> Section:
    """`described` is as `Division.described` has it."""
    largest = described["largest_group"]
    text = (
        "Pairs of one cluster and pairs that share a sentence are in one split. The largest group of "
        f"connected pairs has {largest['pairs']:,} pairs ({_percent(largest['share'])})."
    )
    sizes = described["splits"]
    if any(abs(one["reached"] - one["asked"]) > FAR_FROM_SHARE for one in sizes.values()):
        text += " Groups are not divided, so the requested shares are not reached."
    rows = [
        (name, _percent(one["asked"]), _percent(one["reached"]), f"{one['clusters']:,}", f"{one['pairs']:,}")
        for name, one in sizes.items()
    ]
    return Section("Splits", text, ("split", "asked", "reached", "clusters", "pairs"), rows)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def data_card(card: Card) -> str:
    """The card's text. Nothing in it depends on the clock or the machine."""
    sections = [
        *card.sections,
        Section("Files", head=("file", "what"), rows=list(card.files.items())),
        Section("Columns", head=("column", "meaning"), rows=list(card.columns.items())),
        Section("Licence", card.licence.strip() or NOTHING_STATED),
        Section("Known limits", card.limits.strip() or NOTHING_STATED),
    ]
    return "\n".join([_front(card), f"# {card.title}\n", f"{card.about}\n", *map(_section, sections)])


def _section(section: Section) -> str:
    parts = [f"## {section.title}\n"]
    if section.text:
        parts.append(f"{section.text}\n")
    if section.rows:
        lines = [section.head, ["---"] * len(section.head), *section.rows]
        parts.append("".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines))
    return "\n".join(parts)


def _front(card: Card) -> str:
    lines = [
        "---",
        f"pretty_name: {json.dumps(card.title, ensure_ascii=False)}",
        f"language: [{json.dumps(card.language)}]",
    ]
    if card.parquet:
        lines.append("configs:")
    for name, files in card.parquet.items():
        lines += [f"- config_name: {name}", "  data_files:"]
        for split, path in files.items():
            lines += [f"  - split: {split}", f"    path: {json.dumps(path)}"]
    return "\n".join([*lines, "---\n"])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
