"""The examples for notebooks run cell by cell, those of docs/library.md whole; each shows what it says."""

import ast
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pandas import DataFrame

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


@pytest.fixture
def shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    return lambda name: shown_by(EXAMPLES[name].read_text(encoding="utf-8"))


def test_every_example_is_tested_here():
    assert set(EXAMPLES) == {"extract_pairs", "align_and_score", "classify_pairs", "agreement"}


def test_extracting(shown, capsys):
    head, distances = shown("extract_pairs")
    kept = distances["pairs"].sum()
    assert f"pairs compared, {kept:,} kept" in capsys.readouterr().out
    assert kept > 100 and len(head) == 5
    assert (head["edit_distance"] <= 12).all() and distances.index.max() <= 12


def test_aligning_and_scoring(shown):
    gold, scores, drawn, reasons = shown("align_and_score")
    assert gold._repr_html_().startswith("<svg") and gold != drawn
    assert list(scores.index.get_level_values("system").unique()) == ["identity", "hmm", "best"]
    aer = scores.xs("all", level="words")["aer"]
    assert aer["best"] < aer["identity"] and aer.between(0, 1).all()
    assert len(reasons) == 5 and reasons["probability"].between(0, 1).all()


def test_classifying(shown):
    measures, decisions, reasons = shown("classify_pairs")
    assert (measures["low"] <= measures["value"]).all() and (measures["value"] <= measures["high"]).all()
    assert decisions["probability"].between(0, 1).all() and len(decisions) == 2
    assert list(reasons["pair"]) == [0, 0, 0, 1, 1, 1]


def test_agreement(shown):
    labels, coefficients, disputed = shown("agreement")
    assert isinstance(labels, DataFrame) and labels.to_numpy().sum() == 160
    observed = coefficients.loc["observed"]
    assert observed["low"] < observed["value"] < observed["high"]
    assert (disputed["a"] != disputed["b"]).all() and len(disputed) == 5


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
