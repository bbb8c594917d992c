"""What the library does without the packages of its extras: the same, or it says what to install."""

import gzip
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from shlex import split

import pyarrow as pa
import pytest

from paragold.cli.main import COMMANDS
from paragold.packages import EXTRAS, install_hint

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BLOCKED = [package for extra in ("many", "pages", "tables") for package in EXTRAS[extra][1]]

# The arguments of programs: the folder of the library, and packages that are not found.
BEGINNING = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

sys.path.insert(0, sys.argv[1])
missing = json.loads(sys.argv[2])

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from paragold.cli.main import main
from paragold.packages import install_hint
"""
# The third argument are commands. Prints status, output and errors of each, and missing packages that are
# loaded nevertheless.
RUN_COMMANDS = """
done = []
for words in json.loads(sys.argv[3]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(ended.code or 0)
    done.append([status, out.getvalue(), err.getvalue()])
print(json.dumps([done, [name for name in missing if name in sys.modules]]))
"""

WORKING = """
--help
extract-pairs --preset L12 --input demo.jsonl --output pairs.tsv
extract-pairs --preset F2 --input demo.jsonl.gz --output first.tsv.gz
sample --help
match-texts texts.tsv --threshold 0.2 --output matched.tsv
match-texts texts.tsv --threshold 0.2 --method bands --output banded.tsv
match-headlines headlines.jsonl --output headlines.tsv
cluster-articles stream.jsonl --output events.jsonl
align-words --aligner best --input words.tsv --output best.pharaoh
align-words --aligner hmm --input words.tsv --train pairs.tsv --output hmm.pharaoh
align-words --aligner ibm1 --input words.tsv --output ibm1.pharaoh
score-links --gold links.jsonl --links hmm.pharaoh --json
compare-links --gold links.jsonl ibm1.pharaoh hmm.pharaoh --json
link-agreement links.jsonl others.jsonl --json
phrase-pairs --links links.jsonl --output phrases.tsv
convert links links.jsonl links.naacl --to naacl
associate-words labelled.tsv --min-together 1 --output lexicon.tsv
match-translations texts.tsv others.tsv --lexicon lexicon.tsv --output translated.tsv
train-classifier --pairs labelled.tsv --output classifier.npz
classify-pairs --model classifier.npz --pairs labelled.tsv --output classified.tsv
score-pairs --scorer bleu --pairs labelled.tsv --output scored.tsv
plugins
"""
REFUSED = {
    "many": """
extract-pairs demo.jsonl --output folder
sample folder --n 3
match-texts texts.tsv --executor processes --output folder
extract-pairs --input packed.jsonl.zst --output unpacked.tsv
extract-pairs --input demo.jsonl --output packed.tsv.zst
""",
    "pages": """
train-main-text marked.jsonl --output model.json
fetch addresses.txt --output fetched.jsonl
fetch --help
""",
    "tables": """
match-texts texts.tsv --threshold 0.2 --key key.tsv --output scored.tsv
match-translations texts.tsv others.tsv --lexicon lexicon.tsv --key key.tsv --output scored.tsv
match-headlines headlines.jsonl --gold subclusters.jsonl
""",
}


def text_of(article):
    return "\n\n".join(article["paragraphs"])


def lines(text):
    return [split(line) for line in text.strip().split("\n")]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    clusters = (ROOT / "demo/corpus.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:4]
    demo = "".join(clusters).encode()
    (folder / "demo.jsonl").write_bytes(demo)
    (folder / "demo.jsonl.gz").write_bytes(gzip.compress(demo))
    (folder / "packed.jsonl.zst").write_bytes(pa.compress(demo, "zstd", asbytes=True))
    for name in ("headlines", "subclusters"):
        shutil.copy(ROOT / f"demo/{name}.jsonl", folder)
    for name in ("labelled.tsv", "links.jsonl"):
        shutil.copy(ROOT / "docs/examples" / name, folder)
    linked = (folder / "links.jsonl").read_text(encoding="utf-8")
    (folder / "others.jsonl").write_text(linked.replace("[0, 0], ", ""), encoding="utf-8")
    words = [
        [" ".join(row[side]) for side in ("source", "target")] for row in map(json.loads, linked.splitlines())
    ]
    (folder / "words.tsv").write_text("".join("\t".join(row) + "\n" for row in words), encoding="utf-8")
    labelled = (folder / "labelled.tsv").read_text(encoding="utf-8").splitlines()
    sides = zip(*(line.split("\t")[1:] for line in labelled), strict=True)
    for name, letter, texts in zip(("texts", "others"), "ab", sides, strict=True):
        rows = [f"{letter}{number}\t{text}\n" for number, text in enumerate(texts)]
        (folder / f"{name}.tsv").write_text("".join(rows), encoding="utf-8")
    (folder / "key.tsv").write_text("a0\ta1\n", encoding="utf-8")
    (folder / "addresses.txt").write_text("https://news.example/\n", encoding="utf-8")
    (folder / "marked.jsonl").write_text('{"html": "<p>Yes.", "paragraphs": ["Yes."]}\n', encoding="utf-8")
    articles = [
        {"id": f"{cluster}-{place}", "published": f"2026-01-0{cluster + 1}", "text": text_of(article)}
        for cluster, line in enumerate(clusters)
        for place, article in enumerate(json.loads(line)["articles"])
    ]
    stream = "".join(f"{json.dumps(article)}\n" for article in articles)
    (folder / "stream.jsonl").write_text(stream, encoding="utf-8")
    return folder


def run_program(program, folder, *arguments):
    """What a program prints that a fresh Python runs in this folder."""
    process = subprocess.run(
        [sys.executable, "-c", program, str(ROOT), *map(json.dumps, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def run(inputs, folder, commands, missing=()):
    """What the commands return and print, what they write, and which missing packages were loaded."""
    shutil.copytree(inputs, folder)
    done, loaded = json.loads(run_program(BEGINNING + RUN_COMMANDS, folder, missing, commands))
    given = {path.name for path in inputs.iterdir()}
    written = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in given}
    return done, written, loaded


def without_times(text):
    return re.sub(r"[\d.]+ seconds|\"seconds\": [\d.e-]+| +[\d,.]+  seconds", "", text)


def test_commands_do_the_same_without_the_packages(inputs, tmp_path):
    commands = lines(WORKING)
    done, written, loaded = run(inputs, tmp_path / "without", commands, BLOCKED)
    failed = [(words, of[2]) for words, of in zip(commands, done, strict=True) if of[0]]
    assert (failed, loaded) == ([], [])
    expected, expected_files, _ = run(inputs, tmp_path / "with", commands)
    assert written == expected_files
    assert [[status, without_times(out), err] for status, out, err in done] == [
        [status, without_times(out), err] for status, out, err in expected
    ]
    outputs = {words[words.index("--output") + 1] for words in commands if "--output" in words}
    assert outputs <= written.keys() and all(map(len, map(written.get, outputs)))
    assert all(name in done[0][1] for name in COMMANDS)


def test_commands_that_need_packages_say_what_to_install(inputs, tmp_path):
    commands = [(extra, words) for extra, text in REFUSED.items() for words in lines(text)]
    done, written, _ = run(inputs, tmp_path / "without", [words for _, words in commands], BLOCKED)
    for (extra, words), (status, out, err) in zip(commands, done, strict=True):
        assert (words, status, out, err) == (words, 1, "", f"{install_hint(extra)}\n")
    assert written == {}


PYTHON = """
assert main("train-classifier --pairs labelled.tsv --output classifier.npz".split()) == 0
import paragold as pg
from paragold.sources.article_sources import SourceOptions, read_articles

assert len(dir(pg)) > 40 and "pandas" not in sys.modules
sentences = [("A dam broke".split(), "The dam broke".split()), ("It rained".split(), "It rained".split())]
aligner = pg.HMM().fit(sentences)
assert len(aligner.align_all(sentences)) == 2
aligner.save(Path("hmm.npz"))
assert pg.load("hmm.npz").align_all(sentences) == aligner.align_all(sentences)
assert pg.linked_pairs([]) == [] and pg.tokenise("It rained.")[0] == ["It", "rained", "."]
classifier = pg.load("classifier.npz")
assert len(classifier.predict([("It rained", "It rained")])) == 1
assert classifier.predict_proba([("It rained", "It rained")]).shape == (1, 2)
[(cluster, articles)] = read_articles(Path("texts"), SourceOptions())
assert (cluster, [article.key for article in articles]) == ("dam", ["one", "two"])

for extra, call in {
    "tables": [
        lambda: pg.extract("demo.jsonl"),
        lambda: pg.read_pairs("labelled.tsv"),
        lambda: pg.read_texts("texts.tsv"),
        lambda: pg.match(["It rained"]),
        lambda: pg.presets(),
        lambda: aligner.predict(sentences),
        lambda: classifier.decide([("It rained", "It rained")]),
    ],
    "many": [
        lambda: pg.match_many("texts.tsv", "folder"),
        lambda: pg.map_pairs("pairs.parquet", "folder", print),
        lambda: pg.sample("folder", 3, "drawn"),
    ],
    "pages": [lambda: list(read_articles(Path("pages"), SourceOptions()))],
}.items():
    for function in call:
        try:
            function()
        except ImportError as error:
            assert isinstance(error, ValueError) and str(error) == install_hint(extra), error
        else:
            raise AssertionError(extra)
"""


def test_in_python_what_needs_no_table_works_and_the_rest_says_what_to_install(inputs, tmp_path):
    shutil.copytree(inputs, tmp_path / "in")
    for kind, ending, text in (("texts", "txt", "A dam broke{}."), ("pages", "html", "<p>A dam broke{}.")):
        for name in ("one", "two"):
            (tmp_path / "in" / kind / "dam").mkdir(parents=True, exist_ok=True)
            (tmp_path / "in" / kind / "dam" / f"{name}.{ending}").write_text(text.format(f" {name}"))
    run_program(BEGINNING + PYTHON, tmp_path / "in", BLOCKED)


def test_the_extras_are_those_of_the_package():
    extras = PROJECT["optional-dependencies"]
    listed = {extra: tuple(extras[extra]) for extra in EXTRAS}
    assert listed == {extra: packages for extra, (_, packages) in EXTRAS.items()}
    assert "paragold[many,pages,tables]" in extras["web"]
    assert set(PROJECT["dependencies"]).isdisjoint(BLOCKED)


def test_several_packages_are_joined_and_quoted_for_a_shell():
    assert install_hint("encoder") == (
        "An encoder needs safetensors and tokenizers: pip install safetensors tokenizers."
    )
    assert install_hint("dask") == "This executor needs dask[distributed]: pip install 'dask[distributed]'."
    assert "need duckdb, fsspec and pyarrow: pip" in install_hint("many")
