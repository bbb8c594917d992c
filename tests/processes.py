"""Small programs and servers, whether a process still runs, and patience with what takes a while."""

import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

REPOSITORY = Path(__file__).resolve().parents[1]

SLEEPER = "import time; time.sleep(600)"
# Writes its own and its child's process id, and neither minds SIGTERM.
STUBBORN_FAMILY = """
import os, pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child:
    pathlib.Path(sys.argv[1] + ".part").write_text(f"{os.getpid()} {child}")
    os.rename(sys.argv[1] + ".part", sys.argv[1])
time.sleep(600)
"""


# Seconds that what is waited for may take, many times what an idle machine needs.
PATIENCE = 300


def python(program, *arguments):
    return [sys.executable, "-I", "-S", "-c", program, *map(str, arguments)]


def runs(pid):
    """Zombies do not run: who collects them is up to the machine's first process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z" if stat.parent.parent.exists() else True
    except OSError:
        return False


def within(condition, seconds=PATIENCE):
    """Whether it comes true; asked more seldom the longer that takes, since others need the processor."""
    deadline, pause = time.monotonic() + seconds, 0.02
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(1.2 * pause, 0.1)
    return True


def wait_until(true, seconds, what):
    """Poll until `true()`; fails the test when it takes longer than `seconds`."""
    if not within(true, seconds):
        raise AssertionError(f"Not within {seconds} s: {what}")


@contextmanager
def served(server):
    """A server that answers while the block runs."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
