"""The table of an experiment: one for each test set, in the shape of BD05 table 3; as LaTeX and CSV too.

An AER is best when it is the lowest of its column and the paired test (`metrics.error_rate.compare`) finds it
significantly lower than every other one at SIGNIFICANT, corrected for the number of tests in the column
(`paragold.statistics.holm`). All tests against the best are reported, with and without the correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from alignment.models import Experiment, ExperimentCell, ExperimentRow
from annotation.presenters import bare_percent
from paragold.formats.tables import csv_table, latex_table, latex_text
from paragold.metrics.error_rate import WORDS
from paragold.statistics import holm

from .experiments import SIGNIFICANT

NO_TRAINING_SET = "none"
FEW_PAIRS = 50
"""Below so many test pairs intervals are too wide to decide anything."""
NAMES = {"all": _("All words"), "identical": _("Identical words"), "non_identical": _("Non-identical words")}
RATES = ("precision", "recall", "aer")
Row = dict[str, Any]


def tables_of(experiment: Experiment) -> list[Row]:
    """A table for each set of gold links, `gold_set` and `name`, with its number of `pairs`.

    Its `rows` are in the order of the trainings: what was trained how on which pairs and, once that is done,
    `cell`, the `errors` by kind and the `scores` by words. These are rates and intervals, shares from 0 to 1;
    the paired `test` against the lowest AER of the column, None for that one itself, with `p_holm`, its p
    corrected for the number of tests in the column (Holm 1979); whether it is `best`; and the numbers of the
    rows that it is significantly `better` than, None where that was not tested.
    """
    rows = list(experiment.rows.select_related("dataset", "taught_by").prefetch_related("other_gold"))
    cells = {
        (cell.row_id, cell.gold_set_id): cell
        for cell in ExperimentCell.objects.filter(row__experiment=experiment).defer(
            "links", "counts", "reasons"
        )
    }
    return [
        {
            "gold_set": gold_set.pk,
            "name": str(gold_set),
            "pairs": gold_set.counts["pairs"],
            "rows": [
                _trained(row)
                | _scored(
                    row, cells.get((row.pk, gold_set.pk)), experiment.comparisons.get(str(gold_set.pk), {})
                )
                for row in rows
            ],
        }
        for gold_set in experiment.gold_sets.order_by("pk")
    ]


def training_set(row: ExperimentRow) -> str:
    """What a row was trained on, in words."""
    return NO_TRAINING_SET if row.dataset is None else row.dataset.name


def _trained(row: ExperimentRow) -> Row:
    return {
        "number": row.number,
        "dataset": row.dataset_id,
        "training_set": training_set(row),
        "aligner": row.aligner,
        "label": row.aligner_label,
        "parameters": row.parameters,
        "taught_by": row.taught_by_id,
        "other_gold": [gold.pk for gold in row.other_gold.all()],
        "transfers": row.transfers,
        "pairs": row.pairs,
        "pairs_held_out": row.pairs_held_out,
        "signature": row.signature,
    }


def _scored(row: ExperimentRow, cell: ExperimentCell | None, comparisons: Mapping[str, Any]) -> Row:
    if cell is None:
        return {"cell": None, "errors": [], "scores": {}}
    scores = {words: cell.scores[words] | _tested(str(row.number), comparisons.get(words)) for words in WORDS}
    return {"cell": cell.pk, "errors": cell.errors, "scores": scores}


def _tested(own: str, compared: Mapping[str, Any] | None) -> Row:
    """What the tests of one column say of a row."""
    if compared is None:
        return {"test": None, "best": False, "better": None}
    others = compared["others"]
    tests = {number: test["p"] for number, test in others.items() if test}
    ps = dict(zip(tests, holm(list(tests.values())), strict=True))
    is_lowest = str(compared["best"]) == own
    better = None
    if "better" in compared:
        better = list(compared["better"].get(own, []))
    elif is_lowest and ps:
        better = [int(number) for number, p in ps.items() if p < SIGNIFICANT]
    test = others.get(own)
    return {
        "test": test and test | {"p_holm": ps[own]},
        "best": is_lowest and bool(ps) and max(ps.values()) < SIGNIFICANT,
        "better": better,
    }


def ranked(rows: Sequence[Row], words: str) -> list[tuple[Row, Row, str]]:
    """The rows by the AER of these words, the lowest first, those without one last; each with these scores,
    {} before it was done, and which rows it is significantly better than, in words."""
    scored = [(row, row["scores"].get(words, {})) for row in rows]
    scored.sort(key=lambda entry: (entry[1].get("aer") is None, entry[1].get("aer") or 0.0))
    order = [row["number"] for row, scores in scored if scores.get("aer") is not None]
    names = {row["number"]: row["label"] for row in rows}
    if len(set(names.values())) < len(names):
        names |= {row["number"]: f"{row['label']} on {row['training_set']}" for row in rows if row["dataset"]}

    def better(row: Row, scores: Row) -> str:
        if scores.get("better") is None or row["number"] not in order:
            return "not tested"
        below = order[order.index(row["number"]) + 1 :]
        if below and set(below) <= set(scores["better"]):
            return "all below"
        return "; ".join(names[number] for number in order if number in scores["better"]) or "none"

    return [(row, scores, better(row, scores)) for row, scores in scored]


def as_csv(tables: Sequence[Row]) -> str:
    """One line for each training and test set; rates and intervals in percent, empty where undefined."""
    head = ["test set", "training set", "pairs", "aligner"]
    for words in WORDS:
        head += [f"{words} {name}" for name in (*RATES, "aer from", "aer to")]
        head += [f"{words} p against the lowest", f"{words} p corrected (Holm)"]
    lines = []
    for table in tables:
        for row in table["rows"]:
            cells: list[Any] = [table["name"], row["training_set"], row["pairs"], row["label"]]
            for scores in row["scores"].values():
                rates = [scores[rate] for rate in RATES] + (scores["aer_interval"] or [None, None])
                ps = [scores["test"][name] for name in ("p", "p_holm")] if scores["test"] else [None, None]
                cells += ["" if rate is None else bare_percent(rate) for rate in rates]
                cells += ["" if p is None else f"{p:.4f}" for p in ps]
            cells += [""] * (len(head) - len(cells))
            lines.append([*cells, row["signature"]])
    return csv_table([*head, "signature"], lines)


def as_latex(tables: Sequence[Row]) -> str:
    """A tabular for each test set, the lowest AER in bold where the corrected tests say so."""
    groups = [rf"\multicolumn{{3}}{{c}}{{{NAMES[words]}}}" for words in WORDS]
    head = [
        ["", "", "", *groups],
        ["Training set", "Aligner", "Pairs", *("Prec.", "Rec.", "AER") * len(WORDS)],
    ]
    columns = "llr" + "rrr" * len(WORDS)
    return "\n".join(
        f"% Test set: {latex_text(table['name'])}. Precision, recall, AER in percent.\n"
        + latex_table(columns, head, [_latex_cells(row) for row in table["rows"]])
        for table in tables
    )


def _latex_cells(row: Row) -> list[str]:
    cells = [latex_text(row["training_set"]), latex_text(row["label"]), str(row["pairs"])]
    for scores in row["scores"].values():
        precision, recall, aer = (bare_percent(scores[rate]) for rate in RATES)
        cells += [precision, recall, rf"\textbf{{{aer}}}" if scores["best"] else aer]
    return cells + [""] * (3 + 3 * len(WORDS) - len(cells))
