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


def test_sentences_come_in_files_of_their_own(people: People) -> None:
    files = {
        "file": SimpleUploadedFile("x.naacl", b"1 1 1 S\n1 3 1 P\n"),
        "source": SimpleUploadedFile("a.txt", b"a b\n"),
        "target": SimpleUploadedFile("b.txt", b"a\n"),
    }
    answer = post(people, annotator="annotator", **files)
    assert (answer.status_code, answer.data["status"], answer.data["line"]) == (422, "refused", 2)
    assert answer.data["detail"].startswith("Nothing was imported. x.naacl, line 2: link 3-1 points outside")
    assert not Batch.objects.filter(name="rte").exists()


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


def test_what_is_not_read_is_counted_by_its_name(people: People) -> None:
    file = SimpleUploadedFile("rte.json", json.dumps([ROW | {"score": "0.5"}]).encode())
    assert post(people, annotator="annotator", file=file).data["unknown"] == {"field score": 1}


def test_one_of_several_people_is_chosen_and_contradictions_are_named(people: People) -> None:
    rows = [ROW | {"annotator": "anna"}, ROW | {"id": "8", "sureAlign": "", "annotator": "anna"}]
    rows += [ROW | {"annotator": "bob"}]

    def send(**fields: Any) -> Any:
        return post(people, file=SimpleUploadedFile("rte.json", json.dumps(rows).encode()), **fields)

    refused = send(as_gold=True)
    assert (refused.status_code, refused.data["status"]) == (422, "refused")
    assert "the answers of 2 people: anna and bob." in refused.data["detail"]
    checked = send(as_gold=True, check=True, judge="anna")
    assert checked.data["pairs"] == 2
    assert "different links: lines 1 and 1 (ids 7, 8)" in checked.data["contradictions"]
    assert "contradictions" not in send(as_gold=True, judge="bob").data
