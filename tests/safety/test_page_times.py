import json
import sys
import time
import uuid
from statistics import median

import pytest
from django.test import Client

from projects.models import Role
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db

ROUNDS = 20
# Half as much again as measured, in the time of `peer`.
LIMITS = {
    **{"judge page": 2.7, "judge queue": 1.4, "judge save": 0.75},
    **{"link page": 3.0, "link queue": 1.9, "link save": 2.9},
}


def peer():
    """About 10 ms on the machine where the limits were measured."""
    text = json.dumps([{"number": number, "words": ["dam"] * 5} for number in range(2_000)], indent=1)
    assert len(sorted(json.loads(text), key=lambda row: -row["number"])) == 2_000


def milliseconds(request):
    """Median processor time of a call; the first one warms caches up."""
    times = []
    for _ in range(ROUNDS + 1):
        started = time.process_time()
        request()
        times.append(1000 * (time.process_time() - started))
    return median(times[1:])


def saves(client, batch, body):
    """A new answer to the batch's first item each time it is called."""
    name = "alignment" if "links" in body else "judgement"
    assignment = assignments_of(batch, batch.annotators.get().annotator)[0]
    version = iter(range(assignment.version, 10_000))

    def save():
        sent = body | {"version": next(version), "milliseconds": 4_000}
        address = f"/api/v1/assignments/{assignment.pk}/{name}/"
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = client.put(address, sent, content_type="application/json", headers=key)
        assert answer.status_code == 200, answer.content

    return save


def gets(client, address):
    def get():
        assert client.get(address).status_code == 200

    return get


def test_pages_queues_and_saves_of_annotators(capsys):
    project = ProjectFactory()
    annotator = member(project, Role.ANNOTATOR, "ada")
    client = Client()
    client.force_login(annotator)
    judging = judging_batch(project, [annotator], size=40)
    linking = linking_batch(project, [annotator])
    unit = milliseconds(peer)
    measured = {}
    for name, batch, body in (
        ("judge", judging, {"label": "paraphrase"}),
        ("link", linking, {"links": [[0, 0, "sure", "drawn"]], "submitted": True}),
    ):
        page = f"/projects/{project.slug}/{name}/{batch.pk}/answer/"
        queue = f"/api/v1/batches/{batch.pk}/queue/?limit=10"
        measured[f"{name} page"] = milliseconds(gets(client, page))
        measured[f"{name} queue"] = milliseconds(gets(client, queue))
        measured[f"{name} save"] = milliseconds(saves(client, batch, body))
    ratios = {name: round(value / unit, 2) for name, value in measured.items()}
    rows = (f"{name} {value:.1f} ms ({ratios[name]})" for name, value in measured.items())
    with capsys.disabled():
        sys.stdout.write(f"\npeer {unit:.1f} ms; {', '.join(rows)}\n")
    assert {name: ratio for name, ratio in ratios.items() if ratio > LIMITS[name]} == {}
