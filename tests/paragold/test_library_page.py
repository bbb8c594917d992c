"""The examples of docs/library.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^## (.+?)\n.*?^```python\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
PRINTED = {
    "Extract pairs": r"[\d,]+ pairs compared, [1-9]\d* kept\n",
    "Align and score": r"identity +AER [1-9].*\nhmm +AER [1-9].*\nbest +AER [1-9].*\n",
    "Classify": r"accuracy 0\.\d\d, F [01]\.\d\d\n\[0\.\d+\]\n",
}


@pytest.mark.parametrize(("title", "code"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_an_example_runs(
    title: str,
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("demo", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, title, "exec"), {"__name__": "example"})
    assert re.match(PRINTED[title], capsys.readouterr().out)
