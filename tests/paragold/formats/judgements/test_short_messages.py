"""Messages about files quote little of them, however long a field is."""

from __future__ import annotations

from pathlib import Path

import pytest
from paragold.formats.links import jsonl, naacl, pharaoh

from paragold.formats.judgements.judged_pairs import Reading, read_judged_pairs
from paragold.problems import FileProblem

LONG = "x" * 10_000


@pytest.mark.parametrize(
    "line",
    [f"{LONG}\ta\tb", f'{{"{LONG}": 1}}', f'{{"a":"a","b":"b","label":"{LONG}"}}', f"5{LONG}\ta\tb"],
)
def test_of_judgements(tmp_path: Path, line: str) -> None:
    path = tmp_path / "file"
    path.write_text(line + "\n")
    [problem] = read_judged_pairs(path, Reading()).problems
    assert len(problem.message) < 250


@pytest.mark.parametrize(
    ("module", "text"),
    [(pharaoh, f"0-{LONG}"), (naacl, f"1 1 1 {LONG}"), (naacl, f"1 {LONG} 1 S"), (jsonl, f'{{"{LONG}": 1}}')],
)
def test_of_links(module, text: str) -> None:
    with pytest.raises(FileProblem) as error:
        module.loads(text + "\n")
    assert len(error.value.message) < 250
