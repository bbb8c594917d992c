from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import nullcontext
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection, transaction
from django.utils import timezone, translation
from kombu.exceptions import OperationalError

from jobs import worker
from jobs.kinds import Runner, job_kinds
from jobs.models import TRANSITIONS, ChunkState, Job, JobChunk, JobState, WorkerHeartbeat
from jobs.services import ledger, running
from projects.errors import PublicError
from tests.factories.corpus import ProjectFactory
from tests.job_kinds import kind_with

pytestmark = pytest.mark.django_db


class Recorder:
    """A runner that notes what it did, and fails on the chunks that it is told to."""

    def __init__(self):
        self.stored: list[int] = []
        self.finished = 0
        self.failing: set[int] = set()

    def compute(self, job, chunk):
        if chunk.number in self.failing:
            raise ValueError("bad clusters")
        return chunk.number

    def store(self, job, result):
        self.stored.append(result)
        return {"chunks": 1}

    def finish(self, job):
        self.finished += 1


@pytest.fixture
def recorder(monkeypatch):
    recorder = Recorder()
    runner = Runner(recorder.compute, recorder.store, recorder.finish)
    monkeypatch.setitem(job_kinds(), "test", kind_with(runner))
    return recorder


@pytest.fixture
def job():
    return make_job(ProjectFactory())


def make_job(project, chunks=3):
    plans = [ledger.ChunkPlan(units=2, payload={"n": n}) for n in range(chunks)]
    return ledger.request_job(
        project=project, by=None, kind="test", title="Test", parameters={}, signature="", chunks=plans
    )


def run_next(job):
    return running.run_next_chunk(job=job, worker="w", hold=lambda chunk: nullcontext())


def test_job_runs_to_its_end_once(job, recorder):
    running.run_here(job=job)
    assert (job.state, job.done, job.total, job.counts) == (JobState.DONE, 6, 6, {"chunks": 3})
    assert recorder.stored == [0, 1, 2]
    assert not running.finish_job(job=job)
    assert recorder.finished == 1


def test_a_job_that_a_request_runs_itself_records_its_error_in_english(job, recorder, monkeypatch):
    def refuse(job, chunk):
        raise PublicError("The batch %(batch)s is closed. Ask a manager to open it again.", batch="Dams")

    monkeypatch.setitem(job_kinds(), "test", kind_with(Runner(refuse, recorder.store)))
    with translation.override("de"):
        running.run_here(job=job)
    assert job.error == "The batch Dams is closed. Ask a manager to open it again."


def test_every_transition_is_in_the_table_or_refused(job):
    for origin in JobState.values:
        for target in JobState.values:
            Job.objects.filter(pk=job.pk).update(state=origin)
            assert ledger.move(job, target) == (target in TRANSITIONS[origin])


def test_a_lost_lease_stores_nothing(job, recorder):
    stale = ledger.lease_chunk(job=job, worker="slow")
    assert stale is not None
    JobChunk.objects.filter(pk=stale.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert ledger.release_expired() == 1
    again = ledger.lease_chunk(job=job, worker="quick")
    assert again is not None
    assert (again.pk, again.fence, again.losses) == (stale.pk, stale.fence + 1, 1)
    assert not ledger.complete_chunk(chunk=stale, counts={})
    assert ledger.complete_chunk(chunk=again, counts={})
    assert not ledger.complete_chunk(chunk=again, counts={})
    job.refresh_from_db()
    assert job.done == 2


def test_a_chunk_that_loses_its_workers_ten_times_fails_the_job(job):
    for _ in range(ledger.MAX_LOSSES):
        chunk = ledger.lease_chunk(job=job, worker="w")
        assert chunk is not None
        assert chunk.number == 0
        JobChunk.objects.filter(pk=chunk.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
        ledger.release_expired()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "died 10 times" in job.error


def test_cancelled_job_discards_what_is_being_computed(job, recorder):
    assert run_next(job)
    chunk = ledger.lease_chunk(job=job, worker="w")
    assert chunk is not None
    ledger.cancel_job(job=job)
    assert not ledger.complete_chunk(chunk=chunk, counts={})
    assert not run_next(job)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.CANCELLED, 2)
    with pytest.raises(PublicError, match="cancelled"):
        ledger.cancel_job(job=job)


@pytest.mark.django_db(transaction=True)
def test_no_chunk_is_leased_to_a_job_that_is_being_cancelled(recorder):
    job = make_job(ProjectFactory())
    started: Job = Job.objects.get(pk=job.pk)
    assert run_next(started)
    leased: list[JobChunk | None] = []

    def lease():
        try:
            leased.append(ledger.lease_chunk(job=Job.objects.get(pk=job.pk), worker="w"))
        finally:
            connection.close()

    worker = threading.Thread(target=lease)
    with transaction.atomic():
        ledger.cancel_job(job=started)
        worker.start()
        worker.join(0.3)
        assert worker.is_alive()
    worker.join(120)
    assert leased == [None]
    assert not job.chunks.filter(state=ChunkState.LEASED).exists()


def test_retry_takes_up_what_is_not_done(job, recorder):
    assert run_next(job)
    ledger.cancel_job(job=job)
    ledger.retry_job(job=job)
    running.run_here(job=job)
    assert recorder.stored == [0, 1, 2]
    assert job.state == JobState.DONE
    with pytest.raises(PublicError, match="only stopped jobs can be retried"):
        ledger.retry_job(job=job)


def test_a_chunk_that_raises_three_times_fails_the_job_and_says_why(job, recorder):
    recorder.failing = {1}
    running.run_here(job=job)
    assert job.state == JobState.FAILED
    assert job.error == "Chunk 1 failed 3 times: ValueError: bad clusters"
    assert job.chunks.get(number=1).state == ChunkState.FAILED
    recorder.failing = set()
    ledger.retry_job(job=job)
    running.run_here(job=job)
    assert job.state == JobState.DONE


def test_the_task_does_the_job_and_twice_is_harmless(job, recorder):
    worker.work(job.pk)
    worker.work(job.pk)
    worker.work(10**9)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert recorder.stored == [0, 1, 2]


def test_job_asked_for_while_the_broker_is_down_is_handed_over_later(
    job,
    monkeypatch,
    django_capture_on_commit_callbacks,
):
    sent: list[int] = []
    down = True

    def send_message(job):
        if down:
            raise OperationalError("refused")
        sent.append(job.pk)

    monkeypatch.setattr(ledger, "send_message", send_message)
    with django_capture_on_commit_callbacks(execute=True):
        ledger.hand_over(job)
    assert ledger.sweep() == 0
    job.refresh_from_db()
    assert (sent, job.state, job.handed_over_at) == ([], JobState.QUEUED, None)

    down = False
    assert ledger.sweep() == 1
    assert sent == [job.pk] * 3
    assert ledger.sweep() == 0


def test_a_job_whose_message_was_lost_is_handed_over_again(job, monkeypatch):
    monkeypatch.setattr(ledger, "send_message", lambda job: None)
    long_ago = timezone.now() - timedelta(minutes=1)
    Job.objects.filter(pk=job.pk).update(handed_over_at=long_ago)
    assert ledger.sweep() == 1
    Job.objects.filter(pk=job.pk).update(handed_over_at=long_ago)
    assert ledger.lease_chunk(job=job, worker="busy") is not None
    assert ledger.sweep() == 0


def process(name, *, busy=False, short_only=False):
    now = timezone.now()
    until = now + timedelta(minutes=5) if busy else None
    return WorkerHeartbeat.objects.create(name=name, last_seen=now, busy_until=until, short_only=short_only)


def test_chunks_whose_message_was_lost_are_handed_over_once_a_process_is_free(job, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(ledger, "send_message", lambda job: sent.append(job.pk))
    long_ago = timezone.now() - timedelta(minutes=1)
    Job.objects.filter(pk=job.pk).update(handed_over_at=long_ago)
    assert ledger.lease_chunk(job=job, worker="here:1") is not None
    process("here:1", busy=True)
    other = process("here:2", busy=True)
    # Its messages wait in the queue.
    assert ledger.sweep() == 0
    # A process for short jobs alone does not take them.
    process("here:3", short_only=True)
    assert ledger.sweep() == 0
    other.busy_until = None
    other.save()
    assert ledger.sweep() == 1
    assert sent == [job.pk]
    assert ledger.sweep() == 0


def test_what_a_dead_process_held_is_given_on_at_once(job, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(ledger, "send_message", lambda job: sent.append(job.pk))
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    host = worker.name().rpartition(":")[0]
    dead, alive = f"{host}:{gone.pid}", f"{host}:{os.getppid()}"
    for name in (dead, alive, "elsewhere:1"):
        process(name)
        assert ledger.lease_chunk(job=job, worker=name) is not None
    worker.begin()
    leased = job.chunks.filter(state=ChunkState.LEASED)
    assert set(leased.values_list("worker", flat=True)) == {alive, "elsewhere:1"}
    assert not WorkerHeartbeat.objects.filter(name=dead).exists()
    assert sent == [job.pk]


def test_a_chunk_that_takes_too_long_fails_and_says_so(job, recorder, monkeypatch):
    """Celery raises it in the process that is at work."""

    def compute(job, chunk):
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(recorder, "compute", compute)
    runner = Runner(recorder.compute, recorder.store, recorder.finish)
    monkeypatch.setitem(job_kinds(), "test", kind_with(runner))
    monkeypatch.setattr(ledger, "send_message", lambda job: None)
    while Job.objects.get(pk=job.pk).active:
        with pytest.raises(SoftTimeLimitExceeded):
            worker.work(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "it took longer than 300 s" in job.error


def test_a_process_at_work_is_not_stuck_before_its_time_is_over():
    with worker.busy(60):
        worker.beat()
        assert WorkerHeartbeat.objects.moving().count() == 1
        assert not WorkerHeartbeat.objects.free().exists()
    worker.beat()
    assert WorkerHeartbeat.objects.free().count() == 1
    with worker.busy(-1):
        worker.beat()
        assert not WorkerHeartbeat.objects.moving().exists()
    worker.end()
    assert not WorkerHeartbeat.objects.exists()
