"""The examples for notebooks run cell by cell, those of docs/library.md whole; each shows what it says."""

import ast
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {
    path.stem: path for path in (ROOT / "docs" / "examples").glob("*.py") if "# %%" in path.read_text()
}


def cells(source):
    """The code of each cell; those of Markdown hold comments only."""
    for part in source.split("# %%")[1:]:
        if not part.startswith(" [markdown]"):
            yield part


def shown_by(source):
    """What a notebook shows below each cell: the value of its last line, where that is an expression."""
    # Classes that are made in a cell look for the module that they are in.
    module = sys.modules["notebook_example"] = ModuleType("notebook_example")
    shown = []
    try:
        for cell in cells(source):
            tree = ast.parse(cell)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), module.__dict__)
            if isinstance(last, ast.Expr):
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), module.__dict__))
    finally:
        del sys.modules["notebook_example"]
    return shown


@pytest.mark.parametrize(("name", "values"), [
    ("extract_pairs", 2), ("align_and_score", 4), ("classify_pairs", 3), ("agreement", 3),
])  # fmt: skip
def test_an_example_for_notebooks_shows_its_tables(name, values, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert len(EXAMPLES) == 4
    shown = shown_by(EXAMPLES[name].read_text(encoding="utf-8"))
    assert len(shown) == values
    assert all(value._repr_html_() for value in shown)


PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
OF_PAGE = re.findall(r"^## (.+?)\n.*?^```python\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
PRINTED = {
    "Extract pairs": r"[\d,]+ pairs compared, [1-9]\d* kept\n",
    "Align and score": r" +precision +recall +aer\n(system.*\n)?identity +[.\d]+.*\nhmm .*\nbest .*\n",
    "Classify": r" +value +low +high\n(measure.*\n)?accuracy +0\.\d+(.*\n)*\[\[0\.\d+ 0\.\d+\]\]\n",
}


@pytest.mark.parametrize(("title", "code"), OF_PAGE, ids=[title for title, _ in OF_PAGE])
def test_an_example_runs(title, code, tmp_path, monkeypatch, capsys):
    for folder in ("demo", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, title, "exec"), {"__name__": "example"})
    assert re.match(PRINTED[title], capsys.readouterr().out)
