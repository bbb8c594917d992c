"""The page of a model that answered, the form that has it answer, and what export and freeze say of it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import GoldSet, ModelAnnotator
from annotation.services.model_answers import launch_answers
from annotation.specs import ModelSpec
from projects.models import Role
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import member
from tests.factories.exports import export_contents
from tests.factories.models import answered_by_model

pytestmark = pytest.mark.django_db
YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def manager(client, project):
    client.force_login(member(project, Role.MANAGER, "boss"))
    return client


@pytest.fixture
def batch(project):
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben", "cas")]
    batch = judging_batch(project, people, size=30)
    for user, labels in zip(people, ([YES], [YES], [YES, YES, NO]), strict=True):
        judge_all(batch, user, labels)
    return batch


def page(manager, name, project, *arguments, query=""):
    return manager.get(reverse(name, args=[project.slug, *arguments]) + query)


def test_the_page_of_a_model(manager, project, batch):
    model = answered_by_model(batch, threshold=0.0, price=0.5)  # calls everything a paraphrase
    shown = page(manager, "model-annotator", project, model.pk).content.decode()
    assert "average advantage probability" in shown
    assert "15.00" in shown  # 30 answers at 0.5
    answer = page(manager, "model-annotator", project, model.pk, query="?format=json&people=crowd").json()
    assert answer["test"]["epsilon"] == 0.1
    assert [row["observed"]["value"] for row in answer["annotators"]] == [1.0, 1.0, pytest.approx(2 / 3)]
    assert [row["won"] for row in answer["annotators"]] == [True, True, True]
    assert str(model) in page(manager, "batch", project, batch.pk).content.decode()


def test_before_the_job_is_done(manager, project, batch):
    spec = ModelSpec(scorer="bleu", threshold=0.5)
    model = launch_answers(project=project, by=None, batch=batch, spec=spec)
    shown = page(manager, "model-annotator", project, model.pk)
    assert shown.status_code == 200
    assert "Nobody has judged a pair that it answered so far" in shown.content.decode()


def test_the_form(manager, project, batch):
    launch = reverse("launch", args=[project.slug, "answer-batch"])
    refused = manager.post(launch, {"batch": batch.pk, "scorer": "bleu"})
    assert refused.status_code == 422
    assert "Say from which score on" in refused.content.decode()
    made = manager.post(launch, {"batch": batch.pk, "scorer": "bleu", "threshold": "0.3"})
    model = ModelAnnotator.objects.get()
    assert made.headers["Location"] == reverse("model-annotator", args=[project.slug, model.pk])
    assert model.parameters["settings"] == {"language": project.language}


def test_gold_names_the_model_on_its_page_and_card(manager, project, batch):
    model = answered_by_model(batch, threshold=1.1)  # calls nothing a paraphrase
    launch = reverse("launch", args=[project.slug, "freeze-gold-set"])
    chosen = {"name": "with", "batches": batch.pk, "rule": "majority", "models": model.pk}
    forecast = manager.post(launch, {**chosen, "preview": "yes"}).content.decode()
    assert "30 of 30 pairs" in forecast
    manager.post(launch, chosen)
    gold = GoldSet.objects.get()
    assert list(gold.model_annotators.all()) == [model]
    # Two of four labels are no majority: the ten pairs on which one person said no as well.
    assert gold.counts["model_decided"] == 10
    shown = page(manager, "gold-set", project, gold.pk).content.decode()
    assert "labels decided by a model" in shown and f"model {model}" in shown
    card = export_contents(gold_set=gold)[0]["README.md"].decode()
    assert f"answers of {model} count as those of further annotators" in card
    assert "10 labels are decided by them" in card
    assert "4 annotators, under pseudonyms. 1 of them is a model." in card
