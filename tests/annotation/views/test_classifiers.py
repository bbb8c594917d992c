"""The classifier pages: training, the report, applying, why a pair is decided so, the next batch."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import GoldSet, TrainedClassifier
from tests.factories.classifiers import TRAINING_FORM, finished, learnable_dataset, learnable_gold
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
    assert " (string)</th>" in page
    assert page.count("<svg") == 3
    assert classifier.sha256 in page
    assert f"{100 * classifier.figures['measures']['error']:.2f}" in page
    file = reverse("api-classifier-file", args=[classifier.pk])
    assert f'href="{file}"' in page
    assert manager.get(file).content == bytes(classifier.model)
    listed = text_of(manager.get(url("classifiers", project)))
    assert "svm v1" in listed
    assert f"{100 * classifier.figures['measures']['f']:.2f}" in listed
