"""Pairs by the numbers stored with them: selections (Brockett and Dolan 2005, 3.2), characteristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paragold.extraction.criteria import EXTRACTION_METHODS, Criteria, Selection
from paragold.extraction.presets import PRESETS, Preset
from paragold.formats.tables import csv_lines, latex_table, latex_text
from paragold.packages import needed
from paragold.spec import SpecError

if TYPE_CHECKING:
    from pandas import DataFrame

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


CRITERIA, STATISTICS = "criteria", "statistics"
"""The groups of rows of the table of characteristics."""

# The statistics of the pairs of a column, by label, of the names that `characteristics_table` describes.
_STATISTICS = {
    "Clusters": "{clusters:,}",
    "Edit distance, mean": "{distance_mean:.2f}",
    "Edit distance, range": "{distance_least} to {distance_greatest}",
    "Length, mean": "{length_mean:.2f}",
    "Length, range": "{shortest} to {longest}",
    "Length ratio, minimum": "{ratio_least:.3f}",
    "Shared words, mean": "{shared_mean:.2f}",
    "Shared words, range": "{shared_least} to {shared_greatest}",
    "Latest sentence in its article": "{latest:,}",
}


def characteristics_cells(
    columns: Mapping[str, Mapping[str, Any]],
) -> dict[str, dict[tuple[str, str], str]]:
    """Sets of pairs side by side, as text: table 2 of Brockett and Dolan 2005.

    Parameters
    ----------
    columns : mapping of str to mapping
        By the name of a set of pairs: `asked`, the selections of which its pairs met one; `pairs` and
        `clusters`, how many; with pairs also `distance_least`, `distance_greatest`, `distance_mean` (word
        edit distance), `shortest`, `longest`, `length_mean` (words of a sentence), `ratio_least` (shorter /
        longer length, 0 to 1), `shared_least`, `shared_greatest`, `shared_mean` (shared words) and
        `position_greatest` (index of the latest sentence in its article, from 0); perhaps `seconds`, what it
        took to extract.

    Returns
    -------
    dict
        For each set the texts by group and label, the first six those of the paper, in its words.
    """
    cells: dict[str, dict[tuple[str, str], str]] = {}
    with_seconds = any(column.get("seconds") is not None for column in columns.values())
    for name, column in columns.items():
        of_set = {(CRITERIA, "Corpus size (pairs)"): f"{column['pairs']:,}"}
        of_set |= {(CRITERIA, label): text for label, text in described(column["asked"]).items()}
        for label, shown in _STATISTICS.items():
            text = "-"
            if column["pairs"]:
                text = shown.format(**column, latest=column["position_greatest"] + 1)
            of_set[STATISTICS, label] = text
        if with_seconds:
            seconds = column.get("seconds")
            of_set[STATISTICS, "Seconds"] = "-" if seconds is None else f"{seconds:.1f}"
        cells[name] = of_set
    return cells


def characteristics_table(columns: Mapping[str, Mapping[str, Any]]) -> DataFrame:
    """The `characteristics_cells`: a column for each set, rows by group and label."""
    with needed("tables"):
        from pandas import DataFrame
    return DataFrame(characteristics_cells(columns))


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


def as_csv(table: DataFrame) -> str:
    """The table with its head as lines of CSV, safe in spreadsheets."""
    return csv_lines([["", *table.columns], *([label, *row] for (_, label), *row in table.itertuples())])


def as_latex(table: DataFrame) -> str:
    """The table as a LaTeX `tabular` that needs no package, a rule between its groups of rows."""
    blocks = [[["", *table.columns]]]
    for _, rows in table.groupby(level=0, sort=False):
        blocks.append([[label, *row] for (_, label), *row in rows.itertuples()])
    escaped = [[[latex_text(cell) for cell in line] for line in block] for block in blocks]
    return latex_table(f"l{'r' * len(table.columns)}", *escaped)


def as_markdown(table: DataFrame) -> str:
    """The table as Markdown."""
    head = ["", *(name.replace("|", "\\|") for name in table.columns)]
    lines = [head, ["---", *["---:"] * len(table.columns)]]
    lines += [[label, *row] for (_, label), *row in table.itertuples()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
