"""Whatever a file holds, it is imported whole or refused with its line, and nothing is left half stored.

PARAGOLD_MUTATED is the number of files of each kind: few in the gate, more when somebody asks for them.
"""

import csv
import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import transaction

from alignment.models import WordLink
from annotation.models import Answer, GoldJudgement
from corpus.imports import import_corpus
from corpus.models import Article, CorpusImport, Sentence
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import JudgedPair, Reading
from paragold.formats.link_files import LINK_FORMATS, write_pairs
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import ProjectFactory, member
from tests.factories.imports import import_judgements, import_links
from tests.link_texts import dumps

from .mutations import mutated

pytestmark = pytest.mark.django_db
FILES = int(os.environ.get("PARAGOLD_MUTATED", "25"))
DEMO = Path(django_settings.BASE_DIR) / "demo"


def corpus_lines():
    with (DEMO / "corpus.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for _, line in zip(range(2), file, strict=False)]


def article_text(article):
    return article.get("text") or "\n\n".join(article.get("paragraphs") or article.get("sentences") or [])


def table():
    lines = io.StringIO()
    rows = csv.writer(lines)
    rows.writerow(["cluster_id", "id", "source", "title", "text"])
    for cluster in corpus_lines():
        for article in cluster["articles"]:
            source, title = article.get("source", ""), article.get("title", "")
            rows.writerow([cluster["cluster_id"], article["id"], source, title, article_text(article)])
    return lines.getvalue().encode()


def archive():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for cluster in corpus_lines():
            for number, article in enumerate(cluster["articles"]):
                text = article_text(article)
                page = f"<html><title>{article['id']}</title><body><p>{text}</p></body></html>"
                ending, body = ("html", page) if number % 2 else ("txt", text)
                file.writestr(f"{cluster['cluster_id']}/{number}.{ending}", body)
    return content.getvalue()


def stored():
    models = (Project, Article, Sentence, CorpusImport, Answer, GoldJudgement, WordLink)
    return tuple(model._base_manager.count() for model in models)


def tried(content, path, work):
    """Every mutation of `content` through an import, each undone afterwards."""
    before = stored()
    for seed in range(FILES):
        path.write_bytes(mutated(content, seed))
        with transaction.atomic():
            try:
                problems = list(work(path))
            except PublicError as error:
                assert str(error), seed
                problems = None
            if problems is None or problems:
                assert stored() == before, seed
            for problem in problems or []:
                assert (problem.line >= 0, bool(problem.message)) == (True, True), seed
            transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", lambda: "".join(json.dumps(line) + "\n" for line in corpus_lines()).encode()),
        ("corpus.csv", table),
        ("pages.zip", archive),
        ("headlines.jsonl", lambda: b"".join((DEMO / "headlines.jsonl").read_bytes().splitlines(True)[:4])),
    ],
)
def test_articles(tmp_path, settings, name, content):
    settings.UPLOADS_DIR = tmp_path / "uploads"
    project = ProjectFactory()

    def work(path):
        report = import_corpus(project=project, by=None, path=path, filename=name)
        return [FileProblem(**problem) for problem in report.problems]

    tried(content(), tmp_path / name, work)


def judging(project, reading, annotator=None):
    def work(path):
        whose = {"project": project, "by": None, "annotator": annotator}
        found = import_judgements(path=path, filename=path.name, name="theirs", reading=reading, **whose)
        return list(found.problems)

    return work


@pytest.mark.parametrize("annotator", [None, "ann"])
def test_judgements(tmp_path, annotator):
    project = ProjectFactory()
    member(project, "annotator", "ann")
    rows = (DEMO / "judgements.tsv").read_bytes().splitlines(True)[:30]
    tried(b"".join(rows), tmp_path / "judgements.tsv", judging(project, Reading(), annotator))


JUDGED = [
    JudgedPair(
        f"p{number}", "A dam broke.", f"The dam burst {number}.", label, comment="why", flagged=number == 1
    )
    for number, label in enumerate(("paraphrase", "not_paraphrase", "paraphrase"))
]


@pytest.mark.parametrize("one", [one for one in JUDGEMENT_FORMATS if one.extension], ids=lambda one: one.id)
def test_judgements_of_other_tools(tmp_path, one):
    project = ProjectFactory()
    path = tmp_path / one.file_name("pairs")
    write_pairs(path, JUDGED, one)
    tried(path.read_bytes(), path, judging(project, Reading(format=one.id)))


TOKENS = (("A", "dam", "broke"), ("The", "dam", "burst", "."))
LINKED = [LinkedPair(f"p{number}", *TOKENS, Links.of([(1, 1)], [(2, 2)])) for number in range(4)]


@pytest.mark.parametrize(
    ("name", "content"),
    [(one.file_name("links"), lambda one=one: dumps(one.id, _held_by(one))) for one in LINK_FORMATS],
)
def test_links(tmp_path, name, content):
    project = ProjectFactory()
    sides = {side: tmp_path / f"text.{side}" for side in ("source", "target")}
    for side, path in sides.items():
        path.write_text("".join(" ".join(getattr(pair, side)) + "\n" for pair in LINKED))
    texts = sides if name.endswith((".pharaoh", ".pharaoh1", ".naacl")) else {"source": None, "target": None}

    def work(path):
        try:
            import_links(project=project, path=path, batch="theirs", **texts)
        except ValueError as error:
            raise PublicError(str(error)) from error
        return []

    tried(content().encode(), tmp_path / name, work)


def _held_by(one):
    """The pairs with links of the strengths that the format has."""
    if not one.one_strength:
        return LINKED
    return [LinkedPair(pair.key, *pair.tokens, Links.of(pair.links.possible)) for pair in LINKED]
