"""The program `paragold` as somebody types it."""

import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path

import pytest

from paragold.aligners.statistical import HMM
from paragold.cli.arguments import add_arguments, given, spec_from
from paragold.cli.console import run_command
from paragold.cli.main import COMMANDS, parser_of
from paragold.formats.judgement_files import read_judged_pairs
from paragold.formats.judgement_formats import Reading
from paragold.formats.link_files import read_links
from paragold.matching.specs import MatchingSpec
from paragold.spec import SpecError

ROOT = Path(__file__).parents[3]
HEAVY = ("numpy", "scipy", "sklearn", "nltk", "numba", "pyarrow", "pandas", "django", "celery")
SENTENCES = {
    "one": "A heavy storm hit the northern coast of the island late on Monday evening .",
    "two": "A strong storm struck the northern coast of the island on Monday night .",
}


def loaded_by(code, among=HEAVY):
    """Those of the packages that a fresh process has loaded after this code."""
    program = (
        f"import json, sys\n{code}\nprint(json.dumps([name for name in {among} if name in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    return loaded


@pytest.mark.parametrize(
    "code",
    [
        "import paragold",
        "from paragold.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "import paragold.formats.link_files, paragold.formats.pair_files",
        "import paragold.spec, paragold.tables, paragold.estimator",
        "import paragold.aligners.registry as r; r.all_parameters()",
        "import paragold.extraction.presets, paragold.extraction.selection, paragold.matching.specs",
        "import paragold.sampling.strategy, paragold.events.settings",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code):
    assert loaded_by(code) == []


def test_commands_of_classifiers_load_no_compiled_loops_before_use():
    assert "numba" not in loaded_by("import paragold.cli.classifier")


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


def test_what_is_wrong_is_said_in_one_line(tmp_path, refused):
    assert "extract-everything" in refused("extract-everything")
    source = tmp_path / "articles.jsonl"
    source.write_text('{"cluster_id": \n')
    printed = refused(
        "extract-pairs", "--input", source, "--output", tmp_path / "pairs.tsv", "--processes", 1
    )
    assert printed.startswith(f"{source}, line 1, column ")
    assert "Traceback" not in printed


def test_pairs_are_extracted_without_django(tmp_path):
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


def test_what_is_mistyped_has_a_suggestion_and_the_exit_status_is_2(paragold, tmp_path):
    for arguments, suggested in (
        (["align-word"], "Did you mean align-words?"),
        (["align-words", "--imput", "a"], "Did you mean --input?"),
        (["score-links", "--gold=a", "--agains=b", "--linx=c"], "Did you mean --links?"),
        (["match-texts", "a", "--output", "b", "--threshold", "7"], "Threshold must be a number above 0"),
        (["match-texts", "a", "--output", "b", "--curve", "c"], "--curve needs an answer key"),
    ):
        done = paragold(*arguments)
        assert (done.status, suggested in done.err) == (2, True), done.err
    assert paragold("match-texts", tmp_path / "absent", "--output", tmp_path / "b").status == 1
    assert paragold("--version").out.startswith("paragold ")


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


def test_flags_that_are_on_are_turned_off():
    parser = ArgumentParser()
    add_arguments(parser, HMM.parameters)
    for words, expected in ((), {}), (["--no-identical"], {"identical": False}):
        assert given(HMM.parameters.parameters(), vars(parser.parse_args(words))) == expected


def parse(*words, leave_out=()):
    parser = ArgumentParser()
    add_arguments(parser, MatchingSpec, leave_out)
    return vars(parser.parse_args(words))


def test_options_are_read_and_what_is_wrong_is_named(tmp_path):
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


def test_help_says_what_options_mean(capsys):
    with pytest.raises(SystemExit):
        parse("--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert "--threshold THRESHOLD Threshold. Pairs with a lower score are left out. Default: 0.33." in shown
    assert "exact: exact Jaccard of every pair." in shown


TOOLS = Path(__file__).parents[1] / "formats" / "tools"


def test_an_export_of_doccano_becomes_tasks_of_label_studio(tmp_path, paragold):
    export, output = tmp_path / "export.jsonl", tmp_path / "tasks.json"
    first = (TOOLS / "doccano-links.jsonl").read_text(encoding="utf-8").splitlines()[0]
    other = first.replace('"type":"SURE"', '"type":"doubtful"', 1).replace('"pair"', '"note":"x","pair"')
    export.write_text(other, encoding="utf-8")
    done = paragold("convert", "links", export, output, "--to", "label_studio")
    assert (done.status, done.out) == (0, "1 pairs written to tasks.json, links.label-studio.xml.\n")
    assert done.err.startswith("Not kept: field note (1)") and "relation label doubtful (1)" in done.err
    [pair] = read_links(output)
    assert len(pair.links.possible) == 5
    assert "<Relations>" in (tmp_path / "links.label-studio.xml").read_text()


def test_judgements_of_label_studio_become_a_table(tmp_path, printed):
    output = tmp_path / "pairs.csv"
    printed("convert", "judgements", TOOLS / "label-studio-pairs.json", output, "--to", "table")
    assert "It rained.,Snow fell.,not_paraphrase" in output.read_text()
    labels = [pair.label for pair in read_judged_pairs(output, Reading()).pairs]
    assert labels == ["paraphrase", "not_paraphrase", "not_paraphrase"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judgements", "doccano-links.jsonl", "--to", "table"], "The field a is missing"),
        (["judgements", "doccano-pairs.jsonl", "--to", "msr"], "msr is not written. Choose one of table"),
        (["judgements", "doccano-pairs.jsonl", "--to", "xml"], "There is no judgement format 'xml'"),
        (["links", "doccano-links.jsonl", "--to", "xml"], "There is no link format 'xml'"),
        (["links", "absent.jsonl", "--to", "jsonl"], "cannot be read"),
    ],
)
def test_what_cannot_be_converted_is_refused(arguments, message, tmp_path, refused):
    kind, name, *rest = arguments
    assert message in refused("convert", kind, TOOLS / name, tmp_path / "out", *rest)
    assert not (tmp_path / "out").exists()


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
