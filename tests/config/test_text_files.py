import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import TrainedClassifier
from corpus.models import CorpusImport, Extraction, ImportState
from projects.models import Role
from tests.factories.classifiers import TRAINING_FORM
from tests.factories.corpus import member

pytestmark = pytest.mark.django_db

CLUSTER = {"cluster_id": "dam", "articles": [{"id": "1", "title": "Café", "text": "A dam broke."}]}
LINKED = [{"id": "7", "source": "Café", "target": "A café", "sureAlign": "0-1", "possibleAlign": ""}]
LABELLED = "".join(
    f"{n % 2}\tThe dam {n} was shut, café.\tThe dam {n} {('is open', 'was shut')[n % 2]}.\n"
    for n in range(24)
)
MATCHING = {
    "name": "café",
    "method": "exact",
    "encoder": "default",
    "permutations": "16",
    "threshold": "0.3",
    "seed": "1",
}
GOLD = {"batch": "rte", "whose": "gold", "format": ""}
TRAINING = {**TRAINING_FORM, "gold_set": ""}


@dataclass(frozen=True)
class Upload:
    """A form: the fields that take a file with their names and texts, and what is sent besides."""

    files: dict[str, tuple[str, str]]
    fields: dict[str, Any] = field(default_factory=dict)


FORMS = {
    "corpus-import": Upload({"file": ("news.jsonl", json.dumps(CLUSTER) + "\n")}),
    "judgements-import": Upload({"file": ("judged.tsv", "1\tA café.\tThe café.\n")}),
    "text-matching-new": Upload(
        {
            "first": ("a.tsv", "a\tA café opened.\nb\tThe café opened.\n"),
            "second": ("b.tsv", "c\tA café, opened.\n"),
        },
        MATCHING,
    ),
    "launch:train-classifier": Upload({"pairs": ("pairs.tsv", LABELLED)}, TRAINING),
    "link-import": Upload({"file": ("links.json", json.dumps(LINKED, ensure_ascii=False))}, GOLD),
    "link-import with sentences": Upload(
        {"file": ("links.txt", "0-1\n"), "source": ("a.txt", "Café\n"), "target": ("b.txt", "A café\n")}, GOLD
    ),
}


@pytest.fixture
def client(project):
    client = Client()
    client.force_login(member(project, Role.MANAGER, "mia"))
    return client


def address_of(form, project):
    name, _, kind = form.partition(" ")[0].partition(":")
    return reverse(name, args=[project.slug, *filter(None, [kind])])


def send(client, project, form, contents, **more):
    upload = FORMS[form]
    files = {name: SimpleUploadedFile(upload.files[name][0], data) for name, data in contents.items()}
    address = address_of(form, project)
    return client.post(address, {"encoding": "utf-8", **upload.fields, **files, **more}, follow=True)


def encoded(form, encoding):
    return {name: text.encode(encoding) for name, (_, text) in FORMS[form].files.items()}


def is_read(form, answer):
    """Whether the file was understood: what was made of it is there, or is shown before it is stored."""
    page = answer.content.decode()
    if form == "corpus-import":
        return CorpusImport.objects.get().state == ImportState.CHECKED and "Café" in page
    if form == "text-matching-new":
        return Extraction.objects.exists()
    if form == "launch:train-classifier":
        return TrainedClassifier.objects.exists()
    return answer.status_code == 200 and "café" in page


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("encoding", "chosen"),
    [("utf-16", "utf-8"), ("utf-16-le", "utf-16-le")],
    ids=["by its mark", "chosen without a mark"],
)
def test_another_encoding_is_recognised_or_chosen(client, project, form, encoding, chosen):
    page = client.get(address_of(form, project)).content.decode()
    assert f'<option value="{chosen}"' in page
    answer = send(client, project, form, encoded(form, encoding), encoding=chosen)
    assert is_read(form, answer), answer.content.decode()
