"""The table of characteristics and the forms it is given away in."""

from __future__ import annotations

import csv
import dataclasses
import io
from fractions import Fraction

from benchmarks.tally import Tally
from paragold.extraction.characteristics import as_csv, as_latex, as_markdown, rows_of
from paragold.extraction.records import CandidatePair
from paragold.extraction.selection import Selection

L12 = Selection(
    min_edit_distance=2, max_edit_distance=12, min_length_ratio=Fraction(66, 100), ratio_strict=True,
    min_shared_words=3, min_length=6, max_length=29,
)  # fmt: skip


def pair(distance: int, a: int, b: int, shared: int, position: int) -> CandidatePair:
    return CandidatePair(0, 1, distance, a, b, shared, 0, position, b"")


def column(name: str = "L12"):
    tally = Tally()
    tally.add_cluster([pair(3, 10, 12, 5, 4), pair(6, 12, 9, 3, 0)])
    tally.add_cluster([])
    tally.add_cluster([pair(9, 20, 20, 10, 1)])
    return tally.characteristics(name, [L12])


def test_pairs_are_added_up() -> None:
    result = column()
    assert (result.pairs, result.clusters) == (3, 2)
    assert (result.distance_least, result.distance_greatest, result.distance_mean) == (3, 9, 6.0)
    assert (result.shortest, result.longest) == (9, 20)
    assert result.length_mean == (22 + 21 + 40) / 6 and result.ratio_least == 0.75
    assert (result.shared_least, result.shared_greatest, result.shared_mean) == (3, 10, 6.0)
    assert result.position_greatest == 4


def test_the_rows_of_the_paper_come_first() -> None:
    rows = {
        row.label: row.cells for row in rows_of([column(), Tally().characteristics("none", [Selection()])])
    }
    assert list(rows)[:6] == [
        "Corpus size (pairs)", "Edit distance", "Sentence range in article", "Length", "Length ratio",
        "Shared words",
    ]  # fmt: skip
    assert rows["Corpus size (pairs)"] == ["3", "0"]
    assert rows["Edit distance"] == ["2 ≤ e ≤ 12", "any"]
    assert rows["Sentence range in article"] == ["all", "all"]
    assert rows["Length"] == ["6 ≤ n ≤ 29", "any"]
    assert rows["Length ratio"] == ["> 66 %", "any"]
    assert rows["Shared words"] == ["3", "any"]
    assert rows["Edit distance, mean"] == ["6.00", "-"]
    assert rows["Latest sentence in its article"] == ["5", "-"]
    assert "Seconds" not in rows
    timed = dataclasses.replace(column(), seconds=1.26)
    assert {row.label: row.cells for row in rows_of([timed])}["Seconds"] == ["1.3"]


def test_tables_survive_odd_names() -> None:
    columns = [column("50% & more_or less"), column('a,"b"')]
    rows = list(csv.reader(io.StringIO(as_csv(columns))))
    assert rows[0] == ["", "50% & more_or less", 'a,"b"'] and {len(row) for row in rows} == {3}
    latex = as_latex(columns).splitlines()
    assert latex[0] == "\\begin{tabular}{lrr}" and latex[-1] == "\\end{tabular}"
    assert latex[2] == ' & 50\\% \\& more\\_or less & a,"b" \\\\'
    assert "Edit distance & 2 $\\leq$ e $\\leq$ 12 & 2 $\\leq$ e $\\leq$ 12 \\\\" in latex
    assert "Length ratio & $>$ 66 \\% & $>$ 66 \\% \\\\" in latex and latex.count("\\hline") == 4
    assert as_markdown([column("a|b")]).splitlines()[:3] == [
        "|  | a\\|b |", "| --- | ---: |", "| Corpus size (pairs) | 3 |",
    ]  # fmt: skip
