"""A dataset of as many pairs as wanted, loaded in bulk into an empty database."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from itertools import islice

from benchmarks.extraction_corpus import Row, load, write_rows
from benchmarks.news_like_clusters import ARTICLE_SENTENCES, SENTENCES_A_CLUSTER

PAIRS_A_CLUSTER = 500
PAIR_COLUMNS = (
    *("id", "project_id", "cluster_id", "sentence_a_id", "sentence_b_id", "content_key", "edit_distance"),
    *("length_a", "length_b", "shared_words", "position_a", "position_b"),
)


def pair_rows(pairs: int, project: int, seed: int) -> Iterator[Row]:
    """Pairs of sentences of different articles of a cluster. Their numbers are drawn, not measured."""
    draw = random.Random(seed)
    for pair in range(pairs):
        cluster, turn = divmod(pair, PAIRS_A_CLUSTER)
        # Every sentence has a partner at each distance: so none comes twice.
        distance, first = divmod(turn, SENTENCES_A_CLUSTER - 3 * ARTICLE_SENTENCES)
        second = first + (1 + distance) * ARTICLE_SENTENCES
        base = cluster * SENTENCES_A_CLUSTER + 1
        key = uuid.UUID(int=draw.getrandbits(128), version=4)
        numbers = (draw.randrange(20), draw.randrange(10, 45), draw.randrange(10, 45), draw.randrange(3, 9))
        places = (first % ARTICLE_SENTENCES, second % ARTICLE_SENTENCES)
        yield (pair + 1, project, cluster + 1, base + first, base + second, key.hex, *numbers, *places)


def load_dataset(pairs: int, seed: int = 1) -> int:
    """Load clusters of 287 sentences and `pairs` pairs between them. Returns the dataset's id."""
    from django.core.management.color import no_style
    from django.db import connection, transaction

    from corpus.models import CandidatePair, Dataset, Extraction, Finding
    from jobs.models import Job, JobState
    from projects.models import Project

    project = Project.objects.get(pk=load(-(-pairs // PAIRS_A_CLUSTER), seed))
    job = Job.objects.create(project=project, kind="extract", title="Extraction", state=JobState.DONE)
    extraction = Extraction.objects.create(
        project=project, job=job, name="all", preset="none", criteria={}, signature=f"made up|seed:{seed}"
    )
    rows = pair_rows(pairs, project.pk, seed)
    with transaction.atomic():
        while some := list(islice(rows, 50_000)):
            write_rows("corpus_candidatepair", PAIR_COLUMNS, iter(some))
            found = ((row[0], extraction.pk, row[0]) for row in some)
            write_rows("corpus_finding", ("id", "extraction_id", "pair_id"), found)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [CandidatePair, Finding]):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    dataset = Dataset.objects.create(
        project=project, name="candidates", size=pairs, signature=extraction.signature
    )
    dataset.extractions.add(extraction)
    return int(dataset.pk)
