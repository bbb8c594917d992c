"""Every file that a command writes may be a device, a pipe, a link or standard output.

The arguments come from the commands' parsers; what a command reads beside them is in RECIPES.
"""

import json
import os
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from paragold.cli.main import COMMANDS, main, parser_of
from paragold.text import wordnet
from tests.paragold.classification.examples import labelled_pairs

from . import test_cluster_articles as events, test_match_headlines as headlines, test_match_texts as texts
from .test_cluster_articles import STREAM
from .test_links import write_both

ROOT = Path(__file__).parents[3]
CLUSTER = {
    "cluster_id": "storm",
    "articles": [
        {"id": "one", "sentences": ["A heavy storm hit the coast of the island late on Monday ."]},
        {"id": "two", "sentences": ["A strong storm struck the coast of the island on Monday ."]},
    ],
}
# What is added to, a line for each page.
LEFT_OUT = {"fetch"}

RECIPES = {
    ("cluster-articles", "output"): ["stream.jsonl", "--output", "OUT"],
    ("extract-pairs", "output"): ["--input", "clusters.jsonl", "--processes", "1", "--output", "OUT"],
    ("match-texts", "output"): ["a.tsv", "b.tsv", "--output", "OUT"],
    ("match-texts", "curve"): ["a.tsv", "b.tsv", "--key", "key.tsv", "--output", "other", "--curve", "OUT"],
    ("match-translations", "output"): ["a.tsv", "b.tsv", "--lexicon", "lexicon.tsv", "--output", "OUT"],
    ("match-headlines", "output"): ["headlines.jsonl", "--output", "OUT"],
    ("match-headlines", "links"): ["headlines.jsonl", "--gold", "gold.jsonl", "--links", "OUT"],
    ("associate-words", "output"): ["pairs.tsv", "--output", "OUT"],
    ("train-classifier", "output"): ["--pairs", "pairs.tsv", "--c", "0.01", "--output", "OUT"],
    ("train-main-text", "output"): ["marked.jsonl", "--output", "OUT"],
    ("classify-pairs", "output"): ["--model", "model.npz", "--pairs", "pairs.tsv", "--output", "OUT"],
    ("align-words", "output"): ["--aligner", "identity", "--input", "tokens.tsv", "--output", "OUT"],
    ("compare-links", "csv"): ["a.pharaoh", "b.pharaoh", "--gold", "links.jsonl", "--csv", "OUT"],
    ("convert", "output"): ["links", "links.jsonl", "OUT", "--to", "label_studio"],
    ("phrase-pairs", "output"): ["--links", "links.jsonl", "--output", "OUT"],
    ("score-pairs", "output"): ["--scorer", "bleu", "--pairs", "pairs.tsv", "--output", "OUT"],
}


def outputs():
    names = [name for name in COMMANDS if name not in LEFT_OUT]
    return [(name, dest) for name in names for dest in parser_of(name).get_default("outputs") or ()]


@pytest.fixture(autouse=True)
def inputs(tmp_path, monkeypatch):
    """The present folder has what the recipes name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, "/absent")
    events.written(tmp_path / "stream.jsonl", STREAM)
    headlines.written(tmp_path)
    headlines.gold(tmp_path, headlines.GOLD)
    texts.written(tmp_path)
    Path("clusters.jsonl").write_text(json.dumps(CLUSTER) + "\n")
    pairs = [f"{int(bool(pair.label))}\t{pair.first}\t{pair.second}\n" for pair in labelled_pairs(60)]
    Path("pairs.tsv").write_text("".join(pairs))
    page = {"html": "<h1>Dam</h1><p>A dam broke.</p>", "paragraphs": ["A dam broke."]}
    Path("marked.jsonl").write_text((json.dumps(page) + "\n") * 3)
    Path("lexicon.tsv").write_text("moon\tmoon\n")
    Path("tokens.tsv").write_text("a dam broke\tthe dam broke\n")
    write_both(tmp_path, "links")


@pytest.fixture(params=outputs(), ids=" ".join)
def argument(request):
    """A command, and the argument of it that names an output."""
    command = request.param
    return command


@pytest.fixture
def into(argument, paragold):
    """Runs the command with another output."""
    name, _ = argument
    if name == "classify-pairs":
        assert paragold("train-classifier", "--pairs", "pairs.tsv", "--output", "model.npz").status == 0

    def run(place):
        recipe = [place if word == "OUT" else word for word in RECIPES[argument]]
        done = paragold(name, *recipe)
        assert done.status == 0, done.err
        return done

    return run


@contextmanager
def reader(descriptor, read):
    """Reads a descriptor to its end, and closes it, while the block runs."""

    def drain():
        while part := os.read(descriptor, 1 << 16):
            read.extend(part)
        os.close(descriptor)

    thread = threading.Thread(target=drain)
    thread.start()
    yield
    thread.join(60)
    assert not thread.is_alive()


def test_it_may_be_a_link_a_pipe_or_a_device(into):
    before = set(Path.cwd().iterdir())
    into("plain")
    expected = Path("plain").read_bytes()
    assert expected
    assert {path.name for path in set(Path.cwd().iterdir()) - before} <= {
        "plain",
        "other",
        "links.label-studio.xml",
    }

    # A file that is there is replaced, and keeps its permissions; a link stays and leads to the new one.
    folder = Path("elsewhere")
    folder.mkdir()
    (folder / "kept").write_text("before")
    (folder / "kept").chmod(0o640)
    inode = (folder / "kept").stat().st_ino
    Path("link").symlink_to("elsewhere/kept")
    into("link")
    assert Path("link").is_symlink() and (folder / "kept").read_bytes() == expected
    assert stat.S_IMODE((folder / "kept").stat().st_mode) == 0o640
    assert (folder / "kept").stat().st_ino != inode
    assert [path.name for path in folder.iterdir() if path.name.endswith(".partial")] == []

    # A pipe, and a link to an open descriptor as /dev/stdout is to 1.
    os.mkfifo("pipe")
    read = bytearray()
    # Open for writing too, so that opening does not wait; closed before the end is looked for.
    both = os.open("pipe", os.O_RDWR)
    with reader(os.open("pipe", os.O_RDONLY), read):
        into("pipe")
        os.close(both)
    assert bytes(read) == expected and stat.S_ISFIFO(Path("pipe").stat().st_mode)
    output, end = os.pipe()
    Path("descriptor").symlink_to(f"/dev/fd/{end}")
    read = bytearray()
    with reader(output, read):
        into("descriptor")
        os.close(end)
    assert bytes(read) == expected and Path("descriptor").is_symlink()

    # A device.
    into("/dev/null")


def test_standard_output_carries_nothing_but_data(argument, capfdbinary):
    name, _ = argument
    if name == "classify-pairs":
        assert main(["train-classifier", "--pairs", "pairs.tsv", "--output", "model.npz"]) == 0
        capfdbinary.readouterr()

    def run(place):
        assert main([name, *(place if word == "OUT" else word for word in RECIPES[argument])]) == 0
        return capfdbinary.readouterr()

    messages = run("plain").out
    Path("here").symlink_to("/dev/fd/1")
    for place in ("-", "here"):
        printed = run(place)
        assert printed.out == Path("plain").read_bytes()
        assert len(printed.err.split()) >= len(messages.split()) > 0
    assert not Path("-").exists() and Path("here").is_symlink()


def into_a_closed_pipe(*arguments):
    """There is no traceback and no error, and the status is that which shells give such a program."""
    output, end = os.pipe()
    os.close(output)
    program = [sys.executable, "-m", "paragold", *arguments]
    done = subprocess.run(program, stdout=end, stderr=subprocess.PIPE, check=False, env=environment())
    os.close(end)
    assert done.returncode == 141, done.stderr
    assert b"Traceback" not in done.stderr and b"pipe" not in done.stderr.lower()


def environment():
    return os.environ | {"PYTHONPATH": str(ROOT)}


def test_two_results_cannot_both_be_standard_output(refused):
    recipe = ["a.tsv", "b.tsv", "--key", "key.tsv", "--output", "-", "--curve", "-"]
    assert "--curve and --output are both standard output" in refused("match-texts", *recipe)


def test_data_and_messages_into_a_closed_pipe_end_quietly():
    into_a_closed_pipe("extract-pairs", "--input", "clusters.jsonl", "--processes", "1", "--output", "-")
    into_a_closed_pipe("plugins")
    into_a_closed_pipe("link-agreement", "links.jsonl", "links.jsonl")
