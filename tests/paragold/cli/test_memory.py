import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FEW, MANY = 3_000, 30_000
ALLOWED_MB = 25
"""30,000 pairs of the test take 40 MB and more where a command holds them all."""


def peak_mb(*arguments):
    """The largest memory of a command that ended well."""
    program = [sys.executable, "-m", "paragold", *map(str, arguments)]
    process = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)


@pytest.fixture
def pairs(tmp_path):
    """Writes a file of so many pairs, all of them different."""

    def write(count):
        path = tmp_path / f"{count}.tsv"
        words = "a heavy storm hit the northern coast of the island late on monday evening and broke the"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{words} dam of {n}\t{n} {words} dam\n" for n in range(count))
        return path

    return write


def test_memory_does_not_grow_with_the_file(pairs, tmp_path):
    command = ("align-words", "--aligner", "identity", "--input")
    few, many = (
        peak_mb(*command, pairs(count), "--output", tmp_path / f"out.{count}") for count in (FEW, MANY)
    )
    assert many - few < ALLOWED_MB
    lines = [(tmp_path / f"out.{count}").read_text().splitlines() for count in (FEW, MANY)]
    assert lines[0] == lines[1][: len(lines[0])]
