"""How work grows with its size: matching, extraction, and the pages of large projects."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from math import log
from typing import Any

from benchmarks.extraction import by_kernel
from benchmarks.matching import compile_all
from benchmarks.measuring import Row, cost
from benchmarks.visitors import crawl
from paragold.extraction.methods import DistinctSentences
from paragold.extraction.presets import get_preset
from paragold.matching.similar_pairs import banded_pairs, estimated_pairs, word_sets
from scripts.installations import throwaway_installation
from tests.factories.made_up import NewsWriter, sentences_to_match

PAGE_MS = 300
PAIRS_A_CLUSTER = 400  # of two articles of 20 sentences
PAIRS = """
INSERT INTO corpus_candidatepair (project_id, cluster_id, sentence_a_id, sentence_b_id, content_key,
    edit_distance, length_a, length_b, shared_words, position_a, position_b)
SELECT %s, one.cluster_id, a.id, b.id, {uuid}, 3 + (a.id * 7 + b.id) %% 18, 10, 10, 3, a.number, b.number
FROM corpus_article one JOIN corpus_article other ON other.cluster_id = one.cluster_id AND other.id > one.id
JOIN corpus_sentence a ON a.article_id = one.id JOIN corpus_sentence b ON b.article_id = other.id
JOIN corpus_cluster ON corpus_cluster.id = one.cluster_id
WHERE corpus_cluster.project_id = %s ORDER BY a.id, b.id LIMIT %s
"""
FINDINGS = """
INSERT INTO corpus_finding (extraction_id, pair_id)
SELECT %s, id FROM corpus_candidatepair WHERE project_id = %s
"""
OF_BATCH = (
    "FROM annotation_assignment one JOIN annotation_item ON item_id = annotation_item.id WHERE batch_id = %s"
)
# Annotators differ in some of each tenth pair.
DIFFERS = "(item_id + annotator_id * (item_id %% 10 / 9)) %% 3"
LABEL = f"CASE WHEN {DIFFERS} = 0 THEN 'paraphrase' ELSE 'not_paraphrase' END"
JUDGED = (
    f"INSERT INTO annotation_judgement (assignment_id, label) SELECT one.id, {LABEL} {OF_BATCH}",
    "UPDATE annotation_assignment SET state = 'done', version = 1, answered_at = CURRENT_TIMESTAMP "
    f"WHERE id IN (SELECT one.id {OF_BATCH})",
)
UUID = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}


def growth(
    *,
    texts: tuple[int, ...] = (3_000, 30_000, 300_000),
    compared: tuple[float, ...] = (1e5, 1e6, 1e7),
    pairs: tuple[int, ...] = (22_900, 229_000, 2_290_000),
    judgements: tuple[int, ...] = (10_000, 100_000),
    batches: tuple[int, ...] = (100, 1_000),
    database: str = "sqlite",
) -> list[Row]:
    """CPU seconds by the size of the work, and the exponent by which they grow from first to last size.

    Matching at 0.33, m = 128, and extraction, in one process. Then projects with so many pairs, judgements by
    two annotators and batches, whose rows SQL makes: agreement and freezing, and each page that links lead to
    from the project's first page, asked for by a manager. A page is a problem above 300 ms of CPU (on SQLite
    the database's are among them). `slowest` has the pages that took longest, `after_answer` those at the
    first view after an answer was changed.
    """
    compile_all()
    rows = _of_sizes("minhash", texts, _texts, lambda sets: estimated_pairs(sets, 0.33))
    rows += _of_sizes("bands", texts, _texts, lambda sets: banded_pairs(sets, 0.33))
    rows += _of_sizes("extraction", compared, _clusters, lambda some: by_kernel(some, CRITERIA))
    with throwaway_installation(database):
        for size in pairs:
            rows.append(_pages(_project_of_pairs(size)[0], {"work": "pages", "pairs": size}))
        judged = [_judged(size) for size in judgements]
        rows += _of_sizes("freezing", judgements, judged.__getitem__, _freeze, by_number=True)
        for size, (project, batch) in zip(judgements, judged, strict=True):
            rows.append(_pages(project, {"work": "pages", "judgements": size}, batch))
        for size in batches:
            rows.append(_pages(_project_of_batches(size), {"work": "pages", "batches": size}))
    return rows


CRITERIA = get_preset("L12-2004-word").criteria


def _texts(size: int) -> Any:
    return word_sets(sentences_to_match(size))


def _clusters(size: float) -> list[DistinctSentences]:
    """Of 287 sentences, some 41,000 pairs each, of which a third is within the length window."""
    writer = NewsWriter(1)
    return [
        DistinctSentences(range(len(one)), one.tokens, CRITERIA.shared_word_length)
        for one in map(writer.cluster, range(max(1, round(size / 41_000))))
    ]


def _of_sizes(
    work: str,
    sizes: Sequence[float],
    prepare: Callable[[Any], Any],
    run: Callable[[Any], object],
    *,
    by_number: bool = False,
) -> list[Row]:
    rows: list[Row] = []
    for number, size in enumerate(sizes):
        prepared = prepare(number if by_number else size)
        with cost() as spent:
            run(prepared)
        rows.append({"work": work, "size": int(size)} | spent)
    if len(rows) > 1:
        grown = log(rows[-1]["cpu_s"] / max(rows[0]["cpu_s"], 1e-3)) / log(sizes[-1] / sizes[0])
        rows[-1]["exponent"] = round(grown, 2)
    return rows


def _project_of_pairs(pairs: int) -> tuple[Any, Any]:
    """A project with so many pairs of clusters of 40 sentences, and the dataset that has them all."""
    from django.db import connection

    from corpus.models import Article, Cluster, Sentence
    from corpus.services.datasets import freeze_dataset
    from tests.factories.corpus import ExtractionFactory, ProjectFactory

    project = ProjectFactory()
    clusters = [Cluster(project=project, key=f"c{n}") for n in range(-(-pairs // PAIRS_A_CLUSTER))]
    Cluster.objects.bulk_create(clusters)
    articles = [
        Article(cluster=one, key=key, title=f"Dam {one.key} {key}", content_sha256=f"{one.key}{key}")
        for one in clusters
        for key in ("a", "b")
    ]
    Article.objects.bulk_create(articles)
    text = "the council mended dam {} before the spring flood ."
    Sentence.objects.bulk_create(
        (
            Sentence(article=one, number=n, text=text.format(n), tokens=text.format(n), starts=[])
            for one in articles
            for n in range(20)
        ),
        batch_size=5_000,
    )
    extraction = ExtractionFactory(project=project)
    with connection.cursor() as cursor:
        cursor.execute(PAIRS.format(uuid=UUID[connection.vendor]), [project.pk, project.pk, pairs])
        cursor.execute(FINDINGS, [extraction.pk, project.pk])
        cursor.execute("ANALYZE")
    return project, freeze_dataset(project=project, name="all", extractions=[extraction])


def _judged(judgements: int) -> tuple[Any, Any]:
    """A project with a batch that two annotators have judged, who differ in some pairs, and the batch."""
    from django.db import connection

    project, dataset = _project_of_pairs(judgements // 2)
    batch = _drawn(project, dataset, judgements // 2)
    with connection.cursor() as cursor:
        for statement in JUDGED:
            cursor.execute(statement, [batch.pk])
    return project, batch


def _drawn(project: Any, dataset: Any, size: int, seed: int = 1) -> Any:
    from annotation.services.drawing import draw_judging_batch
    from projects.models import Membership, Role
    from tests.factories.corpus import member

    people = list(Membership.objects.filter(project=project).values_list("user__username", flat=True))
    people = people or [member(project, Role.ANNOTATOR, f"{project.slug}-{n}").username for n in (1, 2)]
    return draw_judging_batch(
        project=project, by=None, name=f"batch {seed}", dataset=dataset, size=size, seed=seed, overlap=2,
        annotators=people,
    )  # fmt: skip


def _project_of_batches(batches: int) -> Any:
    project, dataset = _project_of_pairs(3 * batches)
    for number in range(batches):
        _drawn(project, dataset, 2, number + 1)
    return project


def _freeze(judged: tuple[Any, Any]) -> None:
    from annotation.services.gold import freeze_gold_set

    project, batch = judged
    freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def _pages(project: Any, about: Row, batch: Any = None) -> Row:
    """CPU milliseconds of each page, asked for twice, and once more after an answer to the batch; and what is
    above 300."""
    from django.db.models import F
    from django.test import Client
    from django.utils import timezone

    from annotation.models import Assignment
    from projects.models import Role
    from tests.factories.corpus import member

    client = Client(headers={"host": "localhost"})
    client.force_login(member(project, Role.MANAGER, f"{project.slug}-manager"))
    times: dict[str, float] = {}

    def get(path: str) -> str:
        began = time.process_time()
        answer = client.get(path)
        took = round(1000 * (time.process_time() - began))
        times[path] = min(took, times.get(path, took))
        return answer.content.decode() if answer.get("Content-Type", "").startswith("text/html") else ""

    pages = crawl(get, f"/projects/{project.slug}/", 60)
    for path in pages:
        get(path)
    unchanged = dict(times)
    times.clear()
    answers = Assignment.objects.filter(item__batch=batch).order_by("pk")[: len(pages)]
    for path, place in zip(pages, answers if batch else (), strict=False):
        answer = Assignment.objects.filter(pk=place.pk)
        answer.update(version=F("version") + 1, answered_at=timezone.now())
        get(path)
    row: Row = about | {"pages": len(pages)}
    late = []
    for name, of in (("slowest", unchanged), ("after_answer", times)):
        slowest = sorted(of.items(), key=lambda item: -item[1])
        row[name] = {re.sub(rf"/projects/{project.slug}|\d+", "", path): took for path, took in slowest[:6]}
        late += [f"{path}: {took:.0f} ms" for path, took in slowest if took > PAGE_MS]
    return row | {"problem": "; ".join(late)}
