"""Linking batches, gold links, scores and exports over the API."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from alignment.models import Evaluation
from alignment.services import gold_exports
from jobs.services.running import run_here
from projects.models import Role
from tests.factories.alignment import gold_alignment_set, link_all, linking_batch
from tests.factories.annotation import gold_set
from tests.factories.corpus import member
from tests.permissions.people import People

DAMS = "/api/v1/projects/dams/"


def post(people: People, path: str, body: dict[str, Any], role: str = "manager") -> Any:
    return people.client(role).post(f"{DAMS}{path}/", body, format="json")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"gold_set": 99}, "gold_set"), ({"size": 50}, "50"), ({"suggester": "giza"}, "suggester"),
        ({"annotators": ["viewer"]}, "viewer"), ({"links": []}, "links"),
    ],
)  # fmt: skip
def test_a_linking_batch_that_cannot_be_drawn_says_why(
    people: People, fields: dict[str, Any], said: str
) -> None:
    source = gold_set(people.project, people.annotators, size=4)
    body = {"name": "words", "gold_set": source.pk, "annotators": ["annotator", "second"]} | fields
    answer = post(people, "link-batches", body)
    assert (answer.status_code, said in answer.data["detail"]) == (400, True)


def test_links_are_merged_scored_and_exported(people: People) -> None:
    batch = linking_batch(people.project, people.annotators)
    for annotator in people.annotators:
        link_all(batch, annotator)
    frozen = post(people, "gold-alignments", {"name": "links", "batch": batch.pk})
    assert (frozen.status_code, frozen.data["rule"], frozen.data["counts"]["pairs"]) == (201, "papers", 3)
    viewer = people.client("viewer")
    url = f"/api/v1/gold-alignments/{frozen.data['id']}/"
    assert viewer.get(url).data == frozen.data
    pairs = viewer.get(f"{url}pairs/").data["items"]
    assert [len(pair["links"]) > 0 for pair in pairs] == [True] * 3
    assert "versions" not in pairs[0]
    chosen = {"gold_alignments": frozen.data["id"]}
    scored = post(people, "evaluations", chosen | {"aligner": "identity"})
    assert (scored.status_code, scored.data["scores"]["all"]["aer"]) == (201, 0)
    assert post(people, "evaluations", chosen | {"aligner": "identity"}).data["id"] == scored.data["id"]
    assert [entry["id"] for entry in viewer.get(f"{DAMS}evaluations/").data["items"]] == [scored.data["id"]]
    assert Evaluation.objects.count() == 1
    exported = post(people, "exports", chosen | {"gold_set": batch.gold_set_id})
    assert exported.status_code == 201
    assert post(people, "exports", chosen | {"gold_set": batch.gold_set_id}).data["id"] == exported.data["id"]
    download = people.client("manager").get(f"/api/v1/exports/{exported.data['id']}/download/")
    assert download.headers["Content-Type"] == "application/zip"
    assert exported.data["filename"] in download.headers["Content-Disposition"]
    data = b"".join(download.streaming_content)
    assert len(data) == exported.data["bytes"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read("manifest.json")) == exported.data["manifest"]


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("gold-alignments", {"name": "x", "batch": 99}, "batch"),
        ("gold-alignments", {"name": "x", "batch": 1, "rule": "dice"}, "rule"),
        ("evaluations", {"gold_alignments": 99, "aligner": "identity"}, "gold_alignments"),
        ("evaluations", {"gold_alignments": 1, "aligner": "oracle"}, "aligner"),
        ("exports", {}, "Nothing to export"),
        ("exports", {"gold_set": 99}, "gold_set"),
        ("exports", {"format": "docx"}, "format"),
        ("exports", {"licence": "free"}, "is not an SPDX licence"),
        ("exports", {"publish": True, "format": "msr"}, "needs Parquet"),
    ],
)
def test_what_cannot_be_made_says_why(people: People, path: str, body: dict[str, Any], said: str) -> None:
    answer = post(people, path, body)
    assert (answer.status_code, said in answer.data["detail"]) == (400, True)


def test_another_projects_gold_is_refused(people: People) -> None:
    others = [member(people.foreign, Role.ANNOTATOR, user.username) for user in people.annotators]
    foreign = gold_alignment_set(people.foreign, others)
    source = foreign.batch.gold_set_id
    admin = people.client("admin")
    for path, body in (
        ("evaluations", {"gold_alignments": foreign.pk, "aligner": "identity"}),
        ("exports", {"gold_alignments": foreign.pk}),
        ("exports", {"gold_set": source}),
        ("gold-alignments", {"name": "x", "batch": foreign.batch_id}),
        ("link-batches", {"name": "x", "gold_set": source, "annotators": ["annotator"]}),
    ):
        assert admin.post(f"{DAMS}{path}/", body, format="json").status_code == 400
    manager = people.client("manager")
    assert manager.get(f"/api/v1/gold-alignments/{foreign.pk}/").status_code == 404
    assert manager.get(f"/api/v1/gold-sets/{source}/").status_code == 404


def test_large_gold_is_left_to_a_worker(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gold_exports, "PAIRS_AT_ONCE", 1)
    body = {"gold_alignments": gold_alignment_set(people.project, people.annotators).pk, "format": "pharaoh"}
    asked, again = (post(people, "exports", body) for _ in range(2))
    assert (asked.status_code, asked.data["state"], again.data["id"]) == (202, "queued", asked.data["id"])
    run_here(job=people.project.jobs.get(pk=asked.data["id"]))
    made = post(people, "exports", body)
    done = people.client("manager").get(f"/api/v1/jobs/{asked.data['id']}/").data
    assert (made.status_code, made.data["id"]) == (201, done["parameters"]["export"])
    assert "links.pharaoh" in made.data["manifest"]["files"]
