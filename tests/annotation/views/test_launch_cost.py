"""The classifier forms say what they process and how long it takes, and ask again before a long launch."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import TrainedClassifier
from annotation.services.classifiers import training
from tests.factories.classifiers import TRAINING_FORM, learnable_dataset, learnable_gold
from tests.factories.corpus import slow_job

pytestmark = pytest.mark.django_db


def test_a_long_training_is_confirmed_and_launched_once(project, as_):
    gold = learnable_gold(project, learnable_dataset(project))
    manager: Client = as_("manager")
    address = reverse("launch", args=[project.slug, "train-classifier"])
    shown = manager.get(address).content.decode()
    assert "30 labelled pairs in up to" in shown and "Estimated time: <b>about 5 s" in shown
    assert "cautious estimates" in shown
    slow_job(project, training.KIND)
    fields = TRAINING_FORM | {"gold_set": gold.pk}
    asked = manager.post(address, fields)
    assert asked.status_code == 422
    assert 'name="confirmed_time"' in asked.content.decode()
    assert "estimated from past jobs" in asked.content.decode()
    assert not TrainedClassifier.objects.exists()
    assert manager.post(address, fields | {"confirmed_time": "on"}).status_code == 302
    assert TrainedClassifier.objects.get().job.parameters["work"]["expected"] > 0
