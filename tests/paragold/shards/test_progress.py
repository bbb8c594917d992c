"""How far a run is: the status of a chain and its page in the terminal; the memory of a worker."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from paragold.problems import FileProblem
from paragold.shards import chain
from paragold.shards.engines import Outcome, given_up
from paragold.shards.plan_file import read_plan
from tests.paragold.shards.corpora import InThisProcess, as_lines, news, written

PLAN = """\
steps:
  - {step: tokenise, input: a.jsonl}
  - {step: extract, preset: L12-2004, shards: 3}
  - {step: characteristics}
"""


class Failing(InThisProcess):
    """Loses a worker of the stage map, and stops at the stage write; keeps the status of the chain."""

    def __init__(self, overview: Path, *, stops: bool) -> None:
        super().__init__()
        self._overview, self._stops = overview, stops
        self.seen: list[dict[str, Any]] = []

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        if stage == "map" and folder.name == "02-extract":
            yield Outcome(1, failure="its process was killed")
        if stage == "write" and self._stops:
            raise given_up(stage, 0, "no memory", folder)
        yield from super().run(folder, stage, numbers)
        self.seen.append(json.loads(self._overview.read_text())["steps"])


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("paragold.shards.progress._SECONDS_BETWEEN", 0.0)
    written(tmp_path / "a.jsonl", as_lines(news(11, clusters=20)))
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


def run(corpus: Path, *, stops: bool, lines: list[str]) -> Failing:
    engine = Failing(corpus / "out" / "status.json", stops=stops)
    chain.run_chain(read_plan(corpus / "plan.yaml"), corpus / "out", engine, write=lines.append)
    return engine


def test_the_status_of_a_chain_has_every_step(corpus: Path) -> None:
    lines: list[str] = []
    with pytest.raises(FileProblem, match="no memory"):
        run(corpus, stops=True, lines=lines)
    status = json.loads((corpus / "out" / "status.json").read_text())
    first, second, third = status["steps"].values()
    assert status["state"] == second["state"] == "stopped"
    assert first["state"] == "finished"
    assert third == {"folder": "03-characteristics", "state": "waiting", "failures": {}}
    assert second["tasks"]["map"] == {"done": 3, "of": 3}
    assert second["tasks"]["write"] == {"done": 0, "of": 3}
    assert second["failures"] == {"map 1": ["its process was killed"]}
    assert second["peak_bytes_of_a_worker"] > 10_000_000
    assert json.loads((corpus / "out" / "02-extract" / "status.json").read_text()).items() <= second.items()
    assert "extract: extract candidate pairs" in lines
    assert "map 1: its process was killed." in lines


def test_rates_are_those_of_the_stage(corpus: Path) -> None:
    seen = [one["extract"] for one in run(corpus, stops=False, lines=[]).seen if "tasks" in one["extract"]]
    of_map = next(one for one in seen if one["stage"] == "map")
    assert of_map["state"] == "running"
    assert of_map["tasks_per_second"] > 0
    assert of_map["sentences_per_second"] > of_map["tasks_per_second"]
    assert of_map["seconds_left_in_stage"] == 0
    assert next(one for one in seen if one["stage"] == "write")["sentences_per_second"] == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_all_steps_on_one_page(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rich")
    terminal, lines = Terminal(), list[str]()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "xterm")
    run(corpus, stops=False, lines=lines)
    last = terminal.getvalue().rpartition("Failures")[2]
    rows = {line.split()[0]: line.split() for line in last.splitlines() if line.strip()}
    for name, tasks in (("tokenise", ["1", "of", "1"]), ("characteristics", ["4", "of", "4"])):
        assert rows[name][1:5] == ["finished", *tasks]
    assert rows["extract"][-1] == "1"
    assert "map 1: its process was killed" in last
    assert not lines


def test_a_worker_does_without_pandas() -> None:
    pytest.importorskip("pandas")
    program = (
        "import sys, pyarrow as pa; from paragold.shards.tasks import save_memory; save_memory();"
        "table = pa.table({'a': [1]}); print('pandas' in sys.modules, len(table.to_pandas()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "1"]
