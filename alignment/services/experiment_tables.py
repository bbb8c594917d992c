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
from annotation.presenters import bare_percent
from paragold.formats.tables import csv_table, latex_text
from paragold.metrics.error_rate import WORDS
from paragold.statistics import holm

from .experiments import SIGNIFICANT

NO_TRAINING_SET = "none"
FEW_PAIRS = 50
"""Below so many test pairs intervals are too wide to decide anything."""
NAMES = {"all": "All words", "identical": "Identical words", "non_identical": "Non-identical words"}
RATES = ("precision", "recall", "aer")


@dataclass(frozen=True, slots=True)
class Figures:
    """The scores of a cell for one kind of words, as it holds them, and the test of its AER.

    `p` is that of the test against the lowest AER of the column, None for that one itself; `p_holm` is the
    same, corrected for the number of tests in the column.
    """

    scores: dict[str, Any]
    best: bool
    p: float | None
    p_holm: float | None
    better: list[int] | None = None
    """The numbers of the rows that it is significantly better than; None where that was not tested."""


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
    """A table for each set of gold links, rows in the order of the trainings."""
    rows = list(experiment.rows.select_related("dataset", "taught_by").prefetch_related("other_gold"))
    cells = {
        (cell.row_id, cell.gold_set_id): cell
        for cell in ExperimentCell.objects.filter(row__experiment=experiment).defer(
            "links", "counts", "reasons"
        )
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
    return NO_TRAINING_SET if row.dataset is None else row.dataset.name


def _line(row: ExperimentRow, cell: ExperimentCell | None, comparisons: dict[str, Any]) -> Line:
    figures = [_figures(row, cell.scores[words], comparisons.get(words)) for words in WORDS] if cell else []
    return Line(row, training_set(row), cell, figures)


def _figures(row: ExperimentRow, scores: dict[str, Any], compared: dict[str, Any] | None) -> Figures:
    ps = holm_of(compared)
    own = str(row.number)
    test = compared["others"].get(own) if compared else None
    is_lowest = compared is not None and compared["best"] == row.number
    return Figures(
        scores=scores,
        best=is_lowest and bool(ps) and max(ps.values()) < SIGNIFICANT,
        p=test["p"] if test else None,
        p_holm=ps.get(own),
        better=_better(compared, row, ps),
    )


def _better(compared: dict[str, Any] | None, row: ExperimentRow, ps: dict[str, float]) -> list[int] | None:
    """By the tests of every two rows; by those of the lowest row where there are no others."""
    if compared is None:
        return None
    if "better" in compared:
        return list(compared["better"].get(str(row.number), []))
    if compared["best"] != row.number or not ps:
        return None
    return [int(number) for number, p in ps.items() if p < SIGNIFICANT]


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line of a table sorted by the AER of some words; `better` says which rows it is better than."""

    line: Line
    figures: Figures | None
    better: str

    @property
    def aer(self) -> float | None:
        aer: float | None = self.figures.scores["aer"] if self.figures else None
        return aer


def ranked(table: Table, words: str) -> list[RankedLine]:
    """The lines by the AER of these words, the lowest first; those without one last."""
    place = list(WORDS).index(words)
    lines = [(line, line.figures[place] if line.figures else None) for line in table.lines]

    def order(line: tuple[Line, Figures | None]) -> tuple[bool, float]:
        aer = line[1].scores["aer"] if line[1] else None
        return aer is None, aer or 0.0

    lines.sort(key=order)
    scored = [line.row.number for line, figures in lines if figures and figures.scores["aer"] is not None]
    names = {line.row.number: line.row.aligner_label for line in table.lines}
    if len(set(names.values())) < len(names):
        trained = [line for line in table.lines if line.training_set != NO_TRAINING_SET]
        names |= {line.row.number: f"{line.row.aligner_label} on {line.training_set}" for line in trained}

    def better(line: Line, figures: Figures | None) -> str:
        if figures is None or figures.better is None or line.row.number not in scored:
            return "not tested"
        below = scored[scored.index(line.row.number) + 1 :]
        if below and set(below) <= set(figures.better):
            return "all below"
        return "; ".join(names[number] for number in scored if number in figures.better) or "none"

    return [RankedLine(line, figures, better(line, figures)) for line, figures in lines]


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
                rates = [figures.scores[rate] for rate in RATES]
                rates += figures.scores["aer_interval"] or [None, None]
                cells += ["" if rate is None else bare_percent(rate) for rate in rates]
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
            precision, recall, aer = (bare_percent(figures.scores[rate]) for rate in RATES)
            cells += [precision, recall, rf"\textbf{{{aer}}}" if figures.best else aer]
        cells += [""] * (3 + 3 * len(WORDS) - len(cells))
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])
