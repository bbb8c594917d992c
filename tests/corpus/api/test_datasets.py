"""L12, F2 and F3 out of candidates-2005 over the API."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.models import Dataset
from tests.factories.news import add_articles, extract
from tests.permissions.people import People

from .test_extractions import DAMS

URL = f"{DAMS}datasets/presets/"


@pytest.fixture
def body(people: People) -> dict[str, Any]:
    add_articles(people.project)
    candidates = extract(people.project, "candidates-2005")
    return {"extraction": candidates.pk, "presets": ["L12", "F2", "F3"]}


def test_presets_are_frozen_out_of_candidates(people: People, body: dict[str, Any]) -> None:
    client = people.client("manager")
    first = client.post(URL, body, format="json")
    assert first.status_code == 201
    assert [item["name"] for item in first.data["items"]] == ["L12", "F2", "F3"]
    assert all(
        item["size"] > 0 and item["extractions"] == [body["extraction"]] for item in first.data["items"]
    )
    again = client.post(URL, body, format="json").data["items"]
    assert [item["id"] for item in again] == [item["id"] for item in first.data["items"]]


def test_what_cannot_be_frozen_says_why(people: People, body: dict[str, Any]) -> None:
    before = Dataset.objects.count()
    for wrong, said in (
        ({"presets": ["L12-2004"]}, "L12, F2, F3"),
        ({"extraction": 10**9}, "extraction"),
        ({"held_out": ["some"]}, "held_out"),
    ):
        answer = people.client("manager").post(URL, body | wrong, format="json")
        assert answer.status_code == 400 and said in answer.data["detail"], answer.data
    assert Dataset.objects.count() == before
