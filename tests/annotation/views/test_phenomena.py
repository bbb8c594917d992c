"""The page of phenomena, its downloads, and the batch's setting."""

import uuid

import pytest
from django.urls import reverse

from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import dataset_of


@pytest.fixture
def batch(project, annotators):
    return judging_batch(project, annotators, size=2, dataset=dataset_of(project, 2))


@pytest.fixture
def count(as_, batch, annotators):
    def put(number=0, label="paraphrase", **phenomena):
        assignment = assignments_of(batch, annotators[0])[number]
        return as_("annotator").put(
            reverse("api-judgement", args=[assignment.pk]),
            {"label": label, "version": assignment.version, "phenomena": phenomena},
            content_type="application/json",
            headers={"Idempotency-Key": str(uuid.uuid4())},
        )

    return put


@pytest.fixture
def page(as_, project):
    return lambda **query: as_("manager").get(reverse("phenomena", args=[project.slug]), query)


def test_means_stand_under_their_dataset(page, batch, count):
    assert count(0, elaboration=2).status_code == 200
    assert count(1, elaboration=1, synonymy=1).status_code == 200
    answer = page()
    assert [name for name, _, _ in answer.context["rows"]] == [
        "Elaboration", "Phrasal", "Spelling", "Synonymy", "Anaphora", "Reordering",
    ]  # fmt: skip
    assert [cells[0]["value"] for _, cells, _ in answer.context["rows"]] == [1.5, 0, 0, 0.5, 0, 0]
    assert batch.dataset.name in answer.content.decode()


def test_the_setting_shows_the_second_step(project, batch, as_):
    answering = reverse("judge-batch", args=[project.slug, batch.pk])
    assert b'id="phenomena"' not in as_("annotator").get(answering).content
    setting = reverse("batch-phenomena", args=[project.slug, batch.pk])
    for scope, counted in (("paraphrases", 1), ("every_pair", 2)):
        as_("manager").post(setting, {"count_phenomena": scope})
        shown = as_("annotator").get(answering).content.decode()
        assert 'id="phenomenon-anaphora"' in shown
        assert shown.count("data-counts") == counted
    as_("manager").post(setting, {"count_phenomena": "none"})
    assert b'id="phenomena"' not in as_("annotator").get(answering).content
    assert as_("manager").post(setting, {"count_phenomena": "some"}).status_code == 404
