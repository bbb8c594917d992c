import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path

import pytest

from paragold.cli.arguments import add_arguments, spec_from
from paragold.cli.console import run_command
from paragold.cli.main import COMMANDS, parser_of
from paragold.matching.specs import MatchingSpec
from paragold.spec import SpecError

ROOT = Path(__file__).parents[3]
HEAVY = ("numpy", "scipy", "sklearn", "nltk", "numba", "pyarrow", "pandas", "django", "celery")


def loaded_by(code, among=HEAVY):
    """Those of the packages that a fresh process has loaded after this code."""
    program = (
        f"import json, sys\n{code}\nprint(json.dumps([name for name in {among} if name in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "code",
    [
        "import paragold",
        "from paragold.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "import paragold.spec, paragold.tables, paragold.estimator",
        "import paragold.aligners.registry as r; r.all_parameters()",
        "import paragold.extraction.presets, paragold.extraction.selection, paragold.matching.specs",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code):
    assert loaded_by(code) == []
    assert code != "import paragold" or loaded_by(code, ("pydantic",)) == []


def test_an_extraction_loads_no_aligner_matching_metric_or_stemmer():
    others = ("paragold.aligners", "paragold.matching", "paragold.metrics", "snowballstemmer", "duckdb")
    extract = "import paragold.extraction.files; from paragold.cli.main import parser_of"
    assert loaded_by(f"{extract}; parser_of('extract-pairs')", others) == []
    assert loaded_by("import paragold.cli.pairs", (*HEAVY, *others, "paragold.sources")) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name, paragold):
    done = paragold(name, "--help")
    assert done.status == 0
    assert f"usage: paragold {name}" in done.out
    assert parser_of(name).description
    assert name in paragold().out


def test_a_terminal_shows_what_takes_long(monkeypatch, capsys):
    monkeypatch.setattr("paragold.cli.console.SILENT_SECONDS", 0.01)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    def work(options, console):
        """Work for a while."""
        console.progress("3 pairs")
        time.sleep(0.2)
        console.problem = "One is missing."
        return {"pairs": 3}, "Done."

    assert run_command((lambda parser: None, work), "work", ["--json"]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"pairs": 3}
    assert "3 pairs, 0 s" in printed.err and printed.err.endswith("One is missing.\n")


def parse(*words, leave_out=()):
    parser = ArgumentParser()
    add_arguments(parser, MatchingSpec, leave_out)
    return vars(parser.parse_args(words))


def test_what_is_mistyped_or_out_of_range_is_named(tmp_path, paragold):
    assert spec_from(MatchingSpec, parse()) == MatchingSpec()
    assert spec_from(MatchingSpec, parse(leave_out=("seed",)), seed=5) == MatchingSpec(seed=5)
    words = tmp_path / "words"
    words.write_text("The, of\nand")
    options = parse("--method", "bands", "--threshold", "0.5", "--greedy", "--stop-words", str(words))
    assert spec_from(MatchingSpec, options) == MatchingSpec(
        method="bands", threshold=0.5, greedy=True, stop_words={"the", "of", "and"}
    )
    with pytest.raises(SpecError, match="Threshold must be a number above 0 and at most 1; it is 7"):
        spec_from(MatchingSpec, parse("--threshold", "7"))
    with pytest.raises(SpecError, match="not readable UTF-8"):
        spec_from(MatchingSpec, parse("--stop-words", str(tmp_path / "missing")))
    for arguments, suggested in (
        (["align-word"], "Did you mean align-words?"),
        (["align-words", "--imput", "a"], "Did you mean --input?"),
        (["match-texts", "a", "--output", "b", "--threshold", "7"], "Threshold must be a number above 0"),
        (["match-texts", "a", "--output", "b", "--curve", "c"], "--curve needs an answer key"),
    ):
        done = paragold(*arguments)
        assert (done.status, suggested in done.err) == (2, True), done.err
    assert paragold("match-texts", tmp_path / "absent", "--output", tmp_path / "b").status == 1
    assert paragold("--version").out.startswith("paragold ")


def test_the_shell_completes_a_line_by_argcomplete(tmp_path):
    """It is given the options of the command that the line names, and of no other."""
    (tmp_path / "argcomplete.py").write_text(
        "def autocomplete(parser):\n"
        "    commands = parser._actions[-1].choices\n"
        "    print(*commands, *commands['extract-pairs']._option_string_actions)\n"
        "    raise SystemExit(0)\n"
    )
    line = {"_ARGCOMPLETE": "1", "COMP_LINE": "paragold extract-pairs --pre", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-X", "importtime", "-m", "paragold"]
    answer = subprocess.run(command, env=os.environ | line, capture_output=True, text=True, check=True)
    assert {"score-links", "doctor", "--preset", "--json"} <= set(answer.stdout.split())
    assert "paragold.cli.links" not in answer.stderr
