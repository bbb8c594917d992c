import hashlib
import os
import random
import signal
import time
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.services import extraction as extraction_service
from corpus.services.extraction import launch_extraction
from jobs import models as job_models
from jobs.models import ChunkState, Job, JobState, WorkerHeartbeat
from jobs.services.ledger import hand_over
from jobs.services.liveness import liveness
from jobs.services.running import run_here
from projects.services.projects import create_project
from tests.processes import wait_until
from tests.worker_process import Worker

pytestmark = pytest.mark.django_db(transaction=True)

CLUSTERS = 50
KILLS = 3
# Seconds that a worker may take to start and to work, ten times what a busy machine needs.
PATIENCE = 300
CLOSE = {"max_edit_distance": "8"}
WORDS = [f"word{n}" for n in range(60)]


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(extraction_service, "CLUSTERS_A_CHUNK", 1)


def make_project(slug):
    """Clusters of four articles whose sentences are rewrites of each other, some the same across clusters."""
    user, _ = User.objects.get_or_create(username="manager")
    project = create_project(by=user, slug=slug, name=slug)
    draw = random.Random(5)
    bases = [[draw.choice(WORDS) for _ in range(12)] for _ in range(200)]
    for number in range(CLUSTERS):
        cluster = Cluster.objects.create(project=project, key=f"c{number}")
        for outlet in range(4):
            article = Article.objects.create(
                cluster=cluster, key=f"a{outlet}", content_sha256=f"{number}-{outlet}"
            )
            sentences = []
            for index in range(6):
                tokens = list(draw.choice(bases[:8]) if index == 0 else draw.choice(bases))
                tokens[draw.randrange(12)] = draw.choice(WORDS)
                text = " ".join(tokens)
                sentences.append(Sentence(article=article, number=index, text=text, tokens=text, starts=[]))
            Sentence.objects.bulk_create(sentences)
    return project


def found(extraction):
    """The pairs without ids, which differ between projects."""
    pairs = CandidatePair.objects.found_by([extraction.pk]).values_list(
        "cluster__key",
        "sentence_a__article__key",
        "position_a",
        "edit_distance",
        "sentence_b__article__key",
        "position_b",
        "shared_words",
    )
    return sorted(pairs)


def fingerprint(extraction):
    """SHA-256 of the sorted pairs."""
    return hashlib.sha256("\n".join(map(str, found(extraction))).encode()).hexdigest()


@contextmanager
def last_chunk_held(job):
    """Nobody gets the job's last chunk inside the block, so that no worker, however quick, ends the job."""
    held = job.chunks.filter(number=job.chunks.count() - 1)
    held.update(state=ChunkState.LEASED, leased_until=timezone.now() + timedelta(hours=1))
    yield
    held.update(leased_until=timezone.now())


def test_killed_worker_leaves_the_pairs_of_an_undisturbed_run(worker, small_chunks):
    undisturbed = launch_extraction(project=make_project("calm"), by=None, preset="L12-2004", settings=CLOSE)
    run_here(job=undisturbed.job)
    expected = found(undisturbed)
    assert len(expected) > 100

    disturbed = launch_extraction(project=make_project("storm"), by=None, preset="L12-2004", settings=CLOSE)
    job = disturbed.job

    def done_at_least(chunks):
        return Job.objects.get(pk=job.pk).done >= chunks

    draw = random.Random(11)
    with last_chunk_held(job):
        for at in (1, *sorted(draw.sample(range(2, 37), KILLS - 1))):
            worker.start()
            wait_until(lambda at=at: done_at_least(at), PATIENCE, f"{at} chunks done\n{worker.log()}")
            time.sleep(draw.random() / 50)
            worker.kill()
            job.refresh_from_db()
            assert job.state == JobState.RUNNING
            assert at <= job.done < CLUSTERS
    worker.start()
    wait_until(lambda: not Job.objects.get(pk=job.pk).active, PATIENCE, f"the job's end\n{worker.log()}")

    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, CLUSTERS)
    assert fingerprint(disturbed) == fingerprint(undisturbed)
    assert found(disturbed) == expected
    assert job.counts["pairs_kept"] == len(expected) == undisturbed.job.counts["pairs_kept"]


def moving():
    return WorkerHeartbeat.objects.moving()


def processes():
    """The worker's processes that take messages."""
    return [int(name.rpartition(":")[2]) for name in moving().values_list("name", flat=True)]


def kill_all():
    """Kill every process that takes messages (dead ones may still be listed); how many there were."""
    killed = 0
    for pid in processes():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            killed += 1
    return killed


def ended(job):
    return not Job.objects.get(pk=job.pk).active


@pytest.fixture
def three_processes(tmp_path):
    """Two for every job, one for short jobs."""
    worker = Worker(tmp_path / "worker.log", concurrency=2, short=True)
    worker.start()
    wait_until(lambda: moving().count() == 3, PATIENCE, f"three processes\n{worker.log()}")
    yield worker
    worker.close()


def test_killed_processes_hold_up_nobody(three_processes, monkeypatch):
    """Each is killed while it waits for messages, then all of them while they are at work."""
    log = three_processes.log
    project = make_project("kills")
    launched = []
    for pid in processes():
        os.kill(pid, signal.SIGKILL)
        launched.append(launch_extraction(project=project, by=None, preset="L12-2004", settings=CLOSE))
        hand_over(launched[-1].job)
        wait_until(lambda: ended(launched[-1].job), PATIENCE, f"the end of a job\n{log()}")
    monkeypatch.setattr(extraction_service, "CLUSTERS_A_CHUNK", 1)
    disturbed = launch_extraction(project=project, by=None, preset="L12-2004", settings=CLOSE)
    done = disturbed.job.chunks.filter(state=ChunkState.DONE)
    with last_chunk_held(disturbed.job):
        hand_over(disturbed.job)
        for at in (1, 10, 20):
            wait_until(lambda at=at: done.count() >= at, PATIENCE, f"{at} chunks done\n{log()}")
            assert kill_all() > 0
    wait_until(lambda: ended(disturbed.job), PATIENCE, f"the end of the job\n{log()}")
    assert Job.objects.get(pk=disturbed.job.pk).state == JobState.DONE
    assert {fingerprint(extraction) for extraction in launched} == {fingerprint(disturbed)}


def test_a_worker_that_is_stopped_is_seen(three_processes, monkeypatch):
    """First one of its processes, which is replaced; SIGTERM takes the signs of life of all back."""
    stopped = max(processes())
    os.kill(stopped, signal.SIGSTOP)
    wait_until(lambda: liveness().state == "partly stuck", PATIENCE, "the process is seen to be stuck")
    wait_until(lambda: liveness().works, PATIENCE, f"another is there\n{three_processes.log()}")
    assert stopped not in processes()
    monkeypatch.setattr(job_models, "STUCK_SECONDS", 5)
    three_processes.signal(signal.SIGSTOP)
    wait_until(lambda: liveness().state == "stuck", PATIENCE, "the worker is seen to be stuck")
    three_processes.signal(signal.SIGCONT)
    wait_until(lambda: liveness().works, PATIENCE, f"work moves again\n{three_processes.log()}")
    assert three_processes.terminate() == [0, 0]
    assert not WorkerHeartbeat.objects.exists()
