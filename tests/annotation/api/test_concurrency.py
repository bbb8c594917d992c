from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from annotation.models import Answer, Assignment, Judgement
from tests.factories.annotation import assignments_of, judging_batch
from tests.permissions.people import make_people

THREADS = 4
ANSWERS = 5


@pytest.mark.django_db(transaction=True)
def test_acknowledged_is_stored(fresh_cache):
    people = make_people()
    (assignment,) = assignments_of(
        judging_batch(people.project, people.annotators, size=1), people["annotator"]
    )
    clients = [people.client("annotator") for _ in range(THREADS)]
    url = f"/api/v1/assignments/{assignment.pk}/judgement/"

    def annotate(number):
        """Answer as long as it takes; send each acknowledged answer a second time, as a lost reply would."""
        acknowledged = []
        version = 0
        try:
            while len(acknowledged) < ANSWERS:
                key = str(uuid.uuid4())
                label = ("paraphrase", "not_paraphrase")[(number + len(acknowledged)) % 2]
                body = {"label": label, "version": version, "comment": key}
                sent: dict[str, Any] = {"format": "json", "headers": {"Idempotency-Key": key}}
                answer = clients[number].put(url, body, **sent)
                if answer.status_code == 409:
                    version = answer.data["current"]["version"]
                    continue
                assert answer.status_code == 200
                assert clients[number].put(url, body, **sent).data == answer.data
                version = answer.data["version"]
                acknowledged.append((version, key, label))
        finally:
            connection.close()
        return acknowledged

    with ThreadPoolExecutor(THREADS) as pool:
        found = [entry for entries in pool.map(annotate, range(THREADS)) for entry in entries]
    stored = [(a.version, str(a.key), a.body["label"]) for a in Answer.objects.order_by("version")]
    assert sorted(found) == stored
    assert [version for version, _, _ in stored] == list(range(1, THREADS * ANSWERS + 1))
    final = Assignment.objects.get(pk=assignment.pk)
    assert (final.version, final.comment) == (stored[-1][0], stored[-1][1])
    assert Judgement.objects.get(assignment=assignment).label == stored[-1][2]
