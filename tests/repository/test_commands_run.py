"""The library commands of the manual work: those of a page one after the other, with small inputs.

`test_commands.py` checks that the rest is accepted, `tests/ops/test_commands.py` runs those of `manage.py`.
"""

import csv
import gzip
import json
import shlex
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragold.aligners.statistical import HMM
from paragold.cli.main import COMMANDS, main
from tests.factories.news_pages.pages import news_pages

from .test_commands import CHECKED, ROOT, command_lines

NOT_RUN = {
    "fetch": "loads pages from the network; tests/paragold/cli/test_fetch.py has a server",
    "get-encoder": "loads an encoder from the network",
    "minilm": "needs the encoder that get-encoder loads",
    "OWNER/NAME": "uploads to a hub; tests/paragold/cli/test_publish.py has one",
    "L8": "a preset that the page has its reader add",
    "dice": "a plug-in that has to be installed; tests/plugins does",
    "method=openings": "the same",
    "character-ngrams": "the same",
}
"""Words of the commands that are not run, with the reason."""

JUDGED = "docs/examples/labelled.tsv"
LINKED = "docs/examples/links.jsonl"
ENGLISH = ("The dam broke on Friday", "Three hundred people left", "The mayor thanked the firemen")
FRENCH = (
    "Le barrage a cédé vendredi",
    "Trois cents personnes sont parties",
    "Le maire a remercié les pompiers",
)


def numbered(side, texts):
    return "".join(f"{side}{number}\t{text}\n" for number, text in enumerate(texts, 1))


def written(folder, names, content):
    for name in names.split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with every file that a command of the manual reads and none of its page writes."""
    folder = tmp_path_factory.mktemp("inputs")
    lines = (ROOT / "demo/corpus.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    clusters = "".join(lines[:4])
    written(folder, "clusters.jsonl NEWS.jsonl demo/corpus.jsonl", clusters)
    written(folder, "EARLIER.jsonl", lines[4])
    written(folder, "news/one.jsonl.gz", gzip.compress(clusters.encode()))
    for name in ("headlines", "subclusters"):
        shutil.copy(ROOT / f"demo/{name}.jsonl", folder / "demo")
    shutil.copy(folder / "demo/subclusters.jsonl", folder / "SUBCLUSTERS.jsonl")
    headlines_table(folder / "headlines.csv", (ROOT / "demo/headlines.jsonl").read_text(encoding="utf-8"))
    pages = [{"html": page.html, "paragraphs": page.article.paragraphs} for page in news_pages()[:12]]
    written(folder, "marked.jsonl", "".join(f"{json.dumps(page)}\n" for page in pages))

    texts = [f"{one} of the town ." for one in ENGLISH]
    written(folder, "A.tsv a.tsv english.tsv", numbered("a", texts))
    written(folder, "B.tsv b.tsv", numbered("b", texts))
    written(folder, "french.tsv", numbered("b", (f"{one} de la ville ." for one in FRENCH)))
    written(folder, "KEY.tsv key.tsv answers.tsv", "a1\tb1\na2\tb2\na3\tb3\n")
    rows = "".join(f"{json.dumps({'id': text, 'text': text})}\n" for text in texts)
    written(folder, "texts/one.jsonl.gz", gzip.compress(rows.encode()))
    (folder / "others").mkdir()
    others = [{"id": f"other {text}", "text": text} for text in texts]
    pq.write_table(pa.Table.from_pylist(others), folder / "others/one.parquet")

    judged = (ROOT / JUDGED).read_text(encoding="utf-8")
    written(folder, "train.tsv candidates.tsv new.tsv msr_paraphrase_train.txt", judged)
    sentences = [line.split("\t")[1:] for line in judged.splitlines()]
    sides = "".join(f"{a}\t{b}\n" for a, b in sentences)
    written(folder, "pairs.tsv more.tsv sentences.tsv l12.tsv PAIRS.tsv T.tsv P.tsv", sides)
    written(folder, "seeds.tsv", "".join(f"{a}\t{b}\n" for a, b in zip(ENGLISH, FRENCH, strict=True)))
    HMM().fit([(a.split(), b.split()) for a, b in sentences]).save(folder / "downloaded.npz")
    links(folder)
    return folder


def headlines_table(path, clusters):
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("ID", "TITLE", "STORY"))
        for cluster in map(json.loads, clusters.splitlines()):
            table.writerows((one["id"], one["title"], cluster["cluster_id"]) for one in cluster["headlines"])


def links(folder):
    text = (ROOT / LINKED).read_text(encoding="utf-8")
    written(folder, "gold.jsonl own.jsonl theirs.jsonl links.jsonl G.jsonl L.jsonl", text)
    pairs = [json.loads(line) for line in text.splitlines()]
    for names, side in (("a.txt S text.src", "source"), ("b.txt T text.tgt", "target")):
        written(folder, names, "".join(f"{' '.join(pair[side])}\n" for pair in pairs))
    for format, names in (
        ("naacl", "gold.naacl G.naacl mine.naacl"),
        ("pharaoh", "A.pharaoh B.pharaoh a.pharaoh b.pharaoh mine.pharaoh"),
        ("edinburgh", "A.json B.json RTE2_dev_A.align.json RTE2_dev_B.align.json RTE2_dev_C.align.json"),
        ("label_studio", "links.json IN.json"),
    ):
        main(["convert", "links", str(folder / "links.jsonl"), str(folder / "converted"), "--to", format])
        written(folder, names, (folder / "converted").read_bytes())
        (folder / "converted").unlink()
    main(
        [
            "convert",
            "judgements",
            str(folder / "train.tsv"),
            str(folder / "judgements.json"),
            "--to",
            "label_studio",
        ]
    )


def library_commands(page):
    """The commands of a page in their order, each once; of alternatives the first one."""
    found = []
    for program, words in command_lines(page):
        arguments = [word.split("|")[0] for word in words if "..." not in word]
        if program == "paragold" and words[0] in COMMANDS and len(words) > 1 and arguments not in found:
            found.append(arguments)
    return found


RUN = {page: [line for line in library_commands(page) if not NOT_RUN.keys() & {*line}] for page in CHECKED}


@pytest.mark.parametrize(
    "page", [page for page in RUN if RUN[page]], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_commands_of_a_page_run(page, inputs, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "reader"
    shutil.copytree(inputs, folder)
    monkeypatch.chdir(folder)
    for line in RUN[page]:
        assert main(line) == 0, f"paragold {shlex.join(line)}\n{capsys.readouterr().err}"
        output = line[line.index("--output") + 1] if "--output" in line else "."
        assert (folder / output).exists()


def test_each_reason_is_of_a_command_in_the_manual():
    words = {word for page in CHECKED for line in library_commands(page) for word in line}
    assert NOT_RUN.keys() - words == set()
    assert sum(map(len, RUN.values())) > 40
