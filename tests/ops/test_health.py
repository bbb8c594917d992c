from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from jobs.models import Job, WorkerHeartbeat
from jobs.services.ledger import ChunkPlan, request_job
from ops import migrating
from ops.diagnosis import examine
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db


def process(name="here:1", *, seen=0, busy=None):
    """A worker process, last seen so many seconds ago; `busy`: seconds it has left."""
    now = timezone.now()
    WorkerHeartbeat.objects.create(
        name=name,
        last_seen=now - timedelta(seconds=seen),
        busy_until=None if busy is None else now + timedelta(seconds=busy),
    )


def job_that_waits(seconds):
    job = request_job(
        project=ProjectFactory(), by=None, kind="extract", title="Extract", parameters={}, signature="",
        chunks=[ChunkPlan(units=1, payload={})],
    )  # fmt: skip
    Job.objects.filter(pk=job.pk).update(moved_at=timezone.now() - timedelta(seconds=seconds))
    return job


def says(client):
    """What /readyz says of the worker; whether a page has the banner; whether `doctor` is content."""
    if settings.SESSION_COOKIE_NAME not in client.cookies:
        client.force_login(member(ProjectFactory(), "manager", "mary"))
    answer = client.get("/readyz")
    assert answer.status_code == 200
    strict = client.get("/readyz?require=worker")
    assert (strict.status_code == 200) == (answer.json()["worker"] == "moving")
    banner = 'class="banner"' in client.get("/").content.decode()
    return answer.json()["worker"], banner, examine("worker").ok


def test_alive_and_ready_without_a_login(client):
    process()
    assert client.get("/livez").json() == {"alive": True}
    assert client.get("/readyz").json() == {"ready": True, "worker": "moving"}


@pytest.mark.parametrize(
    "stuck",
    [{"seen": 31}, {"busy": -1}, {"seen": 31, "busy": 100}],
    ids=["stopped", "longer at work than it may be", "stopped at work"],
)
def test_a_stuck_worker_is_seen(client, stuck):
    process(**stuck)
    assert says(client) == ("stuck", True, False)
    process("here:2")
    assert says(client) == ("partly stuck", True, False)


def test_a_worker_that_exists_while_jobs_wait_is_not_well(client):
    process()
    job = job_that_waits(20)
    assert says(client) == ("moving", False, True)
    Job.objects.filter(pk=job.pk).update(moved_at=timezone.now() - timedelta(seconds=40))
    assert says(client) == ("waiting", True, False)
    # While all are busy with others, waiting is nobody's fault.
    WorkerHeartbeat.objects.update(busy_until=timezone.now() + timedelta(seconds=100))
    assert says(client) == ("moving", False, True)


def test_not_ready_without_a_database(client, monkeypatch):
    def broken(connection):
        raise DatabaseError("gone")

    monkeypatch.setattr(migrating, "MigrationExecutor", broken)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert client.get("/livez").status_code == 200
