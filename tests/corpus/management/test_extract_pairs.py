"""The pairs of a file, written by the management command."""

from __future__ import annotations

import io
from pathlib import Path

from django.core.management import call_command

from tests.factories.news import DEMO


def from_file(output: Path, *options: str) -> bytes:
    arguments = ["--preset", "L12-2004", "--input", str(DEMO), "--output", str(output), *options]
    call_command("extract_pairs", *arguments, stdout=io.StringIO())
    return output.read_bytes()


def test_a_file_gives_the_same_bytes_with_one_process(tmp_path: Path) -> None:
    default = from_file(tmp_path / "pairs.tsv")
    assert default.count(b"\n") > 100
    assert from_file(tmp_path / "pairs.tsv", "--processes", "1") == default
