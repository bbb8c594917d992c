"""The commands of the manual work: those of a page one after the other, with small inputs.

`test_commands.py` checks that the rest is accepted, `tests/ops/test_commands.py` runs launches.
"""

import csv
import gzip
import json
import shlex
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from paragold.aligners.statistical import HMM
from paragold.cli.main import COMMANDS, main
from projects.models import Project, Role
from tests.factories.annotation import gold_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.news import add_articles
from tests.factories.news_pages.pages import news_pages

from .test_commands import CHECKED, ROOT, command_lines

NOT_RUN = {
    "fetch": "loads pages from the network; tests/paragold/cli/test_fetch.py has a server",
    "get-encoder": "loads an encoder from the network",
    "minilm": "needs the encoder that get-encoder loads",
    "meaning": "a preset that needs that encoder too",
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
    assert sum(map(len, RUN.values())) > 40 and sum(map(len, MANAGED.values())) > 12


WITH_A_DATABASE = (
    ("import", "articles"),
    ("import", "judgements"),
    ("import", "links"),
    ("launch", "extract"),
    ("export_gold",),
    ("export_project",),
    ("audit_log",),
    ("doctor", "--variables"),
)
"""Commands of manage.py that take no more than a second here; `tests/ops/test_commands.py` runs launches."""
NOT_THERE = {"FILE", "PATH", "DIR", "NAME", "USER", "suggestions", "..."}
"""Words of commands that leave something open, or need a batch of links without answers."""


def commands_with_a_database(page):
    for program, words in command_lines(page):
        named = program == "manage.py" and any(words[: len(start)] == [*start] for start in WITH_A_DATABASE)
        if named and not NOT_THERE & {word.partition(".zip")[0] for word in words}:
            yield words


MANAGED = {page: [*commands_with_a_database(page)] for page in CHECKED if page.parent != ROOT}


@pytest.fixture
def projects(transactional_db, settings, inputs, tmp_path, monkeypatch):
    """A project for each name that the pages use, with two annotators; some have texts and a gold set."""
    folder = tmp_path / "reader"
    shutil.copytree(inputs, folder)
    monkeypatch.chdir(folder)
    shutil.copy("clusters.jsonl", "news.jsonl")
    shutil.copy("clusters.jsonl", "articles.jsonl")
    judged = [line.split("\t") for line in (folder / "train.tsv").read_text(encoding="utf-8").splitlines()]
    written(folder, "sts.tsv", "".join(f"{5 * int(label)}\t{a} !\t{b}\n" for label, a, b in judged))
    rows = ({"a": f"{a} ?", "b": b, "label": "paraphrase"} for _, a, b in judged[:5])
    written(folder, "mine.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    settings.VAR, settings.UPLOADS_DIR, settings.EXPORTS_DIR = tmp_path, tmp_path / "u", tmp_path / "e"
    for made in (settings.UPLOADS_DIR, settings.EXPORTS_DIR):
        made.mkdir()
    for slug in ("SLUG", "mine", "news", "rte2", "dams"):
        project = ProjectFactory(slug=slug)
        people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    for project in Project.objects.filter(slug__in=("SLUG", "mine")):
        add_articles(project)
    gold_set(Project.objects.get(slug="mine"), people, size=2)


@pytest.mark.parametrize("page", [page for page in MANAGED if MANAGED[page]], ids=lambda page: page.name)
def test_the_commands_of_an_installation_run(page, projects):
    for words in MANAGED[page]:
        call_command(*words)
