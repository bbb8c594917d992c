"""A request waits a bounded moment for a worker, and few requests at a time do."""

from __future__ import annotations

import importlib
import time

import pytest

from jobs.models import Job, JobState
from jobs.services import waiting
from tests.factories.corpus import JobFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def real() -> object:
    """The function itself, in the place of the one that works in the request."""
    return importlib.reload(waiting).wait_for


def test_an_ended_job_is_not_waited_for(real: object) -> None:
    assert real(JobFactory(state=JobState.DONE), seconds=60)


def test_a_job_that_ends_meanwhile(real: object, monkeypatch: pytest.MonkeyPatch) -> None:
    job = JobFactory(state=JobState.RUNNING)
    monkeypatch.setattr(
        time, "sleep", lambda seconds: Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
    )
    assert real(job, seconds=60)


def test_neither_long_nor_many_wait(real: object) -> None:
    job = JobFactory(state=JobState.QUEUED)
    assert not real(job, seconds=0)
    for _ in range(waiting.REQUESTS_AT_MOST):
        waiting._waiting.acquire()
    start = time.monotonic()
    assert not real(job, seconds=600)
    assert time.monotonic() - start < 60
    for _ in range(waiting.REQUESTS_AT_MOST):
        waiting._waiting.release()
    assert not real(job, seconds=0)
