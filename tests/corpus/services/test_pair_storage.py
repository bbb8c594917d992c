from __future__ import annotations

from unittest import mock

import pytest
from django.db import connection, transaction

from corpus.models import Article, CandidatePair, Cluster, Extraction, Finding, Sentence
from corpus.services import extraction as service, pair_storage
from corpus.services.clusters import load_clusters
from corpus.services.extraction import launch_extraction
from corpus.services.pair_storage import remove_repeated_pairs
from jobs.models import JobState
from jobs.services import running
from jobs.services.running import run_here
from paragold.extraction import cluster as cluster_search
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.presets import PRESETS
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db

TEXTS = [
    ["the river rose over its banks on monday", "officials said the dam had held", "{} families left"],
    ["the river rose above its banks on tuesday", "officials say that the dam has held", "{} people left"],
    ["a river rose over banks on monday", "the dam held , officials said", "{} families have left"],
]


@pytest.fixture(autouse=True)
def compiling_takes_its_time(monkeypatch):
    """Chunks are computed here of jobs that no worker runs: nobody looks whether they still do."""
    monkeypatch.setattr(running, "REPORT_AFTER_SECONDS", 600.0)


@pytest.fixture
def project():
    """Four clusters; the first two sentences of every article are the same in all of them."""
    project = ProjectFactory(held_out_share=0.5)
    for number in range(4):
        cluster = Cluster.objects.create(project=project, key=f"c{number}", held_out=number == 0)
        for outlet, sentences in enumerate(TEXTS):
            article = Article.objects.create(cluster=cluster, key=str(outlet), content_sha256=str(outlet))
            for index, template in enumerate(sentences):
                text = template.format(number * 10)
                Sentence.objects.create(article=article, number=index, text=text, tokens=text, starts=[])
    return project


def extract(project, preset="L12-2004"):
    extraction = launch_extraction(project=project, by=None, preset=preset)
    run_here(job=extraction.job)
    assert (extraction.job.state, extraction.job.error) == (JobState.DONE, "")
    return extraction


def found(extraction):
    numbers = ("edit_distance", "length_a", "length_b", "shared_words", "position_a", "position_b")
    pairs = CandidatePair.objects.found_by([extraction.pk])
    return sorted(pairs.values_list("sentence_a", "sentence_b", "content_key", *numbers))


def expected(project):
    rows: dict[bytes, tuple[object, ...]] = {}
    for _, sentences in load_clusters(list(project.clusters.values_list("pk", flat=True))):
        for pair in extract_cluster(sentences, PRESETS["L12-2004"].criteria).tolist():
            first, second, *numbers, key = pair
            rows.setdefault(key, (sentences.ids[first], sentences.ids[second], key, *numbers))
    keys = CandidatePair._meta.get_field("content_key")
    return sorted((a, b, keys.to_python(key.hex()), *rest) for a, b, key, *rest in rows.values())


@pytest.fixture(params=[1, 20_000])
def rows_at_once(request):
    with mock.patch.object(pair_storage, "ROWS_AT_ONCE", request.param):
        yield


def test_every_number_arrives_and_each_two_texts_once(project, rows_at_once):
    extraction = extract(project)
    assert found(extraction) == expected(project)
    kept = extraction.job.counts["pairs_kept"]
    assert kept == project.pairs.count() == extraction.findings.count() > 20
    assert extraction.job.counts["rejected_seen_before"] >= 30


def test_parts_of_clusters_give_what_whole_clusters_give(project):
    with (
        mock.patch.object(service, "COMPARISONS_A_PART", 20),
        mock.patch.object(cluster_search, "STRETCH_ROWS", 2),
    ):
        extraction = extract(project)
    job = extraction.job
    assert job.chunks.count() == 4 * 5
    assert (job.done, job.total) == (4, 4)
    assert found(extraction) == expected(project)
    whole = extract(project).job.counts
    of_pairs = [name for name in whole if name != "milliseconds"]
    assert {name: job.counts[name] for name in of_pairs} == {name: whole[name] for name in of_pairs}


def test_a_second_run_merges_and_adds_nothing(project, rows_at_once):
    first = extract(project)
    pairs = set(CandidatePair.objects.values_list("pk", flat=True))
    second, wider = extract(project), extract(project, "candidates-2005")
    assert found(first) == found(second) == expected(project)
    assert pairs < set(CandidatePair.objects.values_list("pk", flat=True))
    assert set(found(wider)) - set(found(first))
    assert not CandidatePair.objects.filter(findings__isnull=True).exists()


def test_a_copy_that_meets_a_pair_that_is_there_becomes_a_merge(project):
    first = extract(project)
    kept = found(first)
    pairs = CandidatePair.objects.count()
    second = launch_extraction(project=project, by=None, preset="L12-2004")
    first.job.chunks.all().delete()
    # As when the other extraction began to write after it had been looked for.
    with mock.patch.object(pair_storage.Extraction.objects, "filter", lambda **_: Extraction.objects.none()):
        chunk = second.job.chunks.get()
        with transaction.atomic():
            service.store(second.job, service.compute(second.job, chunk))
    assert Finding.objects.filter(extraction=second).count() > len(kept)
    with transaction.atomic():
        remove_repeated_pairs(second)
    assert found(second) == kept
    assert CandidatePair.objects.count() == pairs


def test_binary_copy_is_what_postgresql_writes():
    if connection.vendor != "postgresql":
        pytest.skip("COPY is PostgreSQL's")
    columns = {
        "a": pair_storage.np.array([1, -2]),
        "b": pair_storage.np.array([7, 2**31 - 1], dtype="i4"),
        "c": pair_storage.np.array([bytes(16), bytes(range(16))], dtype="V16"),
    }
    query = (
        "SELECT * FROM (VALUES (1::bigint, 7::int, '00000000-0000-0000-0000-000000000000'::uuid), "
        "(-2, 2147483647, '00010203-0405-0607-0809-0a0b0c0d0e0f')) AS t"
    )
    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)") as copy:
        written = b"".join(bytes(block) for block in copy)
    ours = pair_storage._COPY_HEADER + pair_storage.as_copy(columns) + pair_storage._COPY_TRAILER
    assert written == ours
