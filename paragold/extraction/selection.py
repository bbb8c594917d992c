"""Pairs by the numbers stored with them: selections (Brockett and Dolan 2005, 3.2), characteristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from paragold.extraction.criteria import EXTRACTION_METHODS, Criteria, Selection
from paragold.extraction.presets import PRESETS, Preset
from paragold.formats.tables import csv_lines, latex_text
from paragold.spec import SpecError

NAMES = tuple(one.name for one in Selection.parameters())


def decided_by_numbers(criteria: Criteria) -> bool:
    """Whether the numbers stored with a pair decide if it meets the criteria, its cluster left aside."""
    decided = {*NAMES, "method", "clusters", "first_length_ratio"}
    return all(
        one.name in decided or getattr(criteria, one.name) == one.default for one in criteria.parameters()
    )


def selection_of(criteria: Criteria) -> Selection | None:
    """The selection that keeps what these criteria ask for, of whatever clusters.

    None when they ask for more than a pair's numbers decide: words of another length, another distance, or
    either of two things.
    """
    ways = alternatives(criteria)
    return ways[0] if len(ways) == 1 and decided_by_numbers(criteria) else None


def alternatives(criteria: Criteria) -> list[Selection]:
    """The selections of which a pair that meets the criteria meets one, as far as its numbers decide."""
    bounds = Selection(**{name: getattr(criteria, name) for name in NAMES})
    if EXTRACTION_METHODS.get(criteria.method).first_sentences != "also":
        return [bounds]
    first = bounds.replace(
        min_edit_distance=0, max_edit_distance=None, min_length_ratio=criteria.first_length_ratio
    )
    return [bounds.replace(first_n=None), first]


def preset_selections(presets: Mapping[str, Preset] = PRESETS) -> dict[str, Selection]:
    """The presets that can be applied to a database of candidates, by name."""
    selections = ((name, selection_of(preset.criteria)) for name, preset in presets.items())
    return {name: selection for name, selection in selections if selection is not None}


def narrowed(one: Selection, other: Selection) -> Selection:
    """The selection of the pairs that both admit. Raises SpecError when no pair could meet both."""
    bounds: dict[str, Any] = {}
    for name in NAMES:
        limits = [limit for limit in (getattr(one, name), getattr(other, name)) if limit is not None]
        bounds[name] = max(limits) if name.startswith("min") else min(limits, default=None)
    stricter = max((one, other), key=lambda selection: (selection.min_length_ratio, selection.ratio_strict))
    return Selection(**{**bounds, "ratio_strict": stricter.ratio_strict})


def _narrows_nothing(one: Selection, other: Selection) -> bool:
    """Whether `one` admits every pair that `other` does."""
    try:
        return narrowed(other, one) == other
    except SpecError:
        return False


def widest(selections: Sequence[Selection]) -> list[Selection]:
    """The selections without those that admit nothing which another one of them does not admit as well."""
    remaining: list[Selection] = []
    for selection in dict.fromkeys(selections):
        if not any(_narrows_nothing(other, selection) for other in remaining):
            remaining = [other for other in remaining if not _narrows_nothing(selection, other)]
            remaining.append(selection)
    return remaining


def lets_all_through(criteria: Criteria, selection: Selection) -> bool:
    """Whether every pair that the selection admits meets the criteria, as far as its numbers decide.

    Then the selection out of what the criteria found equals an extraction of its own, clusters left aside.
    """
    return decided_by_numbers(criteria) and any(
        _narrows_nothing(alternative, selection) for alternative in alternatives(criteria)
    )


def widened(criteria: Criteria) -> Criteria:
    """Criteria that let through what looser thresholds near these would: what a slider can be moved to.

    How many first sentences there are stays as it is, and so do options such as the kind of distance.
    """
    distance, longest = criteria.max_edit_distance, criteria.max_length
    return criteria.replace(
        min_edit_distance=max(0, criteria.min_edit_distance - 5),
        max_edit_distance=None if distance is None else distance + 5,
        min_length_ratio=criteria.min_length_ratio * 3 / 4,
        first_length_ratio=criteria.first_length_ratio * 3 / 4,
        ratio_strict=False,
        min_shared_words=max(0, criteria.min_shared_words - 2),
        min_length=max(1, criteria.min_length - 3),
        max_length=None if longest is None else longest + 10,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristics:
    """One column of the table of characteristics of sets of pairs: table 2 of Brockett and Dolan 2005.

    asked: what the pairs had to meet, any one of these selections.
    pairs, clusters: how many; with 0 pairs the other numbers mean nothing.
    distance_*: word edit distance. position_greatest: index of the latest sentence in its article, from 0.
    shortest, longest, length_mean: words of a sentence. ratio_least: shorter / longer length, 0 to 1.
    shared_*: shared words. seconds: what it took to extract; None when that is not known.
    """

    name: str
    asked: Sequence[Selection]
    pairs: int
    clusters: int
    distance_least: int = 0
    distance_greatest: int = 0
    distance_mean: float = 0.0
    position_greatest: int = 0
    shortest: int = 0
    longest: int = 0
    length_mean: float = 0.0
    ratio_least: float = 0.0
    shared_least: int = 0
    shared_greatest: int = 0
    shared_mean: float = 0.0
    seconds: float | None = None


class Row(NamedTuple):
    """`group` is "criteria" or "statistics"."""

    group: str
    label: str
    cells: list[str]


# Of a column and the number, from 1, of its latest sentence.
_STATISTICS = {
    "Clusters": "{0.clusters:,}",
    "Edit distance, mean": "{0.distance_mean:.2f}",
    "Edit distance, range": "{0.distance_least} to {0.distance_greatest}",
    "Length, mean": "{0.length_mean:.2f}",
    "Length, range": "{0.shortest} to {0.longest}",
    "Length ratio, minimum": "{0.ratio_least:.3f}",
    "Shared words, mean": "{0.shared_mean:.2f}",
    "Shared words, range": "{0.shared_least} to {0.shared_greatest}",
    "Latest sentence in its article": "{1:,}",
}


def rows_of(columns: Sequence[Characteristics]) -> list[Row]:
    """The table without its head; the first six rows are those of the paper, in its words."""
    rows = [Row("criteria", "Corpus size (pairs)", [f"{column.pairs:,}" for column in columns])]
    criteria = [described(column.asked) for column in columns]
    for label in criteria[0] if criteria else ():
        rows.append(Row("criteria", label, [texts[label] for texts in criteria]))
    for label, shown in _STATISTICS.items():
        cells = [
            shown.format(column, column.position_greatest + 1) if column.pairs else "-" for column in columns
        ]
        rows.append(Row("statistics", label, cells))
    seconds = [column.seconds for column in columns]
    if any(taken is not None for taken in seconds):
        rows.append(
            Row("statistics", "Seconds", ["-" if taken is None else f"{taken:.1f}" for taken in seconds])
        )
    return rows


def described(selections: Sequence[Selection]) -> dict[str, str]:
    """The criteria in the words of table 2 of Brockett and Dolan 2005, by its rows."""
    texts = [_described(selection) for selection in selections]
    return {
        label: " or ".join(dict.fromkeys(text[label] for text in texts)) for label in _described(Selection())
    }


def _described(selection: Selection) -> dict[str, str]:
    ratio = 100 * selection.min_length_ratio
    percent = f"{ratio} %" if ratio.denominator == 1 else str(selection.min_length_ratio)
    sign = ">" if selection.ratio_strict else "≥"
    return {
        "Edit distance": _range("e", selection.min_edit_distance, selection.max_edit_distance),
        "Sentence range in article": "all" if selection.first_n is None else f"first {selection.first_n}",
        "Length": _range("n", selection.min_length - (selection.min_length == 1), selection.max_length),
        "Length ratio": f"{sign} {percent}" if ratio else "any",
        "Shared words": str(selection.min_shared_words) if selection.min_shared_words else "any",
    }


def _range(name: str, low: int, high: int | None) -> str:
    if high is None:
        return f"{name} ≥ {low}" if low else "any"
    return f"{low} ≤ {name} ≤ {high}" if low else f"{name} ≤ {high}"


def _lines(columns: Sequence[Characteristics]) -> list[list[str]]:
    """The table with its head."""
    return [["", *(column.name for column in columns)]] + [
        [row.label, *row.cells] for row in rows_of(columns)
    ]


def as_csv(columns: Sequence[Characteristics]) -> str:
    """The table with its head as lines of CSV, safe in spreadsheets."""
    return csv_lines(_lines(columns))


def as_latex(columns: Sequence[Characteristics]) -> str:
    """The table as a LaTeX `tabular` that needs no package, a rule between its groups of rows."""
    groups = ["", *(row.group for row in rows_of(columns))]
    lines = [f"\\begin{{tabular}}{{l{'r' * len(columns)}}}"]
    before = None
    for group, cells in zip(groups, _lines(columns), strict=True):
        lines += ["\\hline"] * (group != before)
        lines.append(" & ".join(map(latex_text, cells)) + " \\\\")
        before = group
    return "\n".join([*lines, "\\hline", "\\end{tabular}", ""])


def as_markdown(columns: Sequence[Characteristics]) -> str:
    """The table as Markdown."""
    head, *lines = _lines(columns)
    lines = [[name.replace("|", "\\|") for name in head], ["---", *["---:"] * len(columns)], *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
