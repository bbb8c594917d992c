import os
import signal
import subprocess
import sys

import pytest

from ops.launcher import tether
from ops.launcher.installation import REPOSITORY
from tests.processes import PATIENCE, SLEEPER, STUBBORN_FAMILY, python, runs, within

LAUNCHER = """
import sys, time
from ops.launcher.tether import Tether
tether = Tether(grace=0.5)
tether.start(sys.argv[1:])
time.sleep(600)
"""


@pytest.fixture
def family_file(tmp_path):
    path = tmp_path / "family"
    yield path
    for pid in path.read_text().split() if path.exists() else []:
        if runs(int(pid)):
            os.kill(int(pid), signal.SIGKILL)


def test_kill_9_of_the_launcher_leaves_nobody(family_file):
    """Not even a child, and its child, that do not mind SIGTERM."""
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, *python(STUBBORN_FAMILY, family_file)], cwd=REPOSITORY
    ) as launcher:
        assert within(family_file.exists)
        family = [int(pid) for pid in family_file.read_text().split()]
        assert len(family) == 2
        assert all(map(runs, family))
        launcher.kill()
    assert within(lambda: not any(map(runs, family)))


def test_close_stops_what_still_runs():
    rope = tether.Tether(grace=5)
    child = rope.start(python(SLEEPER))
    rope.close()
    assert child.wait(timeout=PATIENCE) == -signal.SIGTERM


def test_forgotten_group_is_left_alone():
    rope = tether.Tether(grace=0.2)
    child = rope.start(python("print('up', flush=True);" + SLEEPER), stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"  # it has announced itself by now
    rope.forget(child.pid)
    rope.close()
    try:
        assert child.poll() is None
    finally:
        child.kill()
        child.communicate()


def test_child_leads_a_group_of_its_own_and_takes_its_exit_code_along():
    rope = tether.Tether()
    program = "import os, sys; sys.exit(7 if os.getpgrp() == os.getpid() != os.getppid() else 1)"
    assert rope.start(python(program)).wait(timeout=PATIENCE) == 7
    rope.close()


def test_program_that_does_not_exist_is_named(tmp_path):
    rope = tether.Tether()
    child = rope.start([str(tmp_path / "no-such-program")], stderr=subprocess.PIPE)
    _, words = child.communicate(timeout=PATIENCE)
    assert child.returncode == 127
    assert "no-such-program: No such file or directory" in words.decode()
    rope.close()


def test_a_forked_module_leads_a_group_and_has_only_the_descriptors_that_are_passed(tmp_path):
    rope = tether.Tether()
    kept, other = os.pipe()
    with (tmp_path / "log").open("wb") as log:
        command = ("tests.ops.launcher.forked", "a", "b")
        child = rope.fork(command, name="a name", output=log.fileno(), pass_fds=(kept,))
        assert within(lambda: child.poll() is not None)
    assert child.poll() == 7
    group, words, descriptors = (tmp_path / "log").read_text().splitlines()
    assert group == f"{child.pid} {child.pid}" and words == "a b"
    assert str(kept) in descriptors.split() and str(other) not in descriptors.split()
    rope.close()
    os.close(kept)
    os.close(other)
