import time

import pytest

from jobs.models import Job, JobState
from jobs.services import running
from jobs.services.running import wait_for  # itself: in its module another one works in the request
from tests.factories.corpus import JobFactory

pytestmark = pytest.mark.django_db


def test_an_ended_job_is_not_waited_for():
    assert wait_for(JobFactory(state=JobState.DONE), seconds=60)


def test_a_job_that_ends_meanwhile(monkeypatch):
    job = JobFactory(state=JobState.RUNNING)
    monkeypatch.setattr(
        time, "sleep", lambda seconds: Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    )
    assert wait_for(job, seconds=60)


def test_neither_long_nor_many_wait():
    job = JobFactory(state=JobState.QUEUED)
    assert not wait_for(job, seconds=0)
    for _ in range(running.MAX_WAITING_REQUESTS):
        running._waiting.acquire()
    start = time.monotonic()
    assert not wait_for(job, seconds=600)
    assert time.monotonic() - start < 60
    for _ in range(running.MAX_WAITING_REQUESTS):
        running._waiting.release()
    assert not wait_for(job, seconds=0)
