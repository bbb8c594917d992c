"""Training, applying and explaining over the API."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.conf import LazySettings

from alignment.models import AlignerRun, TrainedAligner
from alignment.services.trained_aligners.stored import model_path
from corpus.models import Dataset
from jobs.services.running import run_here
from tests.factories.corpus import dataset_of
from tests.factories.trained_aligners import linked_gold
from tests.permissions.people import People

API = "/api/v1/"
DAMS = f"{API}projects/dams/"


@pytest.fixture
def dataset(people: People, tmp_path, settings: LazySettings) -> Dataset:
    settings.VAR = tmp_path
    return dataset_of(people.project, pairs=6)


def train(people: People, **body: Any) -> Any:
    return people.client("manager").post(f"{DAMS}trained-aligners/", body, format="json")


def test_trained_applied_explained_and_fetched(people: People, dataset: Dataset) -> None:
    gold = linked_gold(people.project, 12)
    settings = {"aligner": "best", "hmm_iterations": 2, "without": ["rivals"], "seed": 3}
    body = {"name": "mine", "settings": settings, "datasets": [dataset.pk]}
    other = linked_gold(people.project, 12, name="other")
    answer = train(people, **body, gold_alignments=gold.pk, other_gold=[other.pk])
    assert answer.status_code == 201
    assert (answer.data["name"], answer.data["version"], answer.data["sha256"]) == ("mine", 1, "")
    assert answer.data["parameters"].items() >= settings.items()
    trained = TrainedAligner.objects.get()
    run_here(job=trained.job)
    viewer, manager = people.client("viewer"), people.client("manager")
    [listed] = viewer.get(f"{DAMS}trained-aligners/").data["items"]
    one = viewer.get(f"{API}trained-aligners/{trained.pk}/").data
    assert listed == one
    assert one["other_gold"] == [other.pk]
    assert [step["gold"] for step in one["transfers"]] == ["", str(other)]
    assert (one["datasets"], one["gold_alignments"], one["new_gold_pairs"]) == ([dataset.pk], gold.pk, 0)
    assert len(one["iterations"]) == 4 and one["learning_curve"][0]["pairs"] == 0
    file = manager.get(f"/projects/dams/aligners/{trained.pk}/download/")
    assert b"".join(file.streaming_content) == model_path(one["sha256"]).read_bytes()

    body = {"trained": trained.pk, "dataset": dataset.pk}
    run = manager.post(f"{DAMS}aligner-runs/", body, format="json").data
    run_here(job=AlignerRun.objects.get().job)
    assert manager.post(f"{DAMS}aligner-runs/", body, format="json").data == run
    rows = viewer.get(f"{API}aligner-runs/{run['id']}/links/").data["items"]
    assert len(rows) == 6
    archive = manager.get(f"/projects/dams/aligners/runs/{run['id']}/download/?format=naacl")
    assert "links.naacl" in zipfile.ZipFile(io.BytesIO(archive.content)).namelist()
    explanation = f"/projects/dams/aligners/{trained.pk}/pair/?format=json&pair={rows[0]['pair']}"
    links = viewer.get(explanation).json()["links"]
    assert [one["link"] for one in links if one["drawn"]] == rows[0]["links"]
    a, b = links[0]["link"]
    [chosen] = viewer.get(f"{explanation}&link={a}-{b}").json()["links"]
    assert chosen == links[0]
    total = chosen["start"] + sum(source["contribution"] for source in chosen["sources"])
    assert total == pytest.approx(chosen["start"] + sum(r["contribution"] for r in chosen["reasons"]))

    assert manager.delete(f"{API}trained-aligners/{trained.pk}/").status_code == 409
    assert manager.delete(f"{API}aligner-runs/{run['id']}/").status_code == 204
    assert manager.delete(f"{API}trained-aligners/{trained.pk}/").status_code == 204
