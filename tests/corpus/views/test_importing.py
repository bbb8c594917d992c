import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import CorpusImport
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


def test_the_file_s_own_name_is_never_a_path(manager, url, tmp_path, uploads):
    answer = upload(manager, url, articles_file(tmp_path).read_bytes(), name="../../evil<b>.jsonl")
    token = CorpusImport.objects.get().token
    names = {path.name for path in uploads.iterdir()}
    assert names == {f"{token}.upload", f"{token}.json", f"{token}.records"}
    assert "<b>.jsonl" not in manager.get(answer.url).content.decode()
