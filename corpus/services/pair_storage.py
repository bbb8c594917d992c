"""Writing the pairs of a chunk: COPY into PostgreSQL, executemany into SQLite. Call within a transaction."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from django.db import IntegrityError, connection, transaction
from numpy.typing import NDArray

from corpus.models import CandidatePair, Extraction, Finding
from jobs.models import JobState

from .pair_rows import COLUMNS, ROW, as_copy, as_tuples, slices

PAIRS = CandidatePair._meta.db_table
FINDINGS = Finding._meta.db_table
_COLUMN_LIST = ", ".join(COLUMNS)
# What a finding keeps of a method that scores pairs; NaN stands for none.
SCORES = np.dtype([("score", "f8"), ("jaccard", "f8")])

_COPY_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
# Any number that nothing else in the database locks by.
_STORING = 7_203_401


def store_pairs(
    extraction: Extraction, rows: NDArray[np.void], scores: NDArray[np.void] | None = None
) -> None:
    """Write rows (`pair_rows.in_order`) and say that the extraction found them; what is there already stays.

    `scores` (`SCORES`) are kept with the findings, one a row. Where no other extraction has written into the
    project rows without scores are copied straight in. Otherwise, or when that meets a pair that is there,
    they are merged.
    """
    if not len(rows):
        return
    if connection.vendor != "postgresql":
        _insert(extraction, rows, scores)
        return
    # Against `removing`: a pair that is found here must not be taken for an orphan meanwhile.
    _lock(extraction.project_id, "pg_advisory_xact_lock_shared")
    if scores is not None:
        _merge(extraction, rows, scores)
        return
    others = Extraction.objects.filter(project=extraction.project_id).exclude(pk=extraction.pk)
    if not others.exclude(job__state=JobState.QUEUED, job__done=0).exists():
        try:
            with transaction.atomic():
                _copy(extraction, rows)
            return
        except IntegrityError:
            pass
    _merge(extraction, rows, _without_scores(len(rows)))


def _without_scores(count: int) -> NDArray[np.void]:
    scores = np.empty(count, dtype=SCORES)
    for name in SCORES.names or ():
        scores[name] = np.nan
    return scores


def wait_until_nothing_is_stored(project_id: int) -> None:
    """Until this transaction ends, `store_pairs` of the project waits, and this for what is being stored."""
    if connection.vendor == "postgresql":
        _lock(project_id, "pg_advisory_xact_lock")


def _lock(project_id: int, function: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s::int, %s::int)", [_STORING, project_id])


def _insert(extraction: Extraction, rows: NDArray[np.void], scores: NDArray[np.void] | None) -> None:
    scores = _without_scores(len(rows)) if scores is None else scores
    places = ", ".join(["%s"] * len(COLUMNS))
    project = extraction.project_id
    with connection.cursor() as cursor:
        for part, part_scores in zip(slices(rows), slices(scores), strict=True):
            cursor.executemany(
                f"INSERT INTO {PAIRS} ({_COLUMN_LIST}) VALUES ({places}) "  # noqa: S608 - our own tables
                "ON CONFLICT (project_id, sentence_a_id, sentence_b_id) DO NOTHING",
                as_tuples(part, project),
            )
            cursor.executemany(
                f"INSERT INTO {FINDINGS} (extraction_id, score, jaccard, pair_id) "  # noqa: S608 - our own tables
                f"SELECT %s, %s, %s, id FROM {PAIRS} "
                "WHERE project_id = %s AND sentence_a_id = %s AND sentence_b_id = %s "
                "ON CONFLICT (extraction_id, pair_id) DO NOTHING",
                [
                    (extraction.pk, _none_for_nan(score), _none_for_nan(jaccard), project, a, b)
                    for (score, jaccard), (a, b) in zip(
                        part_scores.tolist(), part[["sentence_a_id", "sentence_b_id"]].tolist(), strict=True
                    )
                ],
            )


def _none_for_nan(number: float) -> float | None:
    return None if math.isnan(number) else number


def _copy(extraction: Extraction, rows: NDArray[np.void]) -> None:
    """The identifiers are taken beforehand, so that the findings need not be looked up."""
    with connection.cursor() as cursor:
        cursor.execute(
            # OFFSET 0 has the sequence looked up once and not for every row.
            "SELECT nextval(sequence) FROM (SELECT pg_get_serial_sequence(%s, 'id')::regclass AS sequence "
            "OFFSET 0) AS known, generate_series(1, %s)",
            [PAIRS, len(rows)],
        )
        ids = np.fromiter((row[0] for row in cursor.fetchall()), dtype=np.int64, count=len(rows))
    _write(
        f"{PAIRS} (id, {_COLUMN_LIST})",
        (
            as_copy({"id": some_ids, **_columns(extraction, part)})
            for some_ids, part in zip(slices(ids), slices(rows), strict=True)
        ),
    )
    _write(
        f"{FINDINGS} (extraction_id, pair_id)",
        (
            as_copy({"extraction_id": np.full(len(part), extraction.pk, dtype=np.int64), "pair_id": part})
            for part in slices(ids)
        ),
    )


def _merge(extraction: Extraction, rows: NDArray[np.void], scores: NDArray[np.void]) -> None:
    table = "corpus_pairs_again"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS {table} ON COMMIT DROP AS "  # noqa: S608 - our own tables
            f"SELECT {_COLUMN_LIST}, 0::float8 AS score, 0::float8 AS jaccard FROM {PAIRS} WITH NO DATA"
        )
        cursor.execute(f"TRUNCATE {table}")
        _write(
            f"{table} ({_COLUMN_LIST}, score, jaccard)",
            (
                as_copy({**_columns(extraction, part), **{name: some[name] for name in SCORES.names or ()}})
                for part, some in zip(slices(rows), slices(scores), strict=True)
            ),
        )
        # Without its size the planner reads all pairs instead of looking these up.
        cursor.execute(f"ANALYZE {table}")
        cursor.execute(
            f"INSERT INTO {PAIRS} ({_COLUMN_LIST}) SELECT {_COLUMN_LIST} FROM {table} "  # noqa: S608 - our own tables
            "ORDER BY sentence_a_id, sentence_b_id "
            "ON CONFLICT (project_id, sentence_a_id, sentence_b_id) DO NOTHING"
        )
        cursor.execute(
            f"INSERT INTO {FINDINGS} (extraction_id, pair_id, score, jaccard) "  # noqa: S608 - our own tables
            f"SELECT %s, pair.id, NULLIF(score, 'NaN'), NULLIF(jaccard, 'NaN') FROM {table} "
            f"JOIN {PAIRS} pair USING (project_id, sentence_a_id, sentence_b_id) "
            "ON CONFLICT (extraction_id, pair_id) DO NOTHING",
            [extraction.pk],
        )


def _columns(extraction: Extraction, rows: NDArray[np.void]) -> dict[str, NDArray[Any]]:
    project = np.full(len(rows), extraction.project_id, dtype=np.int64)
    return {"project_id": project, **{name: rows[name] for name in ROW.names or ()}}


def _write(target: str, blocks: Iterable[bytes]) -> None:
    with (
        connection.cursor() as cursor,
        connection.wrap_database_errors,
        cursor.copy(f"COPY {target} FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.write(_COPY_HEADER)
        for block in blocks:
            copy.write(block)
        copy.write(_COPY_TRAILER)
