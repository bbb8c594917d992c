"""The table of an experiment: one for each test set, in the shape of BD05 table 3; as LaTeX and CSV too.

An AER is best when it is the lowest of its column and the paired test (`metrics.error_rate.compare`) finds it
significantly lower than every other one at SIGNIFICANT, corrected for the number of tests in the column
(`paragold.statistics.holm`). All tests against the best are reported, with and without the correction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from alignment.models import Experiment, ExperimentCell, ExperimentRow, GoldAlignmentSet
from paragold.formats.tables import csv_table, latex_text
from paragold.metrics.error_rate import WORDS
from paragold.statistics import holm

SIGNIFICANT = 0.05
NAMES = {"all": "All words", "identical": "Identical words", "non_identical": "Non-identical words"}
RATES = ("precision", "recall", "aer")


@dataclass(frozen=True, slots=True)
class Figures:
    """Rates in percent as text, "-" where undefined, and the interval of the AER, "" where there is none."""

    words: str
    precision: str
    recall: str
    aer: str
    interval: str
    best: bool
    p: float | None
    """Of the test against the lowest AER of the column; None for that one itself."""
    p_holm: float | None
    """The same, corrected for the number of tests in the column."""


@dataclass(frozen=True, slots=True)
class Line:
    """A training in the table of one test set; no cell and no figures before it was done."""

    row: ExperimentRow
    training_set: str
    cell: ExperimentCell | None
    figures: list[Figures]


@dataclass(frozen=True, slots=True)
class Table:
    gold_set: GoldAlignmentSet
    lines: list[Line]


def tables_of(experiment: Experiment) -> list[Table]:
    """A table for each gold alignment set, rows in the order of the trainings."""
    rows = list(experiment.rows.select_related("dataset", "taught_by"))
    cells = {
        (cell.row_id, cell.gold_set_id): cell
        for cell in ExperimentCell.objects.filter(row__experiment=experiment).defer("links", "counts")
    }
    return [
        Table(
            gold_set,
            [
                _line(row, cells.get((row.pk, gold_set.pk)), experiment.comparisons.get(str(gold_set.pk), {}))
                for row in rows
            ],
        )
        for gold_set in experiment.gold_sets.order_by("pk")
    ]


def training_set(row: ExperimentRow) -> str:
    """What a row was trained on, in words."""
    if row.dataset is None:
        return "none"
    return f"{row.dataset.name}, {row.size:,} pairs" if row.size else row.dataset.name


def percent(share: float | None) -> str:
    """A share from 0 to 1 in percent, "-" where it is undefined."""
    return "-" if share is None else f"{100 * share:.2f}"


def _line(row: ExperimentRow, cell: ExperimentCell | None, comparisons: dict[str, Any]) -> Line:
    figures = [_figures(words, row, cell, comparisons.get(words)) for words in WORDS] if cell else []
    return Line(row, training_set(row), cell, figures)


def _figures(
    words: str, row: ExperimentRow, cell: ExperimentCell, compared: dict[str, Any] | None
) -> Figures:
    scores = cell.scores[words]
    interval = scores["aer_interval"]
    ps = holm_of(compared)
    own = str(row.number)
    test = compared["others"].get(own) if compared else None
    return Figures(
        words=words,
        precision=percent(scores["precision"]),
        recall=percent(scores["recall"]),
        aer=percent(scores["aer"]),
        interval=" to ".join(map(percent, interval)) if interval else "",
        best=bool(ps)
        and compared is not None
        and compared["best"] == row.number
        and max(ps.values()) < SIGNIFICANT,
        p=test["p"] if test else None,
        p_holm=ps.get(own),
    )


def holm_of(compared: dict[str, Any] | None) -> dict[str, float]:
    """The p-values of one column's tests, by row number, corrected for their number."""
    tests = {number: test["p"] for number, test in compared["others"].items() if test} if compared else {}
    return dict(zip(tests, holm(list(tests.values())), strict=True))


def corrected(comparisons: dict[str, Any]) -> dict[str, Any]:
    """The comparisons of an experiment, every test with its corrected p as `p_holm`."""

    def column(compared: dict[str, Any] | None) -> dict[str, Any] | None:
        if compared is None:
            return None
        ps = holm_of(compared)
        others = {
            number: test and test | {"p_holm": ps[number]} for number, test in compared["others"].items()
        }
        return compared | {"others": others}

    return {
        gold_set: {words: column(compared) for words, compared in columns.items()}
        for gold_set, columns in comparisons.items()
    }


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """One aligner's AER by number of training pairs, a line for each dataset with several sizes."""

    aligner: str
    lines: list[tuple[str, list[tuple[int, float, Any]]]]
    """Name of the dataset and (pairs, AER, interval) as shares, by number of pairs."""


def curves_of(table: Table) -> list[LearningCurve]:
    """The learning curves in a table, in the order of its rows."""
    found: dict[str, dict[str, list[tuple[int, float, Any]]]] = {}
    for line in table.lines:
        row = line.row
        if row.dataset is None or line.cell is None or line.cell.aer is None:
            continue
        interval = line.cell.scores["all"]["aer_interval"]
        points = found.setdefault(row.aligner_label, {}).setdefault(row.dataset.name, [])
        points.append((row.pairs, line.cell.aer, interval))
    curves = [
        LearningCurve(
            aligner,
            [
                (dataset, sorted(points, key=lambda point: point[0]))
                for dataset, points in lines.items()
                if len(points) > 1
            ],
        )
        for aligner, lines in found.items()
    ]
    return [curve for curve in curves if curve.lines]


def as_csv(tables: Sequence[Table]) -> str:
    """One line for each training and test set; rates and intervals in percent, empty where undefined."""
    rows = []
    head = ["test set", "training set", "pairs", "aligner"]
    for words in WORDS:
        head += [f"{words} {rate}" for rate in RATES]
        head += [f"{words} aer from", f"{words} aer to"]
        head += [f"{words} p against the lowest", f"{words} p corrected (Holm)"]
    for table in tables:
        for line in table.lines:
            cells: list[Any] = [
                str(table.gold_set),
                line.training_set,
                line.row.pairs,
                line.row.aligner_label,
            ]
            for figures in line.figures:
                cells += [_or_empty(getattr(figures, rate)) for rate in RATES]
                cells += figures.interval.split(" to ") if figures.interval else ["", ""]
                cells += ["" if p is None else f"{p:.4f}" for p in (figures.p, figures.p_holm)]
            cells += [""] * (len(head) - len(cells))
            rows.append([*cells, line.row.signature])
    return csv_table([*head, "signature"], rows)


def as_latex(tables: Sequence[Table]) -> str:
    """A tabular for each test set, the lowest AER in bold where the corrected tests say so."""
    return "\n".join(_tabular(table) for table in tables)


def _tabular(table: Table) -> str:
    lines = [
        f"% Test set: {latex_text(str(table.gold_set))}. Precision, recall, AER in percent.",
        r"\begin{tabular}{llr" + "rrr" * len(WORDS) + "}",
        r"\hline",
        " & & & " + " & ".join(rf"\multicolumn{{3}}{{c}}{{{NAMES[words]}}}" for words in WORDS) + r" \\",
        "Training set & Aligner & Pairs" + " & Prec. & Rec. & AER" * len(WORDS) + r" \\",
        r"\hline",
    ]
    for line in table.lines:
        cells = [latex_text(line.training_set), latex_text(line.row.aligner_label), f"{line.row.pairs}"]
        for figures in line.figures:
            aer = rf"\textbf{{{figures.aer}}}" if figures.best else figures.aer
            cells += [figures.precision, figures.recall, aer]
        cells += [""] * (3 + 3 * len(WORDS) - len(cells))
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _or_empty(figure: str) -> str:
    return "" if figure == "-" else figure
