from alignment.services import gold_exports
from jobs.services.running import run_here
from tests.factories.alignment import gold_alignment_set

DAMS = "/api/v1/projects/dams/"


def post(people, path, body, role="manager"):
    return people.client(role).post(f"{DAMS}{path}/", body, format="json")


def test_large_gold_is_left_to_a_worker(people, monkeypatch):
    monkeypatch.setattr(gold_exports, "PAIRS_AT_ONCE", 1)
    links = gold_alignment_set(people.project, people.annotators)
    body = {"gold_links": links.pk, "format": "pharaoh"}
    asked, again = (post(people, "operations/export-gold", body).data["job"] for _ in range(2))
    assert (asked["state"], again["id"]) == ("queued", asked["id"])
    run_here(job=people.project.jobs.get(pk=asked["id"]))
    made = post(people, "operations/export-gold", body).data["job"]
    assert (made["id"], made["state"]) == (asked["id"], "done")
    export = people.client("manager").get(f"/api/v1/exports/{made['parameters']['export']}/").data
    assert "links.pharaoh" in export["manifest"]["files"]
