import ast
import csv
import io
import math
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from paragold.formats import labelled_pairs, pair_files
from paragold.formats.labelled_pairs import TextPair, dumps, read_pairs
from paragold.formats.pair_files import PairRow
from paragold.formats.publishing import READING_TSV
from paragold.formats.tables import CSV_START, csv_table, exact_lines, harmless

ROOT = Path(__file__).parents[3]
WRITER = Path("paragold/formats/tables.py")


def test_nothing_else_writes_csv():
    result = set()
    for app in ("alignment", "annotation", "config", "corpus", "jobs", "ops", "projects", "paragold"):
        for path in (ROOT / app).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "csv" in text else ():
                name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "name", "")
                of_csv = not isinstance(node, ast.Attribute) or getattr(node.value, "id", "") == "csv"
                if name in ("writer", "DictWriter") and of_csv and not isinstance(node, ast.FunctionDef):
                    result.add(path.relative_to(ROOT))
    assert result == {WRITER}


@pytest.mark.parametrize("text", ["+cmd|x", "=1+1", "-2+3", "@SUM(A1)", "\t=1", "\n", "＝1", " =1", "-"])
def test_formulas_become_text(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "-1", "-0.5", "+3", "1,234", "-1,234.5", "-2e-05", "a=b", "'=1"])
def test_numbers_and_words_stay(text):
    assert harmless(text) == text


cells = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none(),
)


@given(st.lists(st.lists(cells, min_size=3, max_size=3), max_size=5))
def test_what_is_written_is_read_back(rows):
    text = csv_table(["a", "=b", "c"], rows)
    assert text.startswith(CSV_START)
    head, *read = csv.reader(io.StringIO(text.removeprefix(CSV_START), newline=""))
    assert head == ["a", "'=b", "c"]
    for row, back in zip(rows, read, strict=True):
        for cell, result in zip(row, back, strict=True):
            if isinstance(cell, str):
                assert result in (cell, f"'{cell}")
            elif isinstance(cell, float):
                assert math.isclose(float(result), cell)
            else:
                assert result == ("" if cell is None else str(cell))
    exact = list(csv.reader(io.StringIO(exact_lines(rows), newline="")))
    assert exact == [["" if cell is None else str(cell) for cell in row] for row in rows]


TEXTS = [
    *('"The storm hit.', 'hurt."', '"Both ends"', 'an "inner" one', '"', '""', "'", '" "'),
    *("NA", "null", "None", "nan", "N/A", "-", "1.0", "007", "1e5", "True", "2004-08-31"),
    *("# no comment", "a \\ back", "\\N", "=1+1", "a, b; c", "caf\u00e9 \U0001f600", "\ufeffmark"),
    *(" leading", "trailing ", "two  spaces", "non\u00a0breaking", "a\u200bb", "\u3000wide"),
    *("tab\there", "line\nbreak", "carriage\rreturn", "both\r\n", "next\u0085line", "para\u2029graph"),
]


def rows():
    pairs = zip(TEXTS, reversed(TEXTS), strict=True)
    return [
        PairRow(f"{n}", f"c{n}", f"a{n}", 0, f"b{n}", 1, 4, 3, 3, 1, a, b, a, b)
        for n, (a, b) in enumerate(pairs)
    ]


@pytest.fixture(params=["dataset", "msr"])
def published(request, tmp_path):
    """A file, its texts, and the names of their columns."""
    one_line = pair_files.one_line if request.param == "dataset" else labelled_pairs.one_line
    texts = [(one_line(a), one_line(b)) for a, b in zip(TEXTS, reversed(TEXTS), strict=True)]
    if request.param == "dataset":
        with pair_files.PairFiles(tmp_path, "pairs", ["tsv"]) as written:
            written.add(rows())
        return tmp_path / "pairs.tsv", texts, "text_a", "text_b"
    pairs = [TextPair(a, b, True, "", ("x", "y"), n) for n, (a, b) in enumerate(texts)]
    (tmp_path / "msr.tsv").write_text(dumps(pairs), encoding="utf-8", newline="")
    return tmp_path / "msr.tsv", texts, "#1 String", "#2 String"


def called(library, path):
    """The result of the call that the card gives for a library."""
    names = {}
    code = re.search(rf"^((?:import \w+\n)*){library}\.read_csv\([^`]*?\)$", READING_TSV, re.M)
    assert code
    text = (
        code[0].replace("FILE.tsv", str(path)).replace(f"{library}.read_csv", f"table = {library}.read_csv")
    )
    exec(text, names)
    return names["table"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_libraries_and_this_program_read_the_texts(published, library):
    path, texts, first, second = published
    assert [(pair.first, pair.second) for pair in read_pairs(path)] == texts
    pytest.importorskip(library)
    table = called(library, path)
    assert list(zip(table[first], table[second], strict=True)) == texts
