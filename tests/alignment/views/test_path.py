"""The way through the pages from a dataset to a downloaded export, with answers sent through the API."""

from __future__ import annotations

import hashlib
import io
import json
import uuid
import zipfile

import pytest
from django.urls import reverse

from alignment.models import Evaluation, Export, GoldAlignmentSet
from annotation.models import Batch, GoldSet, Label
from tests.factories.corpus import dataset_of


@pytest.fixture
def step(project, as_):
    """Send a form as the manager and return the page that follows."""

    def send(view, arguments=(), **fields):
        answer = as_("manager").post(reverse(view, args=[project.slug, *arguments]), fields, follow=True)
        assert answer.status_code == 200, answer.context["form"].errors
        return answer

    return send


def answer_all(client, batch, address, body_of):
    """Answer every item of one's queue as the annotation pages do."""
    while items := client.get(reverse("api-queue", args=[batch.pk])).json()["items"]:
        for item in items:
            answer = client.put(
                reverse(address, args=[item["assignment"]]),
                json.dumps({"version": item["version"], "milliseconds": 900} | body_of(item)),
                content_type="application/json",
                headers={"Idempotency-Key": str(uuid.uuid4())},
            )
            assert answer.status_code == 200, answer.content


def test_from_a_dataset_to_a_download(project, people, as_, step):
    dataset = dataset_of(project, 5)
    both = ["annotator-person", "second-person"]
    step("batch-new", dataset=dataset.pk, name="J", size=5, annotators=both, overlap=2, seed=1)
    batch = Batch.objects.get(name="J")
    for role, dissenting in (("annotator", ()), ("second", (1, 2))):
        answer_all(
            as_(role), batch, "api-judgement",
            lambda item, dissenting=dissenting: {
                "label": Label.NOT_PARAPHRASE if item["position"] in dissenting else Label.PARAPHRASE
            },
        )  # fmt: skip

    adjudicator = as_("adjudicator")
    page = adjudicator.get(reverse("review-batch", args=[project.slug, batch.pk]))
    address = reverse("adjudicate", args=[project.slug, page.context["next"].pk])
    for label in (Label.PARAPHRASE, Label.NOT_PARAPHRASE):
        answer = adjudicator.post(address, {"label": label, "version": 0, "basis": "1,1", "comment": ""})
        address = answer.headers["Location"]
    assert address == reverse("review-batch", args=[project.slug, batch.pk])

    step("gold-new", name="gold", batches=[batch.pk], rule="adjudicated")
    gold_set = GoldSet.objects.get()
    assert (gold_set.counts["pairs"], gold_set.counts["paraphrase"]) == (5, 4)

    step("link-new", gold_set=gold_set.pk, name="L", annotators=both, overlap=2, seed=1, suggester="identity")
    links = Batch.objects.get(name="L")
    assert links.items.count() == 4
    assert "Link 4 pairs" in as_("annotator").get(reverse("link", args=[project.slug])).content.decode()
    for role, strength in (("annotator", "sure"), ("second", "possible")):
        answer_all(
            as_(role), links, "api-alignment",
            lambda item, strength=strength: {
                "links": [[a, b, "sure" if n else strength, "accepted"]
                          for n, (a, b) in enumerate(item["suggestions"])],
                "submitted": True,
            },
        )  # fmt: skip
    detail = as_("manager").get(reverse("link-detail", args=[project.slug, links.pk]))
    assert detail.context["figures"].linked_by_all == 4

    step("gold-links-new", name="links", batch=links.pk, rule="papers")
    gold_links = GoldAlignmentSet.objects.get()
    assert gold_links.counts["possible_only"] == 4

    page = step("score", gold_set=gold_links.pk, aligner="identity").content.decode()
    scores = Evaluation.objects.get().scores
    assert scores["all"]["precision"] == 1.0
    assert "100.00" in page

    step(
        "export-new",
        gold_set=gold_set.pk,
        gold_links=gold_links.pk,
        format="all",
        strengths="as_drawn",
        seed=1,
    )
    export = Export.objects.get()
    fetched = reverse("export-download", args=[project.slug, export.pk])
    first, second = (b"".join(as_("manager").get(fetched).streaming_content) for _ in range(2))
    assert first == second
    assert hashlib.sha256(first).hexdigest() == export.sha256
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.testzip() is None
        assert "manifest.json" in archive.namelist()
        assert len(archive.read("links.pharaoh").decode().splitlines()) == 4
