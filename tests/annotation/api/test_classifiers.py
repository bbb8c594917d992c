"""Classifiers, their runs and lexicons over the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import TrainedClassifier
from tests.factories.classifiers import finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(people):
    return people.client("manager")


def test_a_file_of_labelled_pairs_trains_one(people, manager):
    lines = [
        f"{n % 2}\tthe dam {n} was mended by the council\t"
        + (f"the council mended the dam {n}" if n % 2 else f"police close a market {n}")
        for n in range(24)
    ]
    address = f"/api/v1/projects/{people.project.slug}/classifiers/"
    body = {"name": "file", "classes": ["string", "overlap"], "c": "0.1"}
    sent = SimpleUploadedFile("own.tsv", "\n".join(lines).encode())
    answer = manager.post(address, body | {"file": sent}, "multipart")
    assert answer.status_code == 201, answer.content
    classifier = finished(TrainedClassifier.objects.get(pk=answer.json()["id"]))
    assert classifier.imported_from.startswith("own.tsv, SHA-256 ")
    assert classifier.figures["classes"] == ["string", "overlap"]
    assert classifier.figures["pairs"] == 24
    # What a form leaves out is as in JSON: the report is measured.
    assert len(classifier.figures["curve"]) == 5
