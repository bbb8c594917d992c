from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.models import ChunkState, Job, JobState
from jobs.services.ledger import ChunkPlan, cancel_job, lease_chunk, request_job, retry_job
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock_stands_still(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def running_job(units, *, done, seconds, total=None):
    """A job whose first chunks are done, that has been running for some seconds."""
    job = request_job(
        project=ProjectFactory(),
        by=None,
        kind="extract",
        title="Extract",
        parameters={},
        signature="",
        chunks=[ChunkPlan(units=number, payload={}) for number in units],
        total=total,
    )
    job.chunks.filter(number__lt=done).update(state=ChunkState.DONE)
    started = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, started_at=started, done=sum(units[:done]))
    return Job.objects.get(pk=job.pk)


def test_nothing_is_told_before_it_means_something():
    just_begun = running_job([5, 5], done=1, seconds=0.3)
    nothing_done = running_job([5, 5], done=0, seconds=60)
    waiting = running_job([5], done=0, seconds=60)
    Job.objects.filter(pk=waiting.pk).update(state=JobState.QUEUED, started_at=None)
    for job in (just_begun, nothing_done, Job.objects.get(pk=waiting.pk)):
        assert (job.rate, job.seconds_left) == (None, None)
    assert Job.objects.get(pk=waiting.pk).seconds is None


def test_time_left_goes_by_chunks_since_units_differ_in_size():
    job = running_job([200, 1, 1, 1], done=1, seconds=10)
    assert job.seconds_left == pytest.approx(30)
    assert job.rate == pytest.approx(203 / 4 / 10)


def test_a_pause_is_not_counted_as_work():
    job = running_job([1] * 10, done=5, seconds=100)
    cancel_job(job=job)
    long_ago = timezone.now() - timedelta(hours=3)
    Job.objects.filter(pk=job.pk).update(started_at=long_ago, finished_at=long_ago + timedelta(seconds=100))
    job = retry_job(job=job)
    assert (job.started_at, job.seconds_before, job.share_before) == (None, 100, 0.5)
    assert job.seconds == 100 and job.seconds_left is None
    lease_chunk(job=job, worker="w")
    job.chunks.filter(number=5).update(state=ChunkState.DONE)
    Job.objects.filter(pk=job.pk).update(started_at=timezone.now() - timedelta(seconds=4))
    job = Job.objects.get(pk=job.pk)
    assert job.seconds == pytest.approx(104)
    # A tenth of the work in 4 s, four tenths to come.
    assert job.seconds_left == pytest.approx(16)
    assert job.rate == pytest.approx(0.25)
