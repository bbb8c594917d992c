from __future__ import annotations

from pathlib import Path

import pytest

from paragold.formats.text_files import read_text, split_lines, write_text
from paragold.formats.whole_files import whole_file, write_whole
from paragold.problems import FileProblem


def test_only_line_feeds_part_lines():
    odd = "a\u2028b\u0085\x0b\x0c\x1c"
    assert split_lines(f"{odd}\n\r\nc\r\r\nd") == [odd, "", "c\r", "d"]


@pytest.mark.parametrize(
    ("text", "lines"), [("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n", ["a", ""])]
)
def test_final_line_feed_closes_a_line(text, lines):
    assert split_lines(text) == lines


def test_byte_order_mark_is_dropped_in_reading(tmp_path):
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbf\xc3\xa9\n")
    assert read_text(tmp_path / "file") == "é\n"
    write_text(tmp_path / "file", "é\r\n")
    assert (tmp_path / "file").read_bytes() == b"\xc3\xa9\r\n"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"a\nb\ncaf\xe9\n", 3, "byte 0xE9"),
        (b"a\nb\0\n", 2, "a NUL character"),
        (b"PK\x03\x04\0", 0, "a zip archive"),
    ],
)
def test_what_is_not_text_is_refused_by_line(tmp_path, data, line, message):
    path = tmp_path / "file.tsv"
    path.write_bytes(data)
    with pytest.raises(FileProblem) as caught:
        read_text(path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert message in str(caught.value)


def test_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(FileProblem, match=r"absent.tsv: It cannot be read \(No such file or directory\)"):
        read_text(tmp_path / "absent.tsv")


def test_nothing_is_written_when_the_text_cannot_be(tmp_path):
    with pytest.raises(FileProblem, match=r"line 2: U\+DC80"):
        write_text(tmp_path / "file", "a\n\udc80\n")
    assert not (tmp_path / "file").exists()


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
