"""Files that are seen complete or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragold.formats.whole_files import whole_file, write_whole


def test_a_file_is_seen_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with whole_file(path) as first, whole_file(path) as second:
        first.write(b"1")
        second.write(b"2")
        assert path.read_text() == "old"
    assert path.read_text() == "1"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with pytest.raises(ZeroDivisionError), whole_file(path) as file:
        file.write(b"new")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
