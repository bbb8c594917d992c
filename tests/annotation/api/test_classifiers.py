"""Classifiers, their runs and lexicons over the API."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.models import ClassifierRun, TrainedClassifier
from corpus.services.lexicons import launch_lexicon
from paragold.classification.settings import LexiconSpec
from tests.factories.classifiers import finished, learnable_dataset, learnable_gold
from tests.permissions.people import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(people: People) -> APIClient:
    return people.client("manager")


def explained(client: APIClient, classifier: TrainedClassifier, pair: int) -> Any:
    url = reverse("classifier-pair", args=[classifier.project.slug, classifier.pk])
    return client.get(url, {"format": "json", "pair": pair})


def test_the_loop_by_api(people: People, manager: APIClient) -> None:
    project = people.project
    dataset = learnable_dataset(project)
    gold = learnable_gold(project, dataset)
    base = f"/api/v1/projects/{project.slug}"
    lexicon = finished(
        launch_lexicon(project=project, by=None, name="words", dataset=dataset, spec=LexiconSpec())
    )
    asked = {
        "name": "svm", "gold_set": gold.pk, "classes": ["string", "association"], "c": 0.1,
        "lexicon": lexicon.pk, "report": False,
    }  # fmt: skip
    answer = manager.post(f"{base}/classifiers/", asked, "json")
    assert answer.status_code == 201, answer.content
    classifier = finished(TrainedClassifier.objects.get(pk=answer.json()["id"]))
    answered = manager.get(f"/api/v1/classifiers/{classifier.pk}/").json()
    assert answered["figures"]["pairs"] == 30
    assert "out_of_fold" not in answered["figures"]
    file = manager.get(f"/api/v1/classifiers/{classifier.pk}/file/")
    with np.load(io.BytesIO(file.content), allow_pickle=False) as content:
        assert len(content["weights"]) == answered["figures"]["features"]

    asked = {"classifier": classifier.pk, "dataset": dataset.pk, "threshold": 0.4, "name": "refined"}
    run = finished(
        ClassifierRun.objects.get(pk=manager.post(f"{base}/classifier-runs/", asked, "json").json()["id"])
    )
    answered = manager.get(f"/api/v1/classifier-runs/{run.pk}/").json()
    assert answered["audit"] is None
    answered = answered["run"]
    assert answered["counts"]["pairs"] == 40
    scores = manager.get(f"/api/v1/classifier-runs/{run.pk}/scores/").json()["items"]
    accepted = [score["pair"] for score in scores if score["probability"] >= 0.4]
    assert answered["counts"]["accepted"] == len(accepted)
    listed = {one["id"]: one for one in manager.get(f"{base}/datasets/").json()["items"]}
    refined = listed[answered["refined"][0]]
    assert refined["size"] == len(accepted)
    assert (refined["refined_from"], refined["refinement"]["threshold"]) == (dataset.pk, 0.4)
    pairs = manager.get(f"{base}/pairs/?dataset={refined['id']}").json()["items"]
    assert sorted(pair["id"] for pair in pairs) == sorted(accepted)
    reasons = explained(manager, classifier, accepted[0]).json()
    total = sum(reason["amount"] for reason in reasons["reasons"]) + reasons["intercept"]
    assert total == pytest.approx(reasons["decision"])
    score = next(one for one in scores if one["pair"] == accepted[0])
    assert reasons["probability"] == pytest.approx(score["probability"])


@pytest.mark.parametrize(
    ("body", "field"),
    [({"name": "svm"}, "gold_set"), ({"name": "svm", "gold_set": 10**9}, "gold_set"), ({"c": 1}, "name")],
)
def test_incomplete_requests_name_the_field(
    people: People, manager: APIClient, body: dict[str, object], field: str
) -> None:
    answer = manager.post(f"/api/v1/projects/{people.project.slug}/classifiers/", body, "json")
    assert answer.status_code == 400
    assert field in answer.content.decode()


def test_a_file_of_labelled_pairs_trains_one(people: People, manager: APIClient) -> None:
    lines = [
        f"{n % 2}\tthe dam {n} was mended by the council\t"
        + (f"the council mended the dam {n}" if n % 2 else f"police close a market {n}")
        for n in range(24)
    ]
    address = f"/api/v1/projects/{people.project.slug}/classifiers/"
    body = {"name": "file", "classes": ["string", "overlap"], "c": "0.1"}
    sent = SimpleUploadedFile("own.tsv", "\n".join(lines).encode())
    answer = manager.post(address, body | {"file": sent}, "multipart")
    assert answer.status_code == 201, answer.content
    classifier = finished(TrainedClassifier.objects.get(pk=answer.json()["id"]))
    assert classifier.imported_from.startswith("own.tsv, SHA-256 ")
    assert classifier.figures["classes"] == ["string", "overlap"]
    assert classifier.figures["pairs"] == 24
    # What a form leaves out is as in JSON: the report is measured.
    assert len(classifier.figures["curve"]) == 5
