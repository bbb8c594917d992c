import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import GoldSet

LINES = "4.5\t<b>A dam</b> broke.\tThe dam broke.\n1.5\tRain fell.\tIt was dry.\n"


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def send(as_, project):
    """Send a file as the manager; the page that follows, and its address."""

    def send(content=LINES, filename="STS.tsv", **fields):
        client, address = as_("manager"), reverse("judgements-import", args=[project.slug])
        file = SimpleUploadedFile(filename, content.encode())
        page = client.post(address, {"file": file, "encoding": "utf-8", **fields}, follow=True)
        return client, page, page.redirect_chain[-1][0] if page.redirect_chain else address

    return send


def test_the_first_look_says_what_is_missing_and_another_reading_makes_gold(send, uploads):
    client, page, address = send()
    text = page.content.decode()
    assert "1 problem<" in text and "Give a threshold: the minimum similarity of a paraphrase." in text
    look = client.post(address, {"check": "", "threshold": "4"}, follow=True)
    assert dict(look.context["counts"]) == {"pairs": 2, "paraphrase": 1, "not paraphrase": 1}
    text = look.content.decode()
    assert "&lt;b&gt;A dam&lt;/b&gt; broke." in text and "Nothing is imported yet" in text
    assert 'name="threshold" value="4.0"' in text
    assert not GoldSet.objects.exists()
    text = client.post(address, {"confirm": ""}, follow=True).content.decode()
    assert "STS.tsv is imported: 2 pairs." in text
    assert "Imported: the labels came with a file and are final." in text
    assert GoldSet.objects.get().name == "STS"
    assert list(uploads.iterdir()) == []
    again = client.post(address, {"confirm": ""}, follow=True).content.decode()
    assert "it cannot be stored now" in again
