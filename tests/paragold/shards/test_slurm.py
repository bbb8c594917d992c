"""Shards as arrays of Slurm jobs, run by a scheduler of the test."""

from __future__ import annotations

import json
import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from paragold.cli.main import main
from paragold.extraction.presets import PRESETS
from tests.paragold.shards.corpora import as_lines, by_one_process, news, written

ROOT = Path(__file__).parents[3]

# Runs every job of an array at once, each after the jobs that it depends on; `lost` names a stage to lose.
SBATCH = """#!{python}
import json, os, pathlib, re, subprocess, sys
state = pathlib.Path({state!r})
calls = json.loads(state.read_text()) if state.exists() else []
options, script = sys.argv[1:-1], sys.argv[-1]
failed = [call["id"] for call in calls if call["failed"]]
depends = [option.rpartition(":")[2] for option in options if option.startswith("--dependency=afterok:")]
call = {{"id": str(100 + len(calls)), "options": options, "script": script, "failed": False}}
if set(depends) & set(failed) or os.path.basename(script) == os.environ.get("LOST", "") + ".sh":
    call["failed"] = True
else:
    [array] = [option for option in options if option.startswith("--array=")]
    first, last = map(int, re.match(r"--array=(\\d+)-(\\d+)", array).groups())
    for index in range(first, last + 1):
        environment = os.environ | {{"SLURM_ARRAY_TASK_ID": str(index), "PYTHONPATH": {root!r}}}
        done = subprocess.run(["sh", script], env=environment)
        call["failed"] |= done.returncode != 0
state.write_text(json.dumps([*calls, call]))
print(call["id"] + ";cluster")
"""
SQUEUE = """#!/bin/sh
cat {queue} 2>/dev/null || true
"""


@pytest.fixture
def scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a scheduler: `calls.json` has what was submitted, `queue` what waits."""
    folder = tmp_path / "slurm bin"
    folder.mkdir()
    programs = {
        "sbatch": SBATCH.format(python=sys.executable, state=str(folder / "calls.json"), root=str(ROOT)),
        "squeue": SQUEUE.format(queue=f"'{folder / 'queue'}'"),
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def extract(source: Path, out: Path, *more: str) -> int:
    options = ["--preset", "L12-2004", "--engine", "slurm", "--shards", "2"]
    return main(["extract-pairs", "--input", str(source), "--output", str(out), *options, *more])


def test_an_array_for_each_stage(
    scheduler: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = as_lines(news(21), seed=2)
    expected, _ = by_one_process(tmp_path, lines, PRESETS["L12-2004"].criteria)
    source, out = written(tmp_path / "a.jsonl", lines), tmp_path / "the pairs"
    monkeypatch.setattr("paragold.shards.slurm.ARRAY_TASKS", 1)
    monkeypatch.setenv("LOST", "reduce")

    assert extract(source, out, "--workers", "1", "--sbatch=--mem=1G") == 0
    calls = json.loads((scheduler / "calls.json").read_text())
    assert [Path(call["script"]).stem for call in calls] == ["split", "map", "reduce", "write", "finish"]
    assert [call["failed"] for call in calls] == [False, False, True, True, True]
    assert all("--array=0-0%1" in call["options"] and "--mem=1G" in call["options"] for call in calls)
    assert not (out / "manifest.json").exists()

    (scheduler / "queue").write_text("103 103\n")
    capsys.readouterr()
    assert extract(source, out, "--resume") == 1
    assert "Jobs of this run are in the queue: 103." in capsys.readouterr().err
    (scheduler / "queue").unlink()

    monkeypatch.delenv("LOST")
    assert extract(source, out, "--resume") == 0
    calls = json.loads((scheduler / "calls.json").read_text())
    assert [Path(call["script"]).stem for call in calls[5:]] == ["reduce", "write", "finish"]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()

    capsys.readouterr()
    assert extract(source, out, "--resume") == 0
    assert "The run is finished." in capsys.readouterr().out


def test_without_a_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    source = written(tmp_path / "a.jsonl", as_lines(news(1)))
    assert extract(source, tmp_path / "out") == 1
    assert "sbatch cannot be run (No such file or directory)" in capsys.readouterr().err


def test_a_problem_of_an_input_is_in_the_job_s_output(scheduler: Path, tmp_path: Path, capfd) -> None:
    source = written(tmp_path / "a.jsonl", ['{"cluster_id": 7}'])
    assert extract(source, tmp_path / "out") == 0
    calls = json.loads((scheduler / "calls.json").read_text())
    assert [call["failed"] for call in calls] == [True] * 5


def test_the_last_job_of_a_step_submits_the_next_step(
    scheduler: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = as_lines(news(21), seed=2)
    expected, _ = by_one_process(tmp_path, lines, PRESETS["L12-2004"].criteria)
    written(tmp_path / "a.jsonl", lines)
    plan, out = tmp_path / "plan.yaml", tmp_path / "out"
    plan.write_text(
        "steps:\n  - {step: tokenise, input: a.jsonl}\n  - {step: extract, preset: L12-2004, shards: 1}\n"
    )
    command = ["run-plan", str(plan), "--output", str(out), "--engine", "slurm", "--sbatch=--mem=1G"]

    assert main(command) == 0
    calls = json.loads((scheduler / "calls.json").read_text())
    assert all("--mem=1G" in call["options"] for call in calls)
    manifest = json.loads((out / "02-extract" / "manifest.json").read_text())
    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
    capsys.readouterr()
    assert main(command) == 1
    assert "--resume" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 0
    assert "The run is finished." in capsys.readouterr().out
