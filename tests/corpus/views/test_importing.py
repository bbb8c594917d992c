import os

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Article, Cluster, CorpusImport, Sentence
from corpus.services import uploads as uploads_module
from tests.factories.corpus import ProjectFactory, member
from tests.factories.house import articles_file, client_of


@pytest.fixture
def url(db):
    member(ProjectFactory(slug="floods"), "manager", "mira")
    return "/projects/floods/corpus/import/"


@pytest.fixture
def manager(url):
    return client_of(User.objects.get(username="mira"))


def upload(client, url, content, name="articles.jsonl", encoding="utf-8"):
    return client.post(url, {"encoding": encoding, "file": SimpleUploadedFile(name, content)})


def confirm(client, checked, **options):
    """Press the button of the page that an upload has led to."""
    return client.post(checked.url, {"confirm": ""}, **options)


def test_a_good_file_is_previewed_then_imported(manager, url, tmp_path, uploads):
    content = articles_file(tmp_path).read_bytes()
    answer = upload(manager, url, content)
    assert answer.status_code == 302
    preview = manager.get(answer.url).content.decode()
    assert "Nothing is imported yet" in preview and "Import 4 articles" in preview
    assert (
        "<span>council</span> <span>mended</span> <span>the</span> <span>dam</span> <span>.</span>" in preview
    )
    assert not Cluster.objects.exists()
    report = confirm(manager, answer, follow=True)
    text = report.content.decode()
    assert "Imported: <bdi>articles.jsonl</bdi>" in text and "Extract candidate pairs" in text
    assert (Cluster.objects.count(), Article.objects.count(), Sentence.objects.count()) == (2, 4, 8)
    assert list(uploads.iterdir()) == []
    listed = manager.get("/projects/floods/corpus/").content.decode()
    assert "articles.jsonl" in listed and f"/imports/{CorpusImport.objects.get().pk}/" in listed


def test_the_file_s_own_name_is_never_a_path(manager, url, tmp_path, uploads):
    answer = upload(manager, url, articles_file(tmp_path).read_bytes(), name="../../evil<b>.jsonl")
    token = CorpusImport.objects.get().token
    names = {path.name for path in uploads.iterdir()}
    assert names == {f"{token}.upload", f"{token}.json", f"{token}.records"}
    assert "<b>.jsonl" not in manager.get(answer.url).content.decode()


def test_leftovers_of_yesterday_are_swept_by_the_next_upload(manager, url, tmp_path, uploads):
    old, young = uploads / "old.upload", uploads / "young.upload"
    for path in (old, young):
        path.write_bytes(b"cut off")
    yesterday = uploads_module.leftovers_before() - 60
    os.utime(old, (yesterday, yesterday))
    upload(manager, url, articles_file(tmp_path).read_bytes())
    assert not old.exists() and young.exists()
