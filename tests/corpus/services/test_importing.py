import json
import zipfile

import pytest

from corpus.imports import import_corpus, options_json
from corpus.models import Article, Cluster, CorpusImport, Sentence
from corpus.models.sources import SIGNATURE
from corpus.services.importing import import_here
from paragold.sources.article_sources import SourceOptions
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return ProjectFactory(held_out_share=0.5)


def cluster(key, *texts):
    articles = [{"id": f"{key}-{n}", "text": text} for n, text in enumerate(texts, start=1)]
    return {"cluster_id": key, "articles": articles}


def lines(*clusters):
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in clusters)


GOOD = (
    cluster("fire", "The harbour burned. Nobody was hurt.", "A fire broke out in the harbour."),
    cluster("vote", "The mayor won.", "The mayor lost."),
)


def run(project, tmp_path, content, **options):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(content)
    return import_corpus(
        project=project, by=None, path=path, filename=path.name, options=SourceOptions(**options)
    )


def rows():
    return tuple(model.objects.count() for model in (Cluster, Article, Sentence, CorpusImport))


def test_everything_is_stored_with_tokens_and_offsets(project, tmp_path):
    report = run(project, tmp_path, lines(*GOOD))
    assert report.state == "imported"
    assert rows() == (2, 4, 5, 1)
    sentence = Sentence.objects.get(article__key="fire-1", number=1)
    assert sentence.text == "Nobody was hurt."
    assert sentence.token_list == ["Nobody", "was", "hurt", "."]
    assert sentence.starts == [0, 7, 11, 15]
    stored = project.imports.get()
    assert (stored.signature, stored.counts["sentences_added"]) == (SIGNATURE, 5)


def test_the_same_file_again_changes_nothing_and_says_so(project, tmp_path):
    run(project, tmp_path, lines(*GOOD))
    before = rows()
    report = run(project, tmp_path, lines(*GOOD))
    assert (report.state, report.counts["articles_already_there"], rows()) == ("unchanged", 4, before)


def test_new_articles_join_the_cluster_and_duplicates_are_left_out(project, tmp_path):
    run(project, tmp_path, lines(*GOOD))
    more = {
        "cluster_id": "vote",
        "articles": [{"id": "copy", "text": "The mayor won."}, {"id": "new", "text": "The mayor is gone."}],
    }
    report = run(project, tmp_path, lines(more))
    assert report.state == "imported"
    assert (report.counts["articles_added"], report.counts["duplicate_articles"]) == (1, 1)
    assert set(Article.objects.filter(cluster__key="vote").values_list("key", flat=True)) == {
        "vote-1",
        "vote-2",
        "new",
    }


def test_an_article_with_another_text_refuses_the_file(project, tmp_path):
    run(project, tmp_path, lines(*GOOD))
    before = rows()
    report = run(project, tmp_path, lines(cluster("new", "One.", "Two."), cluster("vote", "The mayor drew.")))
    assert report.refused
    assert (report.problems[0]["line"], rows()) == (2, before)
    assert "another text" in report.problems[0]["message"]


def test_held_out_clusters_are_chosen_by_seed_and_key_alone(tmp_path):
    clusters = [cluster(f"event {n}", f"Report {n}.", f"Other report {n}.") for n in range(200)]
    chosen = []
    for order in (clusters, clusters[::-1]):
        project = ProjectFactory(held_out_share=0.3, seed=7)
        run(project, tmp_path, lines(*order))
        chosen.append(set(project.clusters.filter(held_out=True).values_list("key", flat=True)))
    assert chosen[0] == chosen[1]
    assert 40 < len(chosen[0]) < 80


BROKEN = b'{"cluster_id": "broken", "articles": [{"id": "x", "text": "Cut off'
LONG = json.dumps(
    {
        "cluster_id": "long",
        "articles": [{"id": "l", "tokenised": True, "sentences": ["word " * 99_999 + "word"]}],
    }
).encode()


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        (b"", 0, "empty"),
        (b"\n\n", 0, "blank"),
        (lines(*(cluster(f"c{n}", "One.", "Two.") for n in range(16))) + BROKEN, 17, ""),
        (lines(*GOOD) + b'{"cluster_id": "n", "articles": [{"id": "1", "text": "A\\u0000b."}]}\n', 3, "NUL"),
        (lines(*GOOD) + '{"cluster_id": "café", "articles": []}\n'.encode("latin-1"), 3, "UTF-8"),
        (lines(*GOOD) + b'{"cluster_id": "none", "articles": [{}]}\n', 3, "Article"),
        (lines(*GOOD) + LONG + b"\n", 3, "10,000"),
    ],
    ids=["empty", "blank", "broken line 17", "NUL", "Latin-1", "an article without an id", "100,000 tokens"],
)
def test_bad_input_writes_nothing_and_names_the_line(project, tmp_path, content, line, told):
    report = run(project, tmp_path, content)
    assert report.refused
    assert report.problems[0]["line"] == line
    assert told in "{message} {remedy}".format(**report.problems[0])
    assert report.problems[0]["remedy"]
    assert rows() == (0, 0, 0, 0)


def packed(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


PAGES = {
    "storm/post.txt": "The storm hit on Monday. Thousands fled.",
    "storm/mail.html": "<title>Storm</title><body><p>The storm struck the coast on Monday, "
    "and thousands of people fled from it.</p></body>",
}


def test_a_zip_and_the_folder_that_it_was_made_of_are_the_same_corpus(project, tmp_path):
    archive = packed(tmp_path / "corpus.zip", PAGES)
    first = import_corpus(project=project, by=None, path=archive, filename=archive.name)
    assert (first.state, first.counts["articles_added"]) == ("imported", 2)
    with zipfile.ZipFile(archive) as unpacked:
        unpacked.extractall(tmp_path / "corpus")
    again = import_corpus(project=project, by=None, path=tmp_path / "corpus", filename="corpus")
    assert (again.state, again.counts["articles_already_there"]) == ("unchanged", 2)


def test_checking_writes_nothing_and_shows_a_sample(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(lines(*GOOD))
    options = options_json(SourceOptions())
    about = {"paths": {"file": path}, "filename": path.name, "options": options}
    report = import_here(project=None, check_only=True, **about)
    assert (report.state, [entry["key"] for entry in report.sample]) == ("checked", ["fire", "vote"])
    assert rows() == (0, 0, 0, 0)


WIRE = "The council mended the dam on Wednesday, after it had leaked for a year. Nobody was hurt."


def test_near_duplicates_are_left_out_where_the_project_says_so(project, tmp_path):
    articles = [
        {"id": "wire", "text": WIRE},
        {"id": "rewritten", "text": WIRE.replace("Wednesday", "March 17")},
        {"id": "own", "text": "A dam in the valley was repaired this week, officials said."},
    ]
    cluster = lines({"cluster_id": "dam", "articles": articles})
    project.near_duplicate_share = 0.5
    project.save()
    report = run(project, tmp_path, cluster)
    assert (report.counts["articles_added"], report.counts["near_duplicates"]) == (2, 1)
    assert set(Article.objects.values_list("key", flat=True)) == {"wire", "own"}
    before = rows()
    assert (run(project, tmp_path, cluster).state, rows()) == ("unchanged", before)
    later = {"cluster_id": "dam", "articles": [{"id": "late", "text": WIRE.replace("year", "decade")}]}
    assert run(project, tmp_path, lines(later)).counts["near_duplicates"] == 1
    project.near_duplicate_share = None
    project.save()
    assert run(project, tmp_path, lines(later)).counts["articles_added"] == 1
