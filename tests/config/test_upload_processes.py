from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.parsers import MultiPartParser

from annotation.imports import GOLD
from corpus.imports import import_corpus
from projects.parsing import process
from tests.config.test_upload_types import UPLOADS
from tests.factories.alignment import gold_alignment_set
from tests.permissions.people import fresh_cache, people
from tests.permissions.test_matrix import patterns

__all__ = ["fresh_cache", "people"]

pytestmark = pytest.mark.django_db


TEXT = b"a\tOne dam broke.\nb\tOne dam has broken.\n"
CONTENTS = {
    "judgement-imports": b"1\tOne dam broke.\tOne dam has broken.\n",
    "link-imports": b"1 1 1\n",
    "classifiers": TEXT,
    "imports": b'{"cluster_id": "c", "articles": [{"id": "1", "text": "A dam broke."}]}\n',
}


@pytest.fixture(autouse=True)
def no_time(monkeypatch):
    for name in ("UPLOAD", "SOURCE"):
        monkeypatch.setattr(process, name, replace(getattr(process, name), seconds=0.0))


@pytest.mark.parametrize("address", CONTENTS)
def test_every_upload_of_the_api(people, address):
    sent = UPLOADS.get(address, {}) | {"file": SimpleUploadedFile("file.tsv", CONTENTS[address])}
    answer = people.client("manager").post(f"/api/v1/projects/dams/{address}/", sent, format="multipart")
    assert answer.status_code in (400, 422)
    assert "takes more than 0 s to read" in answer.content.decode()


def test_every_address_that_takes_files_is_among_them():
    known = {f"projects/<slug:slug>/{address}/" for address in CONTENTS}
    takes_files = {
        str(pattern.pattern)
        for pattern in patterns()
        if MultiPartParser in getattr(getattr(pattern.callback, "cls", None), "parser_classes", ())
    }
    assert len(takes_files) == len(known)
    assert all(any(one.endswith(address) for one in known) for address in takes_files)


@pytest.mark.parametrize("name", ["articles.jsonl", "articles.csv", "pages.zip"])
def test_every_kind_of_articles(people, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"PK\x03\x04" if name.endswith("zip") else CONTENTS["imports"])
    report = import_corpus(project=people.project, by=people["manager"], path=path, filename=name)
    assert report.refused and "takes more than 0 s to read" in report.problems[0]["message"]


FORMS = {
    "judgements-import": ({"encoding": "utf-8"}, {"file": CONTENTS["judgement-imports"]}),
    "link-import": (
        {"batch": "new", "whose": GOLD},
        {"file": CONTENTS["link-imports"]},
    ),
    "score-file": ({"name": "giza", "strengths": "as_drawn"}, {"file": b"0-0\n"}),
    "launch:train-classifier": ({"name": "new", "seed": 0, "c": 1}, {"pairs": TEXT}),
    "text-matching-new": ({}, {"first": TEXT, "second": TEXT}),
    "corpus-import": ({"encoding": "utf-8"}, {"file": CONTENTS["imports"]}),
}


@pytest.mark.parametrize("page", FORMS)
def test_every_form(people, page):
    fields, files = FORMS[page]
    if page == "score-file":
        fields |= {"gold_set": gold_alignment_set(people.project, people.annotators).pk}
    name, _, kind = page.partition(":")
    address = reverse(name, args=["dams", *filter(None, [kind])])
    client = people.client("manager")
    form = client.get(address).context["form"]
    given = {name: one.initial for name, one in form.fields.items() if one.initial not in (None, "", False)}
    sent = {name: SimpleUploadedFile(f"{name}.tsv", content) for name, content in files.items()}
    answer = client.post(address, given | fields | sent, follow=True)
    assert "takes more than 0 s to read" in answer.content.decode()
