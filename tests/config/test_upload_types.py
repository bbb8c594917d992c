import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from corpus.imports import import_corpus
from projects.models import Role
from tests.factories.corpus import member

pytestmark = pytest.mark.django_db

KINDS = {
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "gzip file": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
}
# Addresses that take a file, and the other fields.
UPLOADS = {
    "judgement-imports": {},
    "link-imports": {"batch": "new", "whose": "annotator:annotator"},
    "classifiers": {"name": "new"},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", UPLOADS)
def test_uploads(project, address, kind):
    member(project, Role.ANNOTATOR, "annotator")
    client = Client(headers={"Idempotency-Key": str(uuid.uuid4())})
    client.force_login(member(project, Role.MANAGER, "manager"))
    sent = UPLOADS[address] | {"file": SimpleUploadedFile("file.tsv", KINDS[kind])}
    answer = client.post(f"/api/v1/projects/dams/{address}/", sent)
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
