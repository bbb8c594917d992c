import subprocess
import sys

from paragold import __version__
from scripts.bootstrap import Environment


def test_the_program_runs_this_clone_from_any_folder(tmp_path):
    environment = Environment(tmp_path / "it's a clone")
    environment.python.parent.mkdir(parents=True)
    environment.python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    environment.python.chmod(0o755)
    program = environment.python.with_name("paragold")
    program.write_text("of a clone that was moved")
    environment.write_program()
    here = tmp_path / "here"
    here.mkdir()
    (here / "paragold.py").write_text("raise AssertionError('of the folder that the user is in')")
    (here / "pairs.tsv").write_text("A dam broke .\tThe dam broke .\n")
    (here / "link").symlink_to(program)
    done = subprocess.run(["./link", "--version"], cwd=here, capture_output=True, text=True, check=True)
    assert done.stdout == f"paragold {__version__}\n"
    align = ["align-words", "--input", "pairs.tsv", "--aligner", "identity", "--output", "my links"]
    subprocess.run([program, *align], cwd=here, check=True, capture_output=True)
    assert (here / "my links").read_text().strip() == "1-1 2-2 3-3"
    assert subprocess.run([program, "no-command"], cwd=here, capture_output=True, check=False).returncode == 2
