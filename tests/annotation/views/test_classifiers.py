"""The classifier pages: training, the report, applying, why a pair is decided so, the next batch."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import GoldSet, TrainedClassifier
from annotation.services.gold import freeze_gold_set
from tests.factories.annotation import assignments_of, judge
from tests.factories.classifiers import (
    TRAINING_FORM,
    applied,
    finished,
    learnable_dataset,
    learnable_gold,
    trained,
)
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db
As = Callable[[str], Client]


@pytest.fixture(scope="module")
def gold_of_module(module_database):
    project = ProjectFactory(slug="dams", name="Dams")
    return learnable_gold(project, learnable_dataset(project)).pk


@pytest.fixture
def gold(gold_of_module):
    return GoldSet.objects.get(pk=gold_of_module)


@pytest.fixture
def project(gold):
    return gold.project


@pytest.fixture
def dataset(gold):
    return gold.batches.get().dataset


def url(name, project, pk=None):
    return reverse(name, args=[project.slug] if pk is None else [project.slug, pk])


def applying(project, classifier):
    return f"{url('launch', project, 'apply-classifier')}?classifier={classifier.pk}"


def text_of(response):
    return response.content.decode()


def training(**fields):
    return TRAINING_FORM | fields


def test_a_classifier_is_trained_and_reported(project, gold, as_):
    manager = as_("manager")
    sent = manager.post(
        url("launch", project, "train-classifier"),
        training(gold_set=gold.pk, bootstrap=gold.batches.get().dataset_id),
    )
    classifier = TrainedClassifier.objects.get()
    assert sent.headers["Location"] == url("classifier", project, classifier.pk)
    waiting = text_of(manager.get(url("classifier", project, classifier.pk)))
    assert "Waiting for a worker" in waiting
    assert "cross-validations" in waiting
    finished(classifier)
    page = text_of(manager.get(url("classifier", project, classifier.pk)))
    for heading in (
        "Cross-validation results",
        "Thresholds",
        "Learning curve",
        "Calibration",
        "Feature classes",
        "Effect of bootstrapping",
    ):
        assert heading in page
    assert "<code>string:" in page
    assert page.count("<svg") == 3
    assert classifier.sha256 in page
    assert f"{100 * classifier.figures['measures']['error']:.2f}" in page
    file = reverse("api-classifier-file", args=[classifier.pk])
    assert f'href="{file}"' in page
    assert manager.get(file).content == bytes(classifier.model)
    listed = text_of(manager.get(url("classifiers", project)))
    assert "svm v1" in listed
    assert f"{100 * classifier.figures['measures']['f']:.2f}" in listed


def test_the_next_batch_is_drawn_from_the_page_and_audits_the_run(project, dataset, gold, as_, annotators):
    run = applied(trained(project, gold), dataset)
    manager = as_("manager")
    query = f"dataset={run.dataset_id}&by=uncertainty&run={run.pk}"
    form = text_of(manager.get(f"{url('launch', project, 'draw-judging-batch')}?{query}"))
    assert '<option value="uncertainty" selected>' in form
    sent = manager.post(
        url("launch", project, "draw-judging-batch"),
        {
            "name": "next", "dataset": dataset.pk, "size": 8, "annotators": [annotators[0].username],
            "overlap": 1, "seed": 1, "by": "uncertainty", "run": run.pk, "audit": 50,
        },
    )  # fmt: skip
    assert sent.status_code == 302, text_of(sent)
    batch = project.batches.get(name="next")
    assert "50 % at random for an audit" in text_of(manager.get(url("batch", project, batch.pk)))
    address = url("classifier-run", project, run.pk)
    assert "4 pairs kept apart wait to be judged" in text_of(manager.get(address))
    for assignment in assignments_of(batch, annotators[0]):
        even = int(assignment.item.pair.sentence_a.text.split()[-1]) % 2 == 0
        judge(assignment, "paraphrase" if even else "not_paraphrase")
    freeze_gold_set(project=project, by=None, name="more", batches=[batch])
    assert "From 4 pairs drawn at random from what had not been judged" in text_of(manager.get(address))
