import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from alignment.models import WordLink
from annotation.models import Batch
from corpus.models import Cluster, CorpusImport

ROW = {"id": "7", "source": "The dam 's wall", "target": "A dam wall", "sureAlign": "1-1 3-2"}
EDINBURGH = json.dumps([ROW | {"possibleAlign": "0-0"}])
FORMATS = [
    ("rte.json", EDINBURGH, "", ""),
    ("rte.tsv", "7\ta\t\tA\t\t\t\t0-0\t\n", "", ""),
    ("rte.pharaoh", "0-0 1?1\n", "a b\n", "A b\n"),
]


@pytest.fixture
def send(project, as_):
    """Send files as the manager; the page that follows, and its address."""

    def send(name, links, source="", target="", **fields):
        form = {"batch": "rte", "whose": "annotator:annotator-person", **fields}
        form["file"] = SimpleUploadedFile(name, links.encode())
        if source:
            form["source"] = SimpleUploadedFile("a.txt", source.encode())
            form["target"] = SimpleUploadedFile("b.txt", target.encode())
        address = reverse("link-import", args=[project.slug])
        page = as_("manager").post(address, form, follow=True)
        return page, page.redirect_chain[-1][0] if page.redirect_chain else address

    return send


@pytest.fixture
def press(as_):
    """Press a button of the page of an import."""

    def press(address, button="confirm", **fields):
        return as_("manager").post(address, fields | {button: ""}, follow=True)

    return press


def waiting():
    """The uploads that are kept; tests share the folder."""
    return {path for path in Path(settings.UPLOADS_DIR).glob("*") if path.is_file()}


@pytest.mark.parametrize(("name", "links", "source", "target"), FORMATS)
def test_links_are_shown_first_and_then_imported(send, press, name, links, source, target):
    before = waiting()
    preview, address = send(name, links, source, target)
    page = preview.content.decode()
    assert "Nothing is imported yet" in page and "It makes the batch rte." in page
    assert page.count('<path class="sure"') > 1
    assert not (Batch.objects.exists() or Cluster.objects.exists())
    done = press(address)
    batch = Batch.objects.get()
    assert done.redirect_chain[-1][0].endswith(f"/link/{batch.pk}/")
    assert (batch.name, batch.corpus_import.filename, batch.items.count()) == ("rte", name, 1)
    assert WordLink.objects.filter(origin="imported", strength="sure").exists()
    assert waiting() == before


def test_what_changed_since_the_preview_is_told_there(send, press):
    _, stale = send("rte.json", EDINBURGH)
    press(send("other.json", json.dumps([ROW]))[1])
    answer = press(stale)
    assert "has other links for pair 1" in answer.content.decode()
    assert CorpusImport.objects.get(filename="rte.json").state == "refused"
