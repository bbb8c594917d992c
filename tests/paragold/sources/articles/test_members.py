import zipfile

import pytest

from paragold.problems import FileProblem
from paragold.sources import archives
from paragold.sources.archives import ArchiveMembers


def packed(path, *files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return path


def refusal(path):
    with pytest.raises(FileProblem) as caught:
        list(ArchiveMembers(path))
    return caught.value.message


def test_members_come_by_name_and_what_systems_leave_does_not(tmp_path):
    path = packed(
        tmp_path / "a.zip",
        ("b/2.txt", b"two"),
        ("b/1.txt", b"one"),
        ("__MACOSX/b/1.txt", b"x"),
        ("b/.DS_Store", b"x"),
        ("b/", b""),
    )
    result = ArchiveMembers(path)
    assert result.names == ["b/1.txt", "b/2.txt"]
    assert list(result) == [("b/1.txt", b"one"), ("b/2.txt", b"two")]
    assert list(ArchiveMembers(packed(tmp_path / "empty.zip"))) == []


def test_bombs(tmp_path, monkeypatch):
    bomb = packed(tmp_path / "a.zip", ("a/zeros.txt", bytes(4 * 1024 * 1024)))
    assert "200 times" in refusal(bomb)
    monkeypatch.setattr(archives, "MEMBER_BYTES", 1024 * 1024)
    assert "larger than 1 MB" in refusal(bomb)
    monkeypatch.setattr(archives, "TOTAL_BYTES", 10)
    assert "unpacks to more" in refusal(
        packed(tmp_path / "b.zip", ("a/1.txt", b"1" * 9), ("a/2.txt", b"1" * 9))
    )
