import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from corpus.imports import import_corpus
from projects.models import Role
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db

KINDS = {
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "gzip file": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
}
TEXT = b"a\tOne dam broke.\nb\tOne dam has broken.\n"
# Address, other fields, and the fields with files, each with a good one.
UPLOADS = {
    "judgement-imports": ({}, {"file": b""}),
    "link-imports": ({"batch": "new", "whose": "annotator:annotator"}, {"file": b""}),
    "classifiers": ({"name": "new"}, {"file": b""}),
}


@pytest.fixture
def project():
    project = ProjectFactory(slug="dams")
    member(project, Role.ANNOTATOR, "annotator")
    return project


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("address", "field"), [(a, f) for a, (_, files) in UPLOADS.items() for f in files])
def test_uploads(project, address, field, kind):
    client = Client(headers={"Idempotency-Key": str(uuid.uuid4())})
    client.force_login(member(project, Role.MANAGER, "manager"))
    fields, files = UPLOADS[address]
    contents = files | {field: KINDS[kind]}
    sent = {name: SimpleUploadedFile(f"{name}.tsv", content) for name, content in contents.items()}
    answer = client.post(f"/api/v1/projects/dams/{address}/", fields | sent)
    assert answer.status_code in (400, 422)
    assert kind in answer.content.decode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["articles.jsonl", "articles.csv", "pages.zip", "upload"])
def test_articles(project, tmp_path, name, kind):
    path = tmp_path / name
    path.write_bytes(KINDS[kind])
    report = import_corpus(project=project, by=project.created_by, path=path, filename=name)
    assert report.refused and kind in report.problems[0]["message"]
    assert not project.clusters.exists()
