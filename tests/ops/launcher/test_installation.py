import json
import os
import stat
import subprocess
import sys

import pytest

from ops.launcher.installation import Installation, InstanceLock, LauncherError, Login, holder


@pytest.fixture
def installation(tmp_path, monkeypatch):
    monkeypatch.delenv("PARAGOLD_SECRET_KEY", raising=False)
    return Installation(tmp_path / "var")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_create_makes_private_folders_and_key(installation):
    installation.create(again="make demo")
    assert mode(installation.var) == 0o700
    assert (installation.var / "uploads").is_dir()
    assert mode(installation.secret_key_file) == 0o600
    assert len(installation.secret_key_file.read_text().strip()) >= 50


def test_key_cut_off_by_a_full_disk_is_made_anew(installation):
    installation.create(again="make demo")
    installation.secret_key_file.write_text("")
    installation.create(again="make demo")
    key = installation.secret_key_file.read_text()
    assert len(key) >= 50
    installation.create(again="make demo")
    assert installation.secret_key_file.read_text() == key


def test_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(
        LauncherError, match=r"Cannot write in .*PARAGOLD_VAR=/some/folder make demo"
    ) as caught:
        Installation(tmp_path / "file" / "var").create(again="make demo")
    assert "\n" not in str(caught.value)


def test_a_socket_whose_name_would_be_too_long_is_in_a_private_folder(tmp_path):
    deep = Installation(tmp_path / ("x" * 100))
    folder = deep.queue_socket.parent
    assert len(os.fsencode(deep.queue_socket)) < 104
    try:
        deep.create(again="make demo")
        assert mode(folder) == 0o700
        folder.chmod(0o755)
        with pytest.raises(LauncherError, match="belongs to somebody else"):
            deep.create(again="make demo")
    finally:
        folder.rmdir()


def test_logins_are_appended_and_private(installation):
    installation.create(again="make demo")
    installation.keep_logins([])
    assert not installation.logins_file.exists()
    installation.keep_logins([Login("manager", "manager", "one")])
    installation.keep_logins([Login("admin", "admin", "two")])
    assert mode(installation.logins_file) == 0o600
    lines = installation.logins_file.read_text().split("\n")
    assert [line.split() for line in lines[:2]] == [["manager", "manager", "one"], ["admin", "admin", "two"]]


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
