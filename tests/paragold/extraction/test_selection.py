import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from paragold.extraction.criteria import Selection
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import (
    alternatives,
    as_csv,
    as_latex,
    as_markdown,
    characteristics_table,
    lets_all_through,
    narrowed,
    preset_selections,
    widest,
)
from paragold.spec import SpecError

# edit distance, lengths, shared words, greater position
PAIR = (8, 12, 9, 3, 2)


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"min_edit_distance": 8, "max_edit_distance": 8}, True),
        ({"min_edit_distance": 9}, False),
        ({"first_n": 2}, False),
        ({"min_length_ratio": "3/4"}, True),
        ({"min_length_ratio": "0.75", "ratio_strict": "yes"}, False),
        ({"min_shared_words": 4}, False),
        ({"min_length": 9, "max_length": 12}, True),
        ({"min_length": 10}, False),
    ],
)
def test_each_bound_is_inclusive(settings, kept):
    selection = Selection().replace(**settings)
    assert selection.admits(*PAIR) is kept
    assert selection.admits(8, 9, 12, 3, 2) is kept
    assert Selection().replace(**selection.as_json()) == selection


def test_what_the_candidates_of_2005_let_through_and_how_selections_narrow():
    near = Selection(max_edit_distance=12, min_length_ratio=Fraction(1, 2), ratio_strict=True, first_n=3)
    long = Selection(min_edit_distance=2, min_length_ratio=Fraction(2, 3), min_length=6)
    both = narrowed(near, long)
    assert both == narrowed(long, near)
    lengths = {"min_length_ratio": "2/3", "min_length": 6}
    assert both.as_json() == {"min_edit_distance": 2, "max_edit_distance": 12, "first_n": 3, **lengths}
    assert narrowed(near, Selection()) == near
    with pytest.raises(SpecError, match="no pair could match"):
        narrowed(near, Selection(min_edit_distance=13))
    wide = PRESETS["candidates-2005"].criteria
    through = [name for name, found in preset_selections().items() if lets_all_through(wide, found)]
    assert through == ["L12", "F2", "F3"]
    assert not lets_all_through(wide.replace(**{"distance": "indel"}), preset_selections()["L12"])
    assert not lets_all_through(PRESETS["F2"].criteria, preset_selections()["L12"])


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*preset_selections().values(), Selection(max_edit_distance=5), Selection()]),
    st.sampled_from([preset.criteria for preset in PRESETS.values()]),
    st.tuples(*map(st.integers, (0, 1, 1, 0, 0), (40, 40, 40, 6, 5))),
)
def test_what_is_let_through_in_full_meets_the_criteria(selection, criteria, numbers):
    if lets_all_through(criteria, selection) and selection.admits(*numbers):
        assert any(alternative.admits(*numbers) for alternative in alternatives(criteria))


@pytest.mark.parametrize("preset", ["L12", "F2", "F3"])
def test_a_preset_out_of_the_candidates_of_2005_is_described_as_the_preset(preset):
    wanted = preset_selections()[preset]
    met = [narrowed(wanted, way) for way in alternatives(PRESETS["candidates-2005"].criteria)]
    assert widest(met) == [wanted] == widest(met[::-1])
    ways = alternatives(PRESETS["candidates-2005"].criteria)
    assert widest(ways) == ways == widest([*ways, *ways])


L12 = Selection(
    min_edit_distance=2, max_edit_distance=12, min_length_ratio=Fraction(66, 100), ratio_strict=True,
    min_shared_words=3, min_length=6, max_length=29,
)  # fmt: skip


NOTHING = {"pairs": 0, "clusters": 0, "seconds": None}


def column():
    return {
        **{"asked": [L12], "pairs": 3, "clusters": 2, "seconds": None, "position_greatest": 4},
        **{"distance_least": 3, "distance_greatest": 9, "distance_mean": 6.0},
        **{"shortest": 9, "longest": 20, "length_mean": 83 / 6},
        **{"ratio_least": 0.75, "shared_least": 3, "shared_greatest": 10, "shared_mean": 6.0},
    }


def rows_of(**columns):
    return {label: cells for (_, label), *cells in characteristics_table(columns).itertuples()}


def test_rows_of_the_paper_come_first_and_tables_survive_odd_names():
    rows = rows_of(L12=column(), none=NOTHING | {"asked": [Selection()]})
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
    assert rows_of(timed=column() | {"seconds": 1.26})["Seconds"] == ["1.3"]
    table = characteristics_table({"50% & more_or less": column(), 'a,"b"': column()})
    rows = list(csv.reader(io.StringIO(as_csv(table))))
    assert rows[0] == ["", "50% & more_or less", 'a,"b"'] and {len(row) for row in rows} == {3}
    latex = as_latex(table).splitlines()
    assert latex[0] == "\\begin{tabular}{lrr}" and latex[-1] == "\\end{tabular}"
    assert latex[2] == ' & 50\\% \\& more\\_or less & a,"b" \\\\'
    assert "Edit distance & 2 $\\leq$ e $\\leq$ 12 & 2 $\\leq$ e $\\leq$ 12 \\\\" in latex
    assert "Length ratio & $>$ 66 \\% & $>$ 66 \\% \\\\" in latex and latex.count("\\hline") == 4
    assert as_markdown(characteristics_table({"a|b": column()})).splitlines()[:3] == [
        "|  | a\\|b |", "| --- | ---: |", "| Corpus size (pairs) | 3 |",
    ]  # fmt: skip
