from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.models import Job, JobChunk, JobState, WorkerHeartbeat
from jobs.services.ledger import ChunkPlan, lease_chunk, request_job
from jobs.services.liveness import standing
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db


def make_job(project, title, *, short=False):
    chunks = [ChunkPlan(units=1, payload={}) for _ in range(4)]
    return request_job(
        project=project, by=None, kind="extract", title=title, parameters={}, signature="", chunks=chunks,
        short=short,
    )  # fmt: skip


def process(name, *, busy, short_only=False):
    now = timezone.now()
    WorkerHeartbeat.objects.create(
        name=name,
        last_seen=now,
        busy_until=now + timedelta(minutes=5) if busy else None,
        short_only=short_only,
    )


def run_for(job, seconds):
    """A chunk of the job is done and one is at work; it has been running for so long."""
    lease_chunk(job=job, worker="here:1")
    job.chunks.filter(number=0).update(state="done")
    lease_chunk(job=job, worker="here:1")
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, started_at=timezone.now() - timedelta(seconds=seconds), done=1
    )
    return Job.objects.get(pk=job.pk)


def progress(client, job):
    client.force_login(member(job.project, "manager", f"m{job.pk}-{job.project_id}"))
    page = client.get(f"/projects/{job.project.slug}/jobs/{job.pk}/progress/").content.decode()
    return " ".join(page.split())


def test_a_job_whose_worker_is_gone_says_so_before_its_lease_ends(client):
    job = run_for(make_job(ProjectFactory(), "Extract"), 60)
    process("here:2", busy=False)
    assert not job.interrupted
    assert job.seconds_left is not None
    # Three signs of life are missing; the lease has 10 s to go.
    JobChunk.objects.filter(state="leased").update(leased_until=timezone.now() + timedelta(seconds=10))
    job = Job.objects.get(pk=job.pk)
    assert job.interrupted
    assert (job.seconds_left, job.rate) == (None, None)
    now = standing(job)
    assert now.continues_in is not None
    assert 0 < now.continues_in <= 20
    page = progress(client, job)
    assert "Interrupted" in page and "Running" not in page and "left" not in page
    assert client.get(f"/api/v1/jobs/{job.pk}/").json()["interrupted"]
    WorkerHeartbeat.objects.all().delete()
    assert standing(job).interrupted
    assert standing(job).continues_in is None


def test_a_job_says_what_is_ahead_of_it(client):
    project = ProjectFactory()
    training = run_for(make_job(project, "Train L12"), 60)
    waiting = make_job(project, "Extract F2")
    process("here:1", busy=True)
    process("here:2", busy=False, short_only=True)
    assert [job.title for job in standing(waiting).behind] == ["Train L12"]
    page = progress(client, waiting)
    assert "Train L12" in page and "about 3 min left" in page
    # A short job has a process that is free.
    assert standing(make_job(project, "Import", short=True)).behind == []
    assert standing(training).behind == []
    process("here:3", busy=False)
    assert standing(waiting).behind == []
