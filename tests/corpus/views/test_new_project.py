import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Cluster, CorpusImport, Extraction
from projects.models import Project, Role
from tests.audit import events
from tests.factories.corpus import UserFactory, member
from tests.factories.house import articles_file, client_of
from tests.projects.views import test_projects

NEW = test_projects.NEW | {"name": "Floods", "seed": "1", "encoding": "utf-8"}
del NEW["held_out_share"]  # it is asked for before the import


@pytest.fixture
def admin(db, uploads):
    return client_of(UserFactory(username="mary", is_superuser=True))


@pytest.fixture
def content(tmp_path):
    return articles_file(tmp_path, clusters=10).read_bytes()


def sent(content, name="floods.jsonl", **fields):
    return NEW | {"file": SimpleUploadedFile(name, content)} | fields


def test_the_file_is_checked_and_the_share_is_asked_before_it_is_imported(admin, content):
    answer = admin.post("/projects/new/", sent(content))
    source = CorpusImport.objects.get()
    assert answer.url == f"/projects/floods/corpus/imports/{source.pk}/"
    page = admin.get(answer.url)
    assert page.context["confirmation"]["held_out_share"].value() == 0.2
    assert not Cluster.objects.exists()
    for share in ("0.95", "nan", "-0.1"):
        wrong = admin.post(answer.url, {"confirm": "", "held_out_share": share})
        assert wrong.status_code == 422 and not Cluster.objects.exists()
    admin.post(answer.url, {"confirm": "", "held_out_share": "0.5"})
    project = Project.objects.get()
    held_out = set(Cluster.objects.filter(held_out=True).values_list("key", flat=True))
    assert project.held_out_share == 0.5 and 0 < len(held_out) < Cluster.objects.count()
    assert all(project.holds_out(key) for key in held_out)
    assert events(event="project-changed") == ["project-changed"]
    assert not Extraction.objects.exists(), "it was not chosen"
    again = admin.post("/projects/floods/corpus/import/", sent(content.replace(b"council", b"mayor")))
    assert "held_out_share" not in admin.get(again.url).context["form"].fields


def test_an_upload_that_is_gone_or_another_person_s_is_not_taken(admin, content, db):
    token = admin.post("/projects/new/", sent(content, preview="1")).context["upload"].token
    project = Project.objects.create(slug="other", name="Other", created_by=UserFactory())
    other = client_of(member(project, Role.MANAGER, "mia"))
    answer = other.post("/projects/new/", NEW | {"upload": token})
    assert answer.status_code == 422 and "upload the file again" in answer.content.decode()
    assert Project.objects.count() == 1
