"""The worker's supervisor: forked processes that die, stop or end are replaced, and none is left behind."""

import os
import signal
import subprocess
import sys

import pytest

from ops.launcher.installation import REPOSITORY
from tests.processes import PATIENCE, runs, within

# Two processes that write down who they are and beat every 10 ms.
PROGRAM = """
import os, pathlib, sys, time
from ops.workers.supervisor import Patience, Slot, Supervisor

folder = pathlib.Path(sys.argv[1])

def run(slot, pulse):
    (folder / f"{slot.number}-{os.getpid()}").touch()
    while not (folder / "end").exists():
        pulse()
        time.sleep(0.01)
    return 0

patience = Patience(first_wait=0.01, longest_wait=0.02, pulse=float(sys.argv[2]))
sys.exit(Supervisor([Slot(n, short_only=False) for n in (1, 2)], run, patience=patience).run())
"""


class Running:
    def __init__(self, folder, pulse):
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder), str(pulse)], cwd=REPOSITORY, start_new_session=True
        )

    def slot(self, number):
        """The processes that have been in this slot."""
        return [int(path.name.split("-")[1]) for path in self.folder.glob(f"{number}-*")]

    def are_there(self):
        return all(self.slot(number) for number in (1, 2))


@pytest.fixture
def running(tmp_path, request):
    running = Running(tmp_path, getattr(request, "param", 600.0))
    assert within(running.are_there)
    yield running
    if running.process.poll() is None:
        os.killpg(running.process.pid, signal.SIGKILL)
    running.process.wait()


def test_a_killed_process_is_replaced_and_the_other_left_alone(running):
    [first] = running.slot(1)
    os.kill(first, signal.SIGKILL)
    assert within(lambda: len(running.slot(1)) == 2)
    assert len(running.slot(2)) == 1 and runs(running.slot(2)[0])


@pytest.mark.parametrize("running", [1.0], indirect=True)
def test_a_stopped_process_is_killed_and_replaced(running):
    [first] = running.slot(1)
    os.kill(first, signal.SIGSTOP)
    assert within(lambda: len(running.slot(1)) == 2)
    assert not runs(first)


def test_sigterm_ends_all_of_them_cleanly(running):
    processes = running.slot(1) + running.slot(2)
    running.process.terminate()
    assert running.process.wait(timeout=PATIENCE) == 0
    assert not any(map(runs, processes))
