from contextlib import nullcontext

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Article, Cluster, CorpusImport
from corpus.services import import_reading
from corpus.views import importing
from jobs.services.running import run_here, run_next_chunk
from projects.models import Project
from tests.factories.corpus import ProjectFactory, member
from tests.factories.house import articles_file, client_of


@pytest.fixture
def url(db):
    member(ProjectFactory(slug="floods"), "manager", "mira")
    return "/projects/floods/corpus/import/"


@pytest.fixture
def manager(url):
    return client_of(User.objects.get(username="mira"))


def uploaded(manager, url, content, name):
    """The address of the page that the upload leads to."""
    answer = manager.post(url, {"encoding": "utf-8", "file": SimpleUploadedFile(name, content)})
    assert answer.status_code == 302
    return answer.url


def test_the_file_s_own_name_is_never_a_path(manager, url, tmp_path, uploads):
    page = uploaded(manager, url, articles_file(tmp_path).read_bytes(), "../../evil<b>.jsonl")
    token = CorpusImport.objects.get().token
    names = {path.name for path in uploads.iterdir()}
    assert names == {f"{token}.upload", f"{token}.json", f"{token}.records"}
    assert "<b>.jsonl" not in manager.get(page).content.decode()


TABLE = (
    b"event,key,headline,body,date\n"
    b'dam,courier,"Dam, mended",The council mended the dam.,2004-03-17\n'
    b"dam,gazette,,A leaking dam was repaired.,\n"
)
CHOSEN = {"column-cluster_id": "event", "column-id": "key", "column-text": "body", "column-title": "headline"}


def test_columns_are_chosen_then_seen_then_imported(manager, url):
    page = uploaded(manager, url, TABLE, "dams.csv")
    asked = manager.get(page).content.decode()
    assert "Import 2 articles" in asked and '<option value="body">body</option>' in asked
    other = manager.post(page, CHOSEN | {"check": "", "column-title": "-"}, follow=True).content.decode()
    assert "Columns that are not used: headline" in other
    assert manager.post(page, CHOSEN | {"check": "", "column-text": "missing"}).status_code == 422
    checked = manager.post(page, CHOSEN | {"check": ""})
    preview = manager.get(checked.url).content.decode()
    assert "Import 2 articles" in preview and "Dam, mended" in preview
    assert '<option value="headline" selected>headline</option>' in preview, "the choice is remembered"
    assert not Article.objects.exists()
    report = manager.post(checked.url, {"confirm": ""}, follow=True).content.decode()
    assert "Imported: <bdi>dams.csv</bdi>" in report
    assert sorted(Article.objects.values_list("key", "title")) == [
        ("courier", "Dam, mended"),
        ("gazette", ""),
    ]


@pytest.fixture
def large(monkeypatch):
    """Every file counts as a large one, which a worker does."""
    monkeypatch.setattr(importing, "AT_ONCE_BYTES", 0)
    monkeypatch.setattr(import_reading, "PIECE_BYTES", 1)


def test_an_import_that_is_stopped_leaves_nothing(manager, url, large, uploads):
    lines = b"".join(
        b'{"cluster_id": "%d", "articles": [{"id": "a", "text": "One."}]}\n' % n for n in range(3)
    )
    page = uploaded(manager, url, lines, "dams.jsonl")
    source = CorpusImport.objects.get()
    run_here(job=source.job)
    manager.post(page, {"confirm": ""})
    source.refresh_from_db()
    run_next_chunk(job=source.job, worker="w", hold=lambda chunk: nullcontext())
    answer = manager.post(page, {"discard": ""}, follow=True).content.decode()
    assert "nothing was imported" in answer
    assert not Cluster.objects.exists() and not CorpusImport.objects.exists()
    assert not Project.everything.filter(staging=True).exists()
    assert list(uploads.iterdir()) == []
