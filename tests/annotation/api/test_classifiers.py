"""Classifiers, their runs and lexicons over the API."""

from __future__ import annotations

import io

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation.models import ClassifierRun, TrainedClassifier
from corpus.models import Lexicon
from paragold.text import stemming
from tests.factories.classifiers import applied, finished, learnable_dataset, learnable_gold, trained
from tests.permissions.people import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(people: People) -> APIClient:
    return people.client("manager")


def test_the_loop_by_api(people: People, manager: APIClient) -> None:
    project = people.project
    dataset = learnable_dataset(project)
    gold = learnable_gold(project, dataset)
    base = f"/api/v1/projects/{project.slug}"
    asked = {"kind": "association", "name": "words", "dataset": dataset.pk}
    lexicon = finished(Lexicon.objects.get(pk=manager.post(f"{base}/lexicons/", asked, "json").json()["id"]))
    told = manager.get(f"/api/v1/lexicons/{lexicon.pk}/").json()
    assert (told["lexicon"]["state"], told["lexicon"]["size"]) == ("done", lexicon.size)

    asked = {
        "name": "svm", "gold_set": gold.pk, "classes": ["string", "association"], "c": 0.1,
        "lexicon": lexicon.pk, "report": False,
    }  # fmt: skip
    answer = manager.post(f"{base}/classifiers/", asked, "json")
    assert answer.status_code == 201, answer.content
    classifier = finished(TrainedClassifier.objects.get(pk=answer.json()["id"]))
    told = manager.get(f"/api/v1/classifiers/{classifier.pk}/").json()
    assert told["figures"]["pairs"] == 30
    assert "out_of_fold" not in told["figures"]
    file = manager.get(f"/api/v1/classifiers/{classifier.pk}/file/")
    with np.load(io.BytesIO(file.content), allow_pickle=False) as content:
        assert len(content["weights"]) == told["figures"]["features"]

    asked = {"classifier": classifier.pk, "dataset": dataset.pk, "threshold": 0.4, "name": "refined"}
    run = finished(
        ClassifierRun.objects.get(pk=manager.post(f"{base}/classifier-runs/", asked, "json").json()["id"])
    )
    told = manager.get(f"/api/v1/classifier-runs/{run.pk}/").json()
    assert told["audit"] is None
    told = told["run"]
    assert told["counts"]["pairs"] == 40
    scores = manager.get(f"/api/v1/classifier-runs/{run.pk}/scores/").json()["items"]
    accepted = [score["pair"] for score in scores if score["probability"] >= 0.4]
    assert told["counts"]["accepted"] == len(accepted)
    listed = {one["id"]: one for one in manager.get(f"{base}/datasets/").json()["items"]}
    refined = listed[told["refined"][0]]
    assert refined["size"] == len(accepted)
    assert (refined["refined_from"], refined["refinement"]["threshold"]) == (dataset.pk, 0.4)
    pairs = manager.get(f"{base}/pairs/?dataset={refined['id']}").json()["items"]
    assert sorted(pair["id"] for pair in pairs) == sorted(accepted)
    strict = manager.post(
        f"/api/v1/classifier-runs/{run.pk}/datasets/", {"threshold": 0.45, "name": "strict"}, "json"
    )
    assert strict.status_code == 201
    reasons = manager.get(f"/api/v1/classifiers/{classifier.pk}/explanation/?pair={accepted[0]}").json()
    total = sum(reason["amount"] for reason in reasons["reasons"]) + reasons["intercept"]
    assert total == pytest.approx(reasons["decision"])
    score = next(one for one in scores if one["pair"] == accepted[0])
    assert reasons["probability"] == pytest.approx(score["probability"])


def test_a_batch_by_uncertainty_names_its_run(people: People, manager: APIClient) -> None:
    project = people.project
    dataset = learnable_dataset(project)
    run = applied(trained(project, learnable_gold(project, dataset)), dataset)
    body = {"name": "next", "dataset": dataset.pk, "size": 5, "annotators": ["annotator"], "overlap": 1}
    address = f"/api/v1/projects/{project.slug}/batches/"
    refused = manager.post(address, body | {"strategy": {"by": "uncertainty"}}, "json")
    assert refused.status_code == 400
    assert "run" in refused.content.decode()
    drawn = manager.post(address, body | {"strategy": {"by": "uncertainty", "run": run.pk}}, "json")
    assert drawn.status_code == 201, drawn.content
    assert drawn.json()["sampling"]["run"] == run.pk


def test_doubts_are_the_labels_that_a_model_finds_improbable(people: People, manager: APIClient) -> None:
    project = people.project
    classifier = trained(project, learnable_gold(project, learnable_dataset(project)))
    item, label, _ = classifier.figures["out_of_fold"][0]
    classifier.figures["out_of_fold"] = [[item, label, 0.01 if label else 0.99]]
    classifier.save()
    found = manager.get(f"/api/v1/classifiers/{classifier.pk}/doubts/").json()["items"]
    assert [(one["item"], one["paraphrase"]) for one in found] == [(item, label)]


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\tonly one sentence\n", "own.tsv, line 1"),
        (b"the dam\tthe other dam\n", "line 1: has no label"),
        (b"1\ta b\tc d\n1\te f\tg h\n", "All 2 pairs are paraphrases"),
        (b"1\ta b\tc d\n0\te f\tg h\n1\ti j\tk l\n", "Too few pairs for 3 folds"),
        (b"\xff\xfe\x00", "own.tsv"),
    ],
)
def test_files_that_cannot_teach_are_told_with_the_reason(
    people: People, manager: APIClient, content: bytes, message: str
) -> None:
    address = f"/api/v1/projects/{people.project.slug}/classifiers/"
    body = {"name": "file", "file": SimpleUploadedFile("own.tsv", content)}
    answer = manager.post(address, body, "multipart")
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert not people.project.jobs.filter(kind="train_classifier").exists()
    assert b'"file"' in manager.post(address, {"name": "file"}, "multipart").content


def test_gold_that_cannot_teach_and_other_lexicons_are_told_with_the_reason(
    people: People, manager: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = people.project
    dataset = learnable_dataset(project)
    address = f"/api/v1/projects/{project.slug}/classifiers/"
    alike = learnable_gold(project, dataset, size=6, labels=("paraphrase",), name="alike")
    three = learnable_gold(project, dataset, size=3, labels=("paraphrase", "not_paraphrase"), name="three")
    for gold, message in ((alike, "All 6 pairs are paraphrases"), (three, "Too few pairs for 3 folds")):
        answer = manager.post(address, {"name": "svm", "gold_set": gold.pk}, "json")
        assert (answer.status_code, message in answer.content.decode()) == (400, True)
    gold = learnable_gold(project, dataset, name="own")
    for name in ("lexicon", "bootstrap", "aligned"):
        answer = manager.post(address, {"name": "svm", "gold_set": gold.pk, name: 10**9}, "json")
        assert (answer.status_code, name in answer.content.decode()) == (400, True)
    without_links = manager.post(address, {"name": "svm", "gold_set": gold.pk, "aligned": dataset.pk}, "json")
    assert "There are no gold links" in without_links.content.decode()
    classifier = trained(project, gold, classes=["string", "morphology"])
    monkeypatch.setattr(stemming, "SIGNATURE", "snowball-0.1")
    refused = [
        manager.post(
            f"/api/v1/projects/{project.slug}/classifier-runs/",
            {"classifier": classifier.pk, "dataset": dataset.pk, "name": "x"},
            "json",
        ),
        manager.get(f"/api/v1/classifiers/{classifier.pk}/explanation/?pair={dataset.pairs()[0].pk}"),
    ]
    for answer in refused:
        assert answer.status_code == 400
        assert "trained with another lexicon morphology" in answer.content.decode()
