"""Programs and their folders: stopped, killed, failed, nothing of them stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paragold.aligners import program_runs
from paragold.aligners.program_runs import ProgramError, RunFolder, watched
from tests.processes import REPOSITORY, runs, wait_until

# Starts a child of its own, as eflomal-align does, writes both numbers into its folder, and waits.
FAMILY = """
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("numbers.part").write_text(f"{os.getpid()} {child.pid}")
os.rename("numbers.part", "numbers")
time.sleep(600)
"""
# Runs the family and says in which folder.
KILLED = """
import os, sys
from paragold.aligners.program_runs import RunFolder
with RunFolder() as folder:
    print(folder.path, flush=True)
    folder.run([sys.executable, "-c", os.environ["FAMILY"]], os.environ)
"""


def family(folder: Path) -> list[int]:
    wait_until((folder / "numbers").exists, 60, "the family runs")
    return [int(number) for number in (folder / "numbers").read_text().split()]


class Unwanted(Exception):
    pass


def test_a_cancelled_program_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_runs, "WATCHED_EVERY_SECONDS", 0.01)
    with RunFolder() as folder:
        numbers = []

        def watch() -> None:
            numbers.extend(family(folder.path))
            raise Unwanted

        with pytest.raises(Unwanted), watched(watch):
            folder.run([sys.executable, "-c", FAMILY], os.environ)
        wait_until(lambda: not any(map(runs, numbers)), 60, "the family has ended")
    assert len(numbers) == 2
    assert not folder.path.exists()


def test_kill_9_leaves_neither_program_nor_folder(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED],
        cwd=REPOSITORY,
        env=os.environ | {"FAMILY": FAMILY, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().decode().strip())
        numbers = family(folder)
        os.killpg(process.pid, signal.SIGKILL)
    wait_until(lambda: not any(map(runs, numbers)) and not folder.exists(), 60, "all is cleared away")
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_takes_too_long_or_cannot_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_runs, "WATCHED_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(program_runs, "TIMEOUT_SECONDS", 0)
    with RunFolder() as folder:
        with pytest.raises(ProgramError, match="took longer than 0 seconds"):
            folder.run([sys.executable, "-c", FAMILY], os.environ)
        with pytest.raises(ProgramError, match="cannot be run"):
            folder.run([str(folder.path / "nothing")], os.environ)
    assert not folder.path.exists()


def test_output_errors_and_temporary_files_lie_in_the_folder() -> None:
    program = "import os, sys, tempfile; print(tempfile.gettempdir()); sys.exit('a\\n' + 9000 * 'b' + 'end')"
    with RunFolder() as folder:
        with pytest.raises(ProgramError) as error:
            folder.run([sys.executable, "-c", program], os.environ)
        assert str(error.value).endswith("bend") and len(str(error.value)) < 600
        assert (folder.path / "output").read_text().strip() == str(folder.path)
