"""The program `paragold` as somebody types it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from paragold.cli.main import COMMANDS

from .conftest import Done

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
        "import paragold.aligners.registry as r; r.all_parameters()",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code: str) -> None:
    assert loaded_by(code) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name: str, paragold: Callable[..., Done]) -> None:
    done = paragold(name, "--help")
    assert done.status == 0
    assert f"usage: paragold {name}" in done.out
    assert import_module(f"paragold.cli.{name.replace('-', '_')}").HELP
    assert name in paragold().out


def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "extract-everything" in refused("extract-everything")
    source = tmp_path / "articles.jsonl"
    source.write_text('{"cluster_id": \n')
    printed = refused(
        "extract-pairs", "--input", source, "--output", tmp_path / "pairs.tsv", "--processes", 1
    )
    assert printed.startswith(f"{source}, line 1, column ")
    assert "Traceback" not in printed


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
