"""The columns of a table are read from the beginning of the file alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paragold.formats.tables import TableRows, read_head
from paragold.formats.text_files import HEAD_BYTES
from paragold.problems import FileProblem

# Half of a surrogate pair: what reads it fails.
BROKEN = b"\x00\xd8" * 4


@pytest.mark.parametrize(
    ("encoding", "broken"), [("utf-16", BROKEN), ("utf-8", b"\xff" * 8), ("utf-16-le", BROKEN)]
)
def test_nothing_beyond_the_beginning_is_read(tmp_path: Path, encoding: str, broken: bytes) -> None:
    path = tmp_path / "table.csv"
    rows = "cluster,text\r\n" + "a,Some words of text.\r\n" * (HEAD_BYTES // 20)
    path.write_bytes(rows.encode(encoding) + broken)
    os.truncate(path, 1 << 32)
    head = read_head(path, encoding=encoding)
    assert head.columns == ("cluster", "text")
    assert head.rows == (("a", "Some words of text."),) * 5


def test_a_row_that_is_cut_off_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for row in ("b," + "x" * HEAD_BYTES, 'b,"' + "x\n" * HEAD_BYTES + '"'):
        path.write_text(f"cluster,text\na,Short.\n{row}\n")
        assert read_head(path).rows == (("a", "Short."),)


def test_a_first_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a," * HEAD_BYTES)
    with pytest.raises(FileProblem, match="longer than"):
        read_head(path)
    # Messages are short, whatever the columns are called.
    path.write_text(f"{'x' * 20_000},{'x' * 20_000}\n1,2\n")
    with pytest.raises(FileProblem) as error:
        read_head(path)
    assert len(error.value.message) < 150


def test_a_row_in_another_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"cluster,text\n" + b"a,Short.\n" * HEAD_BYTES + b"a,caf\xe9\n")
    problems: list[FileProblem] = []
    assert len(list(TableRows(path, problems))) >= HEAD_BYTES - 2_000
    [problem] = problems
    assert (problem.line, problem.column) == (HEAD_BYTES + 2, 6)
