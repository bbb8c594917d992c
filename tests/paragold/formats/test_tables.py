"""CSV is written in one module, and nothing in it is a formula."""

from __future__ import annotations

import ast
import csv
import io
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.formats.tables import CSV_START, csv_table, exact_lines, harmless

ROOT = Path(__file__).parents[3]
WRITER = Path("paragold/formats/tables.py")


def test_nothing_else_writes_csv() -> None:
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


@pytest.mark.parametrize(
    "text",
    ["+cmd|x", "=1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n", "＝1", " =1", "+", "-", "+1-2"],
)
def test_formulas_become_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "-1", "-0.5", "+3", "1,234", "-1,234.5", "-2e-05", "a=b", "'=1"])
def test_numbers_and_words_stay(text: str) -> None:
    assert harmless(text) == text


cells = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none(),
)


@given(st.lists(st.lists(cells, min_size=3, max_size=3), max_size=5))
def test_what_is_written_is_read_back(rows: list[list[object]]) -> None:
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
