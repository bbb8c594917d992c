"""A project's presets over the API."""

from __future__ import annotations

import pytest

from corpus.models import Extraction, ProjectPreset
from tests.integration.permissions.people import People

from .test_extractions import DAMS, pairable_cluster

URL = f"{DAMS}presets/"
NEAR = {"name": "near", "preset": "L12-2004", "settings": {"max_edit_distance": 4}}


def test_a_preset_is_saved_listed_used_and_deleted(people: People) -> None:
    pairable_cluster(people)
    client = people.client("manager")
    saved = client.post(URL, NEAR, format="json")
    assert (saved.status_code, saved.data["base"]) == (201, "L12-2004")
    assert saved.data["criteria"]["max_edit_distance"] == 4
    again = client.post(URL, NEAR, format="json")
    assert again.data["id"] == saved.data["id"]
    assert [item["name"] for item in client.get(URL).data["items"]] == ["near"]
    asked = {"preset": "near", "settings": {"min_length": 2}}
    launched = client.post(f"{DAMS}extractions/", asked, format="json")
    assert launched.data["criteria"]["max_edit_distance"] == 4
    counted = client.post(f"{DAMS}extractions/dry-run/", asked, format="json")
    assert counted.status_code == 200
    assert client.delete(f"{URL}{saved.data['id']}/").status_code == 204
    assert not ProjectPreset.objects.exists() and Extraction.objects.get().preset == "near"
    assert client.post(f"{DAMS}extractions/", asked, format="json").status_code == 400


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "L12"}, "preset_name"),
        ({"name": ""}, "name"),
        ({"preset": "L13"}, "preset"),
        ({"settings": {"max_edit_distance": "x"}}, "max_edit_distance"),
        ({"base": "L12"}, "base"),
    ],
)
def test_what_cannot_be_saved_says_why(people: People, change, field: str) -> None:
    answer = people.client("manager").post(URL, NEAR | change, format="json")
    assert answer.status_code == 400 and field in answer.data, answer.data
    assert not ProjectPreset.objects.exists()
