"""The classifier forms say what they process and how long it takes, and ask again before a long launch."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import TrainedClassifier
from annotation.services.classifiers import training
from projects.models import Project
from tests.factories.classifiers import TRAINING_FORM, learnable_dataset, learnable_gold
from tests.factories.corpus import slow_job

pytestmark = pytest.mark.django_db


def test_a_long_training_is_confirmed_and_launched_once(project: Project, as_: Any) -> None:
    gold = learnable_gold(project, learnable_dataset(project))
    manager: Client = as_("manager")
    address = reverse("classifier-new", args=[project.slug])
    shown = manager.get(address).content.decode()
    assert "30 labelled pairs in up to" in shown and "Estimated time: <b>about 5 s" in shown
    assert "cautious estimates" in shown
    slow_job(project, training.KIND)
    fields = TRAINING_FORM | {"gold_set": gold.pk}
    asked = manager.post(address, fields)
    assert asked.status_code == 422
    assert 'name="confirmed"' in asked.content.decode()
    assert "estimated from past jobs" in asked.content.decode()
    assert not TrainedClassifier.objects.exists()
    assert manager.post(address, fields | {"confirmed": "on"}).status_code == 302
    assert TrainedClassifier.objects.get().job.parameters["work"]["expected"] > 0


def test_the_pairs_of_a_file_are_counted(project: Project, as_: Any) -> None:
    slow_job(project, training.KIND)
    manager: Client = as_("manager")
    address = reverse("classifier-new", args=[project.slug])
    assert "For each 1,000 pairs of a file" in manager.get(address).content.decode()
    lines = b"".join(b"%d\tthe dam %d was shut\tthe dam %d is open\n" % (n % 2, n, n) for n in range(24))

    def fields(**more: str) -> dict[str, Any]:
        return TRAINING_FORM | {"gold_set": "", "pairs": SimpleUploadedFile("own.tsv", lines)} | more

    asked = manager.post(address, fields())
    assert asked.status_code == 422
    assert "24 labelled pairs" in asked.content.decode()
    assert "Choose the file again" in asked.content.decode()
    assert manager.post(address, fields(confirmed="on")).status_code == 302
    assert TrainedClassifier.objects.count() == 1


def test_measuring_aligners_adds_their_time(project: Project) -> None:
    dataset = learnable_dataset(project)
    dataset.size = 100_000
    without, aligned = (training.training_cost(30, 5, aligned=one) for one in (None, dataset))
    assert aligned.seconds > without.seconds + 10 * 100_000 * 0.001
    assert "10 aligners trained on at most 100,000 pairs" in aligned.processes
    # A job with such further work says too little about the rate of the others.
    assert without.work and not aligned.work
