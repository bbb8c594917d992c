import os
import stat

import pytest

from ops.launcher.installation import Installation, LauncherError, Login


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
