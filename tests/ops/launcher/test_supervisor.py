import errno
import os
import time
from unittest.mock import Mock

import pytest

from ops.launcher.installation import LauncherError
from ops.launcher.supervisor import LogFile, Patience, Program, Supervisor
from ops.launcher.tether import Tether
from tests.processes import SLEEPER, STUBBORN_FAMILY, python, runs, within

# However busy the machine is, a child that ends by itself dies quickly.
HASTE = Patience(quick=600.0, first_wait=0.01, longest_wait=0.02)


@pytest.fixture
def rope():
    tether = Tether(grace=0.2)
    yield tether
    tether.close()


def supervise(tmp_path, rope, said, *commands, patience=HASTE, essential=None):
    programs = [
        Program(f"child {number}", command, tmp_path / f"{number}.log", essential=needed)
        for number, (command, needed) in enumerate(
            zip(commands, essential or [True] * len(commands), strict=True)
        )
    ]
    return Supervisor(programs, rope, report=said.append, patience=patience)


def test_five_quick_deaths_end_it_with_the_tail_of_the_log(tmp_path, rope):
    said: list[str] = []
    program = "import sys; print('database is on fire', flush=True); sys.exit(3)"
    supervisor = supervise(tmp_path, rope, said, python(program))
    supervisor.start()

    def tend_for_ever():
        while True:
            supervisor.check_children()
            time.sleep(0.01)

    with pytest.raises(
        LauncherError, match=r"(?s)ended 5 times in a row \(exit code 3\).*database is on fire"
    ):
        tend_for_ever()
    assert len(said) == 4
    supervisor.stop()


def test_a_long_life_forgives_earlier_deaths(tmp_path, rope):
    said: list[str] = []
    patience = Patience(quick=0.0, first_wait=0.01, longest_wait=0.02, quick_deaths=2)
    supervisor = supervise(tmp_path, rope, said, python("pass"), patience=patience)
    supervisor.start()

    def died_often():
        supervisor.check_children()
        return len(said) >= 4

    assert within(died_often)
    supervisor.stop()


def test_stop_kills_a_family_that_minds_no_sigterm(tmp_path, rope):
    supervisor = supervise(tmp_path, rope, [], python(STUBBORN_FAMILY, tmp_path / "family"), python(SLEEPER))
    supervisor.start()
    assert within((tmp_path / "family").exists)
    family = [int(pid) for pid in (tmp_path / "family").read_text().split()]
    supervisor.stop(grace=0.5)
    assert within(lambda: not any(map(runs, family)))
    assert all(child.process is None for child in supervisor.children)


def test_errors_in_the_log_reach_the_terminal_and_floods_are_counted(tmp_path, rope):
    said: list[str] = []
    program = "import time\nfor n in range(10): print('ERROR', n)\nprint('INFO', flush=True)\ntime.sleep(600)"
    supervisor = supervise(tmp_path, rope, said, python(program))
    supervisor.start()

    def has_spoken():
        supervisor.check_children()
        return bool(said)

    assert within(has_spoken)
    assert said[:3] == ["child 0: ERROR 0", "child 0: ERROR 1", "child 0: ERROR 2"]
    assert said[3] == f"child 0: 7 more errors in {tmp_path / '0.log'}"
    supervisor.stop()


def write(log, text):
    descriptor = log.open()
    os.write(descriptor, text.encode())
    os.close(descriptor)


def test_only_new_whole_lines_of_level_error_are_shown(tmp_path):
    path = tmp_path / "web.log"
    path.write_text("2026-01-01 ERROR of the last run\n")
    log = LogFile(path)
    write(log, "2026-01-02 10:00:00,000 INFO corpus: an ERROR counter is fine " + "x" * 60 + "\n")
    write(log, "2026-01-02 10:00:00,000 ERROR django.request: first\n[2026-01-02 +0000] [12] [ERROR] half")
    assert log.new_errors() == ["2026-01-02 10:00:00,000 ERROR django.request: first"]
    write(log, " a line\n")
    assert log.new_errors() == ["[2026-01-02 +0000] [12] [ERROR] half a line"]
    assert log.new_errors() == []


def test_rotation_keeps_so_many_files_and_the_child_writes_on(tmp_path):
    log = LogFile(tmp_path / "worker.log", limit=10, keep=2)
    descriptor = log.open()
    for number in range(4):
        os.write(descriptor, f"{number}: ERROR enough\n".encode())
        assert log.new_errors() == [f"{number}: ERROR enough"]
        log.rotate()
    os.close(descriptor)
    assert log.path.read_text() == ""
    assert (tmp_path / "worker.log.1").read_text() == "3: ERROR enough\n"
    assert (tmp_path / "worker.log.2").read_text() == "2: ERROR enough\n"
    assert not (tmp_path / "worker.log.3").exists()


def test_a_full_disk_ends_no_rotation_and_loses_no_older_file(tmp_path, monkeypatch):
    log = LogFile(tmp_path / "web.log", limit=10, keep=2)
    write(log, "a first line\n")
    log.rotate()
    write(log, "a second line\n")
    monkeypatch.setattr("shutil.copy2", Mock(side_effect=OSError(errno.ENOSPC, "full")))
    log.rotate()
    assert log.path.read_text() == ""
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["web.log", "web.log.1"]
    assert (tmp_path / "web.log.1").read_text() == "a first line\n"
