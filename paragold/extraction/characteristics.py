"""Characteristics of a set of candidate pairs, in the shape of table 2 of Brockett and Dolan 2005."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from paragold.extraction.selection import Selection, described
from paragold.formats.tables import csv_lines, latex_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Characteristics:
    """One column of the table.

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


@dataclass(frozen=True, slots=True)
class Row:
    """`group` is "criteria" or "statistics"."""

    group: str
    label: str
    cells: list[str]


def rows_of(columns: Sequence[Characteristics]) -> list[Row]:
    """The table without its head; the first six rows are those of the paper, in its words."""
    criteria = [described(column.asked) for column in columns]

    def statistic(label: str, show: Callable[[Characteristics], str]) -> Row:
        return Row("statistics", label, [show(column) if column.pairs else "-" for column in columns])

    rows = [
        Row("criteria", "Corpus size (pairs)", [f"{column.pairs:,}" for column in columns]),
        *(
            Row("criteria", label, [texts[label] for texts in criteria])
            for label in (criteria[0] if criteria else ())
        ),
        statistic("Clusters", lambda c: f"{c.clusters:,}"),
        statistic("Edit distance, mean", lambda c: f"{c.distance_mean:.2f}"),
        statistic("Edit distance, range", lambda c: f"{c.distance_least} to {c.distance_greatest}"),
        statistic("Length, mean", lambda c: f"{c.length_mean:.2f}"),
        statistic("Length, range", lambda c: f"{c.shortest} to {c.longest}"),
        statistic("Length ratio, minimum", lambda c: f"{c.ratio_least:.3f}"),
        statistic("Shared words, mean", lambda c: f"{c.shared_mean:.2f}"),
        statistic("Shared words, range", lambda c: f"{c.shared_least} to {c.shared_greatest}"),
        statistic("Latest sentence in its article", lambda c: f"{c.position_greatest + 1:,}"),
    ]
    if any(column.seconds is not None for column in columns):
        rows.append(Row("statistics", "Seconds", [_seconds(column.seconds) for column in columns]))
    return rows


def as_csv(columns: Sequence[Characteristics]) -> str:
    """The table with its head as lines of CSV, safe in spreadsheets."""
    head = ["", *(column.name for column in columns)]
    return csv_lines([head, *([row.label, *row.cells] for row in rows_of(columns))])


def as_latex(columns: Sequence[Characteristics]) -> str:
    """The table as a LaTeX `tabular` that needs no package."""
    lines = [f"\\begin{{tabular}}{{l{'r' * len(columns)}}}", "\\hline"]
    lines += [_latex_line(["", *(column.name for column in columns)]), "\\hline"]
    group = "criteria"
    for row in rows_of(columns):
        if row.group != group:
            lines.append("\\hline")
        group = row.group
        lines.append(_latex_line([row.label, *row.cells]))
    return "\n".join([*lines, "\\hline", "\\end{tabular}", ""])


def as_markdown(columns: Sequence[Characteristics]) -> str:
    """The table as Markdown."""
    lines = [["", *(column.name.replace("|", "\\|") for column in columns)]]
    lines.append(["---", *["---:"] * len(columns)])
    lines += [[row.label, *row.cells] for row in rows_of(columns)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _latex_line(cells: Iterable[str]) -> str:
    return " & ".join(map(latex_text, cells)) + " \\\\"


def _seconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f}"
