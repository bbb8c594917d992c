from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from corpus.models import Article, CandidatePair, Cluster, Sentence
from corpus.services import extraction as service
from corpus.services.clusters import load_clusters
from corpus.services.extraction import launch_extraction
from jobs import worker
from jobs.models import ChunkState, Job, JobState
from jobs.services import ledger, running
from jobs.services.running import run_here, run_next_chunk
from paragold.extraction import cluster as cluster_search
from paragold.extraction.cluster import ClusterSearch, extract_cluster
from paragold.extraction.criteria import Criteria
from tests.factories.corpus import ProjectFactory
from tests.factories.made_up import NewsWriter

pytestmark = pytest.mark.django_db

SENTENCES, PARTS = 900, 9


@pytest.fixture
def extraction(monkeypatch):
    """A cluster that is cut into PARTS parts, and a small one beside it."""
    monkeypatch.setattr(service, "COMPARISONS_A_PART", SENTENCES**2 // PARTS)
    monkeypatch.setattr(cluster_search, "STRETCH_ROWS", 8)
    project = ProjectFactory()
    writer = NewsWriter(5)
    for number, sentences in enumerate((SENTENCES, 40)):
        cluster = Cluster.objects.create(project=project, key=f"c{number}")
        for outlet, texts in enumerate(writer.articles(number, sentences)):
            article = Article.objects.create(cluster=cluster, key=f"a{outlet}", content_sha256=str(outlet))
            rows = [" ".join(tokens) for tokens in texts]
            Sentence.objects.bulk_create(
                Sentence(article=article, number=index, text=text, tokens=text, starts=[])
                for index, text in enumerate(rows)
            )
    return launch_extraction(project=project, by=None, preset="candidates-2005")


def test_parts_are_alike_and_together_the_whole(extraction):
    job = extraction.job
    run_here(job=job)
    assert (job.state, job.done, job.total) == (JobState.DONE, 2, 2)
    parts = list(job.chunks.filter(payload__has_key="part"))
    assert len(parts) == PARTS
    criteria = Criteria(**job.parameters["criteria"])
    whole = [
        (cluster.ids[first], cluster.ids[second], distance)
        for _, cluster in load_clusters(list(extraction.project.clusters.values_list("pk", flat=True)))
        for first, second, distance, *_ in extract_cluster(cluster, criteria).tolist()
    ]
    kept = [part.counts["pairs_kept"] for part in parts]
    # What a worker holds at once are the pairs of one part.
    assert max(kept) < 2.5 * sum(kept) / PARTS
    numbers = ("sentence_a", "sentence_b", "edit_distance")
    stored = CandidatePair.objects.found_by([extraction.pk]).values_list(*numbers)
    assert len(stored) > SENTENCES
    assert set(stored) <= set(whole)
    assert len(whole) - len(stored) == job.counts["rejected_seen_before"] - sum(
        part.counts["rejected_seen_before"] for part in job.chunks.all()
    )


def searched_with(between):
    """`ClusterSearch.blocks`, with a call of `between` after each block."""
    blocks = ClusterSearch.blocks

    def watched(search):
        for block in blocks(search):
            yield block
            between()

    return mock.patch.object(ClusterSearch, "blocks", watched)


def test_cancelling_ends_a_part_in_its_middle(extraction, monkeypatch):
    monkeypatch.setattr(running, "REPORT_AFTER_SECONDS", 0.0)
    blocks = []

    def cancel():
        blocks.append(1)
        if len(blocks) == 2:
            ledger.cancel_job(job=Job.objects.get(pk=extraction.job.pk))

    with searched_with(cancel):
        assert run_next_chunk(job=extraction.job, worker="here", hold=worker.holding)
    # The block after the cancelling is the last that was looked for.
    assert len(blocks) == 2
    job = Job.objects.get(pk=extraction.job.pk)
    assert job.state == JobState.CANCELLED
    assert not extraction.findings.exists()
    assert not job.chunks.exclude(state=ChunkState.PENDING).exists()

    job = ledger.retry_job(job=job)
    run_here(job=job)
    assert job.state == JobState.DONE
    assert extraction.findings.count() == job.counts["pairs_kept"]


def test_a_part_that_takes_longer_than_its_lease_keeps_it(extraction):
    """Between two signs of life the lease is put into the past: without renewal the chunk would be taken."""
    chunks = extraction.job.chunks
    renewed = []

    def let_it_run_out_but_for_the_sign_of_life():
        leased = chunks.get(state=ChunkState.LEASED)
        chunks.filter(pk=leased.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
        with mock.patch.object(worker.ledger, "sweep"):
            worker.beat()
        ledger.release_expired()
        renewed.append(chunks.get(pk=leased.pk))

    with searched_with(let_it_run_out_but_for_the_sign_of_life):
        assert run_next_chunk(job=extraction.job, worker="here", hold=worker.holding)
    assert len(renewed) > 1
    assert {(chunk.state, chunk.losses, chunk.fence) for chunk in renewed} == {(ChunkState.LEASED, 0, 1)}
    assert chunks.get(pk=renewed[0].pk).state == ChunkState.DONE
