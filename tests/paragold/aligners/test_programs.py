import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paragold.aligners import programs
from paragold.aligners.programs import Eflomal, Giza, ProgramError, RunFolder, watched
from tests.paragold.aligners import fake_giza
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
from paragold.aligners.programs import RunFolder
with RunFolder() as folder:
    print(folder.path, flush=True)
    folder.run([sys.executable, "-c", os.environ["FAMILY"]], os.environ)
"""


def family(folder):
    wait_until((folder / "numbers").exists, 60, "the family runs")
    return [int(number) for number in (folder / "numbers").read_text().split()]


class Unwanted(Exception):
    pass


def test_a_cancelled_program_is_stopped(monkeypatch):
    monkeypatch.setattr(programs, "WATCHED_EVERY_SECONDS", 0.01)
    with RunFolder() as folder:
        numbers = []

        def watch():
            numbers.extend(family(folder.path))
            raise Unwanted

        with pytest.raises(Unwanted), watched(watch):
            folder.run([sys.executable, "-c", FAMILY], os.environ)
        wait_until(lambda: not any(map(runs, numbers)), 60, "the family has ended")
    assert len(numbers) == 2
    assert not folder.path.exists()


def test_kill_9_leaves_neither_program_nor_folder(tmp_path):
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


def test_a_program_that_takes_too_long_or_cannot_be_run(monkeypatch):
    monkeypatch.setattr(programs, "WATCHED_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(programs, "TIMEOUT_SECONDS", 0)
    with RunFolder() as folder:
        with pytest.raises(ProgramError, match="took longer than 0 seconds"):
            folder.run([sys.executable, "-c", FAMILY], os.environ)
        with pytest.raises(ProgramError, match="cannot be run"):
            folder.run([str(folder.path / "nothing")], os.environ)
    assert not folder.path.exists()


PAIRS = [
    (["The", "dog", "barked"], ["A", "dog"]),
    ([], ["empty"]),
    (["({", "1", "})", "x"], ["NULL", "({"]),
    (["long"] * 101, ["long"]),
    (["ein", "ß"], ["a", "ß", "c"]),
]
DIAGONAL = [[(0, 0), (1, 1)], [], [(0, 0), (1, 1)], [], [(0, 0), (1, 1)]]


@pytest.mark.parametrize("linking", ["intersection", "union", "grow-diag-final-and"])
def test_giza_with_its_traps(program_path, monkeypatch, linking):
    monkeypatch.delenv("USER", raising=False)
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    monkeypatch.setenv("TMPDIR", str(program_path.parent))
    fake_giza.install(program_path)
    links = Giza(linking=linking).fit([(["more"], ["text"]), ([], ["x"])]).draw(PAIRS)
    # No shift after the empty side and the pair that is too long, which have no links.
    assert links == DIAGONAL
    assert sorted(entry.name for entry in program_path.parent.iterdir()) == ["bin"]


def test_what_giza_leaves_out_is_noticed_and_its_parts_come_in_any_order(program_path):
    fake_giza.install(program_path, giza=fake_giza.GIZA.replace("start=1", "start=2"))
    with pytest.raises(ProgramError, match=r"aligned \d+ of \d+ pairs"):
        Giza().draw(PAIRS)
    part = "# Sentence pair (%d) source length 1\na\nNULL ({ }) a ({ 1 })\n"
    assert programs._a3_links(part % 2 + part % 1, 2) == [[(0, 0)], [(0, 0)]]


def test_eflomal_and_what_installs_it(program_path):
    assert "pip install -r requirements-eflomal.txt" in Eflomal().install_hint()
    assert "git clone" in Giza().install_hint() and not Eflomal().is_available()
    fake_giza.install(program_path)
    fake_giza.install_eflomal(program_path)
    assert Eflomal().is_available() and Giza().is_available()
    links = Eflomal().fit([(["more"], ["text"])]).draw(PAIRS)
    assert links == [*DIAGONAL[:3], [(0, 0)], DIAGONAL[4]]
    fake_giza.install_eflomal(program_path, lines_lost=1)
    with pytest.raises(ProgramError, match="its links are unusable"):
        Eflomal().draw(PAIRS)
