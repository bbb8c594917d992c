"""Links come in over the API."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from alignment.api import link_imports
from alignment.models import GoldAlignmentSet
from annotation.models import Batch
from tests.permissions.people import People

ROW = {"id": "7", "source": "The dam", "target": "A dam", "sureAlign": "1-1", "possibleAlign": "0-0"}


def post(people: People, **fields: Any) -> Any:
    body = {"file": SimpleUploadedFile("rte.json", json.dumps([ROW]).encode()), "batch": "rte"} | fields
    return people.client("manager").post("/api/v1/projects/dams/link-imports/", body, format="multipart")


def test_links_are_imported_once(people: People) -> None:
    checked = post(people, annotator="annotator", check=True)
    assert (checked.status_code, checked.data["status"], checked.data["batch"]) == (200, "checked", None)
    assert not Batch.objects.filter(name="rte").exists()
    answer = post(people, annotator="annotator")
    batch = Batch.objects.get(name="rte")
    assert answer.status_code == 201
    assert answer.data == {
        "status": "imported", "filename": "rte.json", "batch": batch.pk, "gold_alignments": None,
        "pairs": 1, "sure": 1, "possible_only": 1, "unknown": {},
    }  # fmt: skip
    again = post(people, annotator="annotator")
    assert (again.status_code, again.data["status"]) == (200, "unchanged")


def test_links_are_imported_as_gold(people: People) -> None:
    answer = post(people, as_gold=True)
    gold = GoldAlignmentSet.objects.get(pk=answer.data["gold_alignments"])
    assert (gold.name, gold.rule, gold.counts["sure"]) == ("rte", "imported", 1)
    shown = people.client("viewer").get(f"/api/v1/gold-alignments/{gold.pk}/").data
    assert shown["lineage"]["links"]["file"] == "rte.json"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Send either an annotator or as_gold"),
        ({"annotator": "annotator", "as_gold": True}, "Send either"),
        ({"annotator": "viewer"}, "not an annotator"),
        ({"annotator": "annotator", "format": "msr"}, "msr"),
        ({"annotator": "annotator", "colour": "red"}, "colour"),
    ],
)
def test_what_is_wrong_with_the_request_is_said(people: People, fields: dict[str, Any], said: str) -> None:
    answer = post(people, **fields)
    assert (answer.status_code, said in answer.data["detail"]) == (400, True), answer.data


def test_too_large_a_file_is_refused(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_imports, "MAX_MEGABYTES", 0)
    assert post(people, annotator="annotator").status_code == 413
