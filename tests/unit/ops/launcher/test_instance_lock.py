import json
import os
import subprocess
import sys

import pytest

from ops.launcher.errors import LauncherError
from ops.launcher.instance_lock import InstanceLock, holder


def test_second_launcher_is_told_where_the_first_is(tmp_path):
    path = tmp_path / "running.lock"
    first = InstanceLock(path)
    first.acquire(url="http://127.0.0.1:8000")
    assert holder(path) == "http://127.0.0.1:8000"
    with pytest.raises(LauncherError) as caught:
        InstanceLock(path).acquire(url="http://127.0.0.1:8001")
    assert str(caught.value) == (
        f"Paragold is already running from this folder: http://127.0.0.1:8000 (process {os.getpid()}). "
        "Stop it with Ctrl-C in its terminal."
    )
    first.release()
    assert holder(path) is None


def test_lock_of_a_dead_launcher_is_taken_over(tmp_path):
    path = tmp_path / "running.lock"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path.write_text(json.dumps({"pid": gone.pid, "url": "http://127.0.0.1:8000"}))
    lock = InstanceLock(path)
    lock.acquire(url="http://127.0.0.1:9000")
    assert json.loads(path.read_text()) == {"pid": os.getpid(), "url": "http://127.0.0.1:9000"}
    lock.release()


def test_children_of_a_dead_launcher_are_waited_for(tmp_path):
    """The guardian holds the lock for as long as a child lives; the next start waits for it."""
    path = tmp_path / "running.lock"
    first = InstanceLock(path)
    first.acquire(url="http://127.0.0.1:8000")
    heir = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(0.6)"], pass_fds=(first.descriptor,)
    )
    path.write_text(json.dumps({"pid": 2**22 + 1, "url": "gone"}))
    os.close(first.descriptor)
    second = InstanceLock(path)
    second.acquire(url="http://127.0.0.1:8000", patience=120)
    assert heir.wait() == 0
    second.release()


def test_no_file_means_nothing_runs(tmp_path):
    assert holder(tmp_path / "running.lock") is None
