import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Barrier, Event

import pytest
from django.db import connection, transaction

from corpus.models import Article, Cluster, Sentence
from corpus.services import extraction as service
from corpus.services.extraction import launch_extraction
from jobs.models import ChunkState, Job, JobState
from jobs.services.running import finish_job, run_here, run_next_chunk
from tests.factories.corpus import ProjectFactory
from tests.jobs.services.test_worker_killed import fingerprint

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS, CLUSTERS = 8, 40


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(service, "CLUSTERS_A_CHUNK", 2)


def make_project():
    """Clusters out of few sentences, so that many a pair comes again in other clusters."""
    project = ProjectFactory()
    draw = random.Random(7)
    stock = [" ".join(draw.choices("abcdefghijklm", k=draw.randint(5, 9))) for _ in range(40)]
    for number in range(CLUSTERS):
        cluster = Cluster.objects.create(project=project, key=f"c{number}")
        for outlet in range(3):
            article = Article.objects.create(cluster=cluster, key=f"a{outlet}", content_sha256=f"{outlet}")
            Sentence.objects.bulk_create(
                Sentence(article=article, number=index, text=text, tokens=text, starts=[])
                for index, text in enumerate(draw.sample(stock, 5))
            )
    return project


def shuffle_chunks(job, seed):
    """Give the chunks their work in another order."""
    chunks = list(job.chunks.all())
    work = [(chunk.payload, chunk.units) for chunk in chunks]
    random.Random(seed).shuffle(work)
    for chunk, (chunk.payload, chunk.units) in zip(chunks, work, strict=True):
        chunk.save(update_fields=["payload", "units"])


def work_together(job, workers):
    """So many threads, each with a connection of its own, lease chunks until the job has ended."""
    ready = Barrier(workers)

    def work(_):
        try:
            own = Job.objects.get(pk=job.pk)
            ready.wait(300)
            run_here(job=own, patience=0.01)
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))
    job.refresh_from_db()


@pytest.mark.parametrize("preset", ["L12-2004", "candidates-2005"])
def test_eight_workers_find_what_one_finds(preset, small_chunks):
    alone = launch_extraction(project=make_project(), by=None, preset=preset)
    run_here(job=alone.job)
    assert alone.job.counts["rejected_seen_before"] > 0

    together = launch_extraction(project=make_project(), by=None, preset=preset)
    job = together.job
    shuffle_chunks(job, seed=3)
    work_together(job, WORKERS)

    assert job.state == JobState.DONE
    assert set(job.chunks.values_list("state", flat=True)) == {ChunkState.DONE}
    assert not job.chunks.filter(failures__gt=0).exists()
    assert fingerprint(together) == fingerprint(alone)
    assert job.counts["pairs_kept"] == together.findings.count() == alone.findings.count()


def test_who_waits_too_long_for_a_job_that_another_ends_goes_away_in_peace():
    """The end of a large job outlasts the time that PostgreSQL lets others wait for the job's row."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no locks of rows")
    job = launch_extraction(project=make_project(), by=None, preset="L12-2004").job
    held, waited = Event(), Event()

    def hold():
        try:
            with transaction.atomic():
                Job.objects.select_for_update().get(pk=job.pk)
                held.set()
                assert waited.wait(300)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, connection.cursor() as cursor:
        other = pool.submit(hold)
        assert held.wait(300)
        cursor.execute("SET lock_timeout = 50")
        try:
            assert not run_next_chunk(job=job, worker="late", hold=lambda chunk: nullcontext())
            assert not finish_job(job=job)
        finally:
            cursor.execute("SET lock_timeout = 20000")
            waited.set()
        other.result(300)
    run_here(job=job)
    assert job.state == JobState.DONE
