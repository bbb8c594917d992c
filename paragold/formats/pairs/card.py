"""A data card: what a data set is, where it comes from and what it is not, in Markdown.

The front matter is what `datasets.load_dataset` reads, which Parquet file is which split, and what a Hub
shows: language, licence, size, tasks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NOTHING_STATED = "Not stated."
WHOLE = "train"
"""The name that `datasets` gives the only split of a data set without splits."""


def whole_split(pairs: int, held_out: int) -> str:
    """The only split of a data set without splits, of which some pairs are for testing only."""
    if not held_out:
        return WHOLE
    return "test" if held_out == pairs else "all"


_CREATIVE_COMMONS = ("CC-BY", "CC-BY-SA", "CC-BY-ND", "CC-BY-NC", "CC-BY-NC-SA", "CC-BY-NC-ND")
_HUB_LICENCES = {
    **{"ODC-By-1.0": "odc-by", "ODbL-1.0": "odbl", "PDDL-1.0": "pddl", "CC0-1.0": "cc0-1.0"},
    **{f"{name}-4.0": f"{name.lower()}-4.0" for name in _CREATIVE_COMMONS},
    **{name: name.lower() for name in ("CDLA-Permissive-2.0", "CDLA-Sharing-1.0", "MIT", "Apache-2.0")},
}
"""The Hub's names of licences by those of SPDX."""
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "n>10M")
"""The Hub's names of ranges of rows: up to 3 digits, 4 digits, ..."""
READING_TSV = """Quotation marks, NA, null and spaces at the ends of a sentence are text: there are no
quoted fields and no missing values. Most readers must be told so. Columns of numbers can be converted
afterwards.

```python
import csv
import pandas
pandas.read_csv(
    "FILE.tsv", sep="\\t", quoting=csv.QUOTE_NONE, dtype=str, keep_default_na=False, lineterminator="\\n"
)

import polars
polars.read_csv("FILE.tsv", separator="\\t", quote_char=None, infer_schema=False).fill_null("")
```"""
FAR_FROM_SHARE = 0.05
"""The card names a split that misses its share by more."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a paragraph, a table or both."""

    title: str
    text: str = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The description of a data set.

    licence: an SPDX expression. authors: a line each, `Family name, given names` or an organisation.
    version: such as 2.0.0; date: ISO 8601, of the day it was frozen, or empty.
    parquet: paths of files by configuration and split; types: of their columns, by configuration.
    tasks, tags: as the Hub names them.
    """

    title: str
    language: str
    about: str
    sections: Sequence[Section]
    files: Mapping[str, str]
    columns: Mapping[str, str]
    pairs: int
    licence: str = ""
    limits: str = ""
    authors: str = ""
    contact: str = ""
    version: str = "1.0.0"
    date: str = ""
    parquet: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    types: Mapping[str, Mapping[str, type]] = field(default_factory=dict)
    tasks: Sequence[str] = ()
    tags: Sequence[str] = ("paraphrase",)

    @property
    def people(self) -> list[tuple[str, str]]:
        """(family name, given names) of each author; an organisation has no given name."""
        parts = (line.partition(",") for line in self.authors.splitlines() if line.strip())
        return [(family.strip(), given.strip()) for family, _, given in parts]


def sources(
    *, clusters: int, articles: int, outlets: Sequence[tuple[str, int]], dates: tuple[str, str]
) -> Section:
    """The sources of the texts: `outlets` are (name, articles), `dates` the first and last day, or empty."""
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
        (
            name,
            _percent(size["asked"]),
            _percent(size["reached"]),
            f"{size['clusters']:,}",
            f"{size['pairs']:,}",
        )
        for name, size in sizes.items()
    ]
    return Section("Splits", text, ("split", "asked", "reached", "clusters", "pairs"), rows)


def held_out_pairs(described: Mapping[str, Any], pairs: int) -> Section:
    """Where the pairs of held-out clusters are: `described` has their number as `pairs`, their `clusters` and
    the `split` that holds them, None without splits; `pairs` is the number of all pairs."""
    number, clusters = described["pairs"], len(described["clusters"])
    if not number:
        text = "No pair is of a held-out cluster, which are kept for testing."
    else:
        where = (
            "All of them are in the test split, and in no other."
            if described["split"]
            else "Use them for testing only, never for training; manifest.json lists these clusters."
        )
        text = (
            f"{number:,} of {pairs:,} pairs are of {clusters:,} held-out clusters, kept for testing. {where}"
        )
    return Section("Held-out clusters", text)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def data_card(card: Card) -> str:
    """The card's text. Nothing in it depends on the clock or the machine."""
    sections = [
        *card.sections,
        Section("Files", head=("file", "what"), rows=list(card.files.items())),
        Section("Columns", head=("column", "meaning"), rows=list(card.columns.items())),
        *([Section("Loading", _loading(card))] if card.parquet else []),
        *([Section("Reading the TSV files", READING_TSV)] if _has_tsv(card) else []),
        Section("Licence", card.licence or NOTHING_STATED),
        Section("Known limits", card.limits.strip() or NOTHING_STATED),
        *([Section("Authors", "; ".join(map(_name, card.people)))] if card.people else []),
        *([Section("Contact", card.contact.strip())] if card.contact.strip() else []),
    ]
    return "\n".join([_front(card), f"# {card.title}\n", f"{card.about}\n", *map(_section, sections)])


def _has_tsv(card: Card) -> bool:
    return any(name.endswith(".tsv") for name in card.files)


def _section(section: Section) -> str:
    parts = [f"## {section.title}\n"]
    if section.text:
        parts.append(f"{section.text}\n")
    if section.rows:
        lines = [section.head, ["---"] * len(section.head), *section.rows]
        parts.append("".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines))
    return "\n".join(parts)


def _front(card: Card) -> str:
    about: dict[str, Any] = {
        "pretty_name": card.title,
        "language": [card.language.split("-")[0].lower()],
        **_hub_licence(card),
        "size_categories": [_SIZES[min(max(0, len(str(card.pairs)) - 3), len(_SIZES) - 1)]],
        "task_categories": card.tasks,
        "tags": card.tags,
    }
    given = {name: value for name, value in about.items() if value}
    lines = ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in given.items())]
    if card.parquet:
        lines.append("configs:")
    first = next(iter(card.parquet), "")
    for name, files in card.parquet.items():
        lines += [f"- config_name: {name}", *(["  default: true"] if name == first else []), "  data_files:"]
        for split, path in files.items():
            lines += [f"  - split: {split}", f"    path: {json.dumps(path)}"]
    return "\n".join([*lines, "---\n"])


def _loading(card: Card) -> str:
    code = "".join(f'load_dataset("FOLDER", "{name}")\n' for name in card.parquet)
    return (
        "FOLDER is the folder of this file, or the name of the data set on a Hub.\n\n"
        f"```python\nfrom datasets import load_dataset\n\n{code}```"
    )


def _hub_licence(card: Card) -> dict[str, str]:
    """The Hub's name of the licence, or `other` with the file that names it."""
    if not card.licence or card.licence in _HUB_LICENCES:
        return {"license": _HUB_LICENCES.get(card.licence, "")}
    link = "LICENSE" if "LICENSE" in card.files else ""
    return {"license": "other", "license_name": card.licence, "license_link": link}


def _name(person: tuple[str, str]) -> str:
    return ", ".join(filter(None, person))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
