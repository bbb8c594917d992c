"""Marks, models and methods of story text over the API."""

from __future__ import annotations

import json

from corpus.models import CorpusImport
from jobs.services.running import run_here
from paragold.sources.pages.main_text_model import load_main_text_model
from tests.factories.story import waiting_import
from tests.permissions.people import People

API = "/api/v1/projects/dams/"


def test_pages_are_marked_trained_on_and_read_again(people: People) -> None:
    client = people.client("manager")
    source = waiting_import(people.project)
    pages = f"{API}imports/{source.pk}/pages/"
    for number in (1, 2, 3):
        page = client.get(f"{pages}?page={number}").data
        assert (page["page"], page["pages"], page["marked"]) == (number, 3, False)
        story = [at for at, block in enumerate(page["blocks"]) if block["story"]][:2]
        kept = client.put(f"{pages}?page={number}", {"story": story, "sha256": page["sha256"]}, format="json")
        assert kept.status_code == 200 and kept.data["marked"]
        assert [at for at, block in enumerate(kept.data["blocks"]) if block["story"]] == story
    listed = client.get(API + "marked-pages/").data["items"]
    assert [row["story"] for row in listed] == [2, 2, 2] and listed[0]["marked_by"] == "manager"
    made = client.post(API + "story-models/")
    assert (made.status_code, made.data["version"], made.data["pages"]) == (201, 1, 3)
    assert [row["version"] for row in client.get(API + "story-models/").data["items"]] == [1]
    numbers = client.get(f"{API}story-models/{made.data['id']}/").data["numbers"]
    assert load_main_text_model(json.dumps(numbers)).pages == 3
    method = f"{API}imports/{source.pk}/method/"
    assert client.post(method, {"story_model": 2}, format="json").status_code == 400
    again = client.post(method, {"story_model": 1}, format="json")
    assert (again.status_code, again.data["state"]) == (202, "checking")
    run_here(job=CorpusImport.objects.get(pk=again.data["id"]).job)
    assert client.get(f"{API}imports/{again.data['id']}/").data["state"] == "checked"
    assert client.get(pages).status_code == 404
    assert client.delete(f"{API}marked-pages/{listed[0]['id']}/").status_code == 204
    assert client.post(API + "story-models/").status_code == 400


def test_what_is_refused(people: People) -> None:
    client = people.client("manager")
    source = waiting_import(people.project)
    pages = f"{API}imports/{source.pk}/pages/"
    sha256 = client.get(pages).data["sha256"]
    assert client.get(pages + "?page=9").status_code == 400
    assert client.get(pages + "?page=x").status_code == 400
    for body in (
        {"story": [0], "sha256": "other"},
        {"story": [-1], "sha256": sha256},
        {"story": [10**6], "sha256": sha256},
        {"story": "all", "sha256": sha256},
        {"sha256": sha256},
    ):
        assert client.put(pages, body, format="json").status_code == 400, body
    assert not people.project.marked_pages.exists()
