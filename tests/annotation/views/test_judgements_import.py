"""Importing judgements on the page: upload, look, import; and in the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Batch, GoldSet, Judgement

LINES = "4.5\t<b>A dam</b> broke.\tThe dam broke.\n1.5\tRain fell.\tIt was dry.\n"


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path


@pytest.fixture
def address(project):
    return reverse("judgements-import", args=[project.slug])


@pytest.fixture
def uploaded(as_, address):
    """The address of the preview, its token and the manager's client."""
    client = as_("manager")
    answer = client.post(
        address, {"file": SimpleUploadedFile("STS.tsv", LINES.encode()), "encoding": "utf-8"}
    )
    assert answer.status_code == 302
    preview = answer.headers["Location"]
    return client, preview, preview.rpartition("=")[2]


def options(token, **asked):
    return {"upload": token, "become": "gold", "name": "STS", "format": "auto", "threshold": "4"} | asked


def test_the_first_look_says_what_is_missing(uploaded):
    client, preview, _ = uploaded
    page = client.get(preview).content.decode()
    assert "1 problem<" in page
    assert "Give a threshold: the minimum similarity of a paraphrase." in page
    assert 'value="STS"' in page
    assert not GoldSet.objects.exists()


def test_read_another_way_and_imported_as_gold(uploaded, address):
    client, _, token = uploaded
    look = client.get(address, options(token))
    assert [(word, count) for word, count in look.context["labels"]] == [
        ("Paraphrase", 1), ("Not a paraphrase", 1),
    ]  # fmt: skip
    assert "&lt;b&gt;A dam&lt;/b&gt; broke." in look.content.decode()
    assert not GoldSet.objects.exists()
    answer = client.post(address, options(token), follow=True)
    page = answer.content.decode()
    assert "STS.tsv is imported: 2 pairs." in page
    assert "Imported: the labels came with a file and are final." in page
    assert client.get(f"{address}?upload={token}").status_code == 302  # the upload is used up


def test_imported_as_an_annotators(uploaded, address, people, project):
    client, _, token = uploaded
    without = client.post(address, options(token, become="annotator"))
    assert without.status_code == 422
    assert "Choose whose judgements these are." in without.content.decode()
    answer = client.post(
        address, options(token, become="annotator", annotator="annotator-person"), follow=True
    )
    assert answer.status_code == 200
    assert "from <bdi>STS.tsv</bdi>" in answer.content.decode()
    assert Judgement.objects.filter(assignment__annotator=people["annotator"]).count() == 2
    gold = client.get(reverse("gold", args=[project.slug]))
    assert gold.status_code == 200


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"threshold": "9"}, "less than or equal to 5"),
        ({"partial_threshold": "4.5"}, "lower than the threshold"),
        ({"name": ""}, "This field is required"),
        ({"format": "msr"}, "The header is missing"),
    ],
)
def test_what_does_not_fit_is_told_and_writes_nothing(uploaded, address, asked, message):
    client, _, token = uploaded
    answer = client.post(address, options(token, **asked))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Batch.objects.exists()


def test_contradicting_labels_are_named_before_gold_is_frozen(as_, address):
    client = as_("manager")
    lines = "1\tA dam broke.\tThe dam broke.\n0\tThe dam broke.\tA dam broke.\n"
    sent = client.post(address, {"file": SimpleUploadedFile("a.tsv", lines.encode()), "encoding": "utf-8"})
    preview = client.get(sent.headers["Location"])
    note = "The same two sentences have different labels: lines 1 and 2."
    assert note in preview.content.decode()
    choices = options(preview.context["upload"].token, name="gold", threshold="")
    refused = client.post(address, choices)
    assert refused.status_code == 422
    assert "Correct the labels, or choose to keep contradictions" in refused.content.decode()
    assert not GoldSet.objects.exists()
    assert client.post(address, choices | {"keep_contradictions": "on"}).status_code == 302
    assert GoldSet.objects.get().counts["pairs"] == 2


def test_the_people_of_a_file_are_named_and_one_is_chosen(as_, address):
    client = as_("manager")
    lines = "a,b,label,annotator\nA dam.,The dam.,1,ann\nA dam.,The dam.,0,ben\n"
    sent = client.post(address, {"file": SimpleUploadedFile("a.csv", lines.encode()), "encoding": "utf-8"})
    preview = client.get(sent.headers["Location"])
    assert "The file has the answers of 2 people: ann and ben." in preview.content.decode()
    choices = options(preview.context["upload"].token, judge="ben", threshold="")
    assert [word for word, _ in client.get(address, choices).context["labels"]] == ["Not a paraphrase"]
    assert client.post(address, choices).status_code == 302


def test_columns_are_chosen_beside_the_preview(as_, address):
    client = as_("manager")
    file = SimpleUploadedFile("twins.csv", b"left,right,same\nA dam broke.,The dam broke.,1\nRain.,Sun.,0\n")
    answer = client.post(address, {"file": file, "encoding": "utf-8"})
    token = answer.headers["Location"].rpartition("=")[2]
    first = client.get(answer.headers["Location"]).content.decode()
    assert "columns instead of 3" in first
    assert '<option value="left">left</option>' in first
    assert '<option value="2">2: right</option>' in first
    chosen = {"column_a": "left", "column_b": "right", "column_label": "same", "threshold": ""}
    look = client.get(address, options(token, **chosen))
    assert [(word, count) for word, count in look.context["labels"]] == [
        ("Paraphrase", 1), ("Not a paraphrase", 1),
    ]  # fmt: skip
    client.post(address, options(token, **chosen))
    assert GoldSet.objects.get().counts["pairs"] == 2
