"""The program `paragold` as somebody types it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from paragold.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[3]
HEAVY = ("numpy", "scipy", "sklearn", "nltk", "numba", "pyarrow", "pandas", "django", "celery")
SENTENCES = {
    "one": "A heavy storm hit the northern coast of the island late on Monday evening .",
    "two": "A strong storm struck the northern coast of the island on Monday night .",
}


def loaded_by(code: str) -> list[str]:
    """The heavy packages that a fresh process has loaded after this code."""
    program = (
        f"import json, sys\n{code}\nprint(json.dumps([name for name in {HEAVY} if name in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1])
    return loaded


@pytest.mark.parametrize(
    "code",
    [
        "import paragold",
        "from paragold.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "import paragold.formats.link_files, paragold.formats.pairs.files",
        "import paragold.spec, paragold.frames",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code: str) -> None:
    assert loaded_by(code) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])

    assert ended.value.code == 0
    assert f"usage: paragold {name}" in capsys.readouterr().out
    module = import_module(f"paragold.cli.{name.replace('-', '_')}")
    assert module.HELP


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])

    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["extract-everything"])

    assert ended.value.code == 2
    assert "extract-everything" in capsys.readouterr().err


def test_pairs_are_extracted_without_django(tmp_path: Path) -> None:
    source, output = tmp_path / "articles.jsonl", tmp_path / "pairs.tsv"
    articles = [{"id": key, "sentences": [text], "tokenised": True} for key, text in SENTENCES.items()]
    source.write_text(json.dumps({"cluster_id": "storm", "articles": articles}) + "\n")
    arguments = ["extract-pairs", "--input", str(source), "--output", str(output), "--processes", "1"]

    done = subprocess.run(
        [sys.executable, "-m", "paragold", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "pairs kept" in done.stdout
    [_, pair] = output.read_text().splitlines()
    assert pair.startswith("storm\tone\t0\ttwo\t0\t")


def test_what_is_wrong_with_a_file_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "articles.jsonl"
    source.write_text('{"cluster_id": \n')
    arguments = ["--input", str(source), "--output", str(tmp_path / "pairs.tsv"), "--processes", "1"]

    assert main(["extract-pairs", *arguments]) == 1

    printed = capsys.readouterr().err
    assert printed.startswith(f"{source}, line 1, column ")
    assert "Traceback" not in printed
