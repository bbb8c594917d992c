"""Links are uploaded, shown as they would be imported, and imported when that is confirmed."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from alignment.models import WordLink
from annotation.models import Batch
from corpus.models import Cluster

ROW = {"id": "7", "source": "The dam 's wall", "target": "A dam wall", "sureAlign": "1-1 3-2"}
EDINBURGH = json.dumps([ROW | {"possibleAlign": "0-0"}])
FORMATS = [
    ("rte.json", EDINBURGH, "", ""),
    ("rte.tsv", "7\ta\t\tA\t\t\t\t0-0\t\n", "", ""),
    ("rte.pharaoh", "0-0 1?1\n", "a b\n", "A b\n"),
]


@pytest.fixture
def address(project):
    return reverse("link-import", args=[project.slug])


@pytest.fixture
def upload(address, as_):
    """Send files as the manager, and return the page that follows."""

    def send(name, links, source="", target="", **fields):
        form = {"batch": "rte", "whose": "annotator:annotator-person", "format": "", **fields}
        form["file"] = SimpleUploadedFile(name, links.encode())
        if source:
            form["source"] = SimpleUploadedFile("a.txt", source.encode())
            form["target"] = SimpleUploadedFile("b.txt", target.encode())
        return as_("manager").post(address, form, follow=True)

    return send


@pytest.fixture
def decide(address, as_):
    """Press a button of the preview."""

    def send(preview, button="confirm"):
        form = preview.context["form"]
        tokens = {name: upload.token for name, upload in preview.context["uploads"].items()}
        chosen = {field.name: field.value() for field in form}
        return as_("manager").post(address, tokens | chosen | {button: "1"}, follow=True)

    return send


def waiting():
    """The uploads that are kept; tests share the folder."""
    return {path for path in Path(settings.UPLOADS_DIR).glob("*") if path.is_file()}


@pytest.mark.parametrize(("name", "links", "source", "target"), FORMATS)
def test_links_are_shown_first_and_then_imported(upload, decide, name, links, source, target):
    before = waiting()
    preview = upload(name, links, source, target)
    page = preview.content.decode()
    assert (preview.status_code, "nothing is written yet" in page) == (200, True)
    assert page.count('<path class="sure"') > 1
    assert not (Batch.objects.exists() or Cluster.objects.exists())
    done = decide(preview)
    batch = Batch.objects.get()
    assert done.redirect_chain[-1][0].endswith(f"/link/{batch.pk}/")
    assert (batch.name, batch.corpus_import.filename, batch.items.count()) == ("rte", name, 1)
    assert WordLink.objects.filter(origin="imported", strength="sure").exists()
    assert waiting() == before


def test_a_broken_file_is_refused_with_its_line_under_its_own_name(upload):
    answer = upload("mine.pharaoh", "0-0\n0-9\n", "a\nb\n", "a\nb\n")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "mine.pharaoh" in page
    assert "points outside its sentences" in page
    assert str(settings.UPLOADS_DIR) not in page
    assert answer.context["problem"].line == 2
    assert not Batch.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "links.doc", "links": "no links at all\n"}, "The format is not known"),
        ({"whose": "annotator:nobody"}, "Select a valid choice"),
        ({"name": "x.pharaoh", "links": "0-0\n"}, "contains no text"),
        ({"links": "[]"}, "has no pair"),
    ],
)
def test_what_cannot_be_imported_is_said(upload, fields, said):
    answer = upload(**({"name": "rte.json", "links": EDINBURGH} | fields))
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_what_changed_since_the_preview_is_told_there(upload, decide):
    stale = upload("rte.json", EDINBURGH)
    decide(upload("other.json", json.dumps([ROW])))
    answer = decide(stale)
    assert answer.status_code == 422
    assert "has other links for pair 1" in answer.content.decode()


def test_one_of_several_people_is_chosen_beside_the_problem(upload, decide, address, as_):
    rows = [ROW | {"annotator": name} for name in ("anna", "bob")]
    refused = upload("rte.json", json.dumps(rows))
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "The file has the answers of 2 people: anna and bob." in page
    assert "Read it this way" in page
    fields = {field.name: field.value() for field in refused.context["form"]}
    tokens = {name: kept.token for name, kept in refused.context["uploads"].items()}
    preview = as_("manager").get(address, fields | tokens | {"judge": "bob"})
    assert preview.status_code == 200
    decide(preview)
    assert Batch.objects.get().items.count() == 1


def test_columns_are_named_where_they_are_not_usual(as_, project, address):
    manager = as_("manager")
    content = b"first,second,drawn\nA dam broke,The dam burst,1-1\n"
    fields = {"batch": "theirs", "whose": "gold", "encoding": "utf-8", "format": "table"}
    sent = {"file": SimpleUploadedFile("links.csv", content)}
    page = manager.post(address, fields | sent, follow=True)
    assert page.status_code == 422
    assert "The column source is missing" in page.content.decode()
    token = page.context["uploads"]["file"].token
    chosen = fields | {"file": token, "columns": "source=first,target=second,sure=drawn"}
    preview = manager.get(address, chosen)
    assert preview.status_code == 200, preview.content.decode()[:2000]
    assert manager.post(address, chosen | {"confirm": "1"}).status_code == 302
    assert project.gold_alignment_sets.get().counts["pairs"] == 1
