"""Writing the pairs of a chunk: COPY into PostgreSQL, executemany into SQLite; leaving repeated texts out.

Pairs are numpy rows of some 60 bytes each on their way. Call all of it within a transaction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from django.db import IntegrityError, connection, models, transaction
from django.db.models.expressions import RawSQL
from numpy.typing import NDArray

from corpus.models import CandidatePair, Extraction, Finding
from jobs.models import JobState
from paragold.extraction.records import KEY_BYTES, PAIRS, ClusterSentences

# The columns of corpus_candidatepair after id and project_id, in the order in which they are written.
ROW = np.dtype(
    [
        ("cluster_id", "i8"),
        ("sentence_a_id", "i8"),
        ("sentence_b_id", "i8"),
        ("content_key", f"V{KEY_BYTES}"),
        ("edit_distance", "i4"),
        ("length_a", "i4"),
        ("length_b", "i4"),
        ("shared_words", "i4"),
        ("position_a", "i4"),
        ("position_b", "i4"),
    ]
)
# What a row takes over from a pair as it is.
KEPT = tuple(name for name in ROW.names or () if name in (PAIRS.names or ()))
COLUMNS: tuple[str, ...] = ("project_id", *(ROW.names or ()))
# Rows that become Python objects or bytes for the database at once.
ROWS_AT_ONCE = 20_000


def rows_of(cluster_id: int, sentences: ClusterSentences, pairs: NDArray[np.void]) -> NDArray[np.void]:
    """The rows of pairs (`PAIRS`) of a cluster, shape (len(pairs),)."""
    ids = np.array(sentences.ids, dtype=np.int64)
    rows = np.empty(len(pairs), dtype=ROW)
    rows["cluster_id"] = cluster_id
    rows["sentence_a_id"], rows["sentence_b_id"] = ids[pairs["first"]], ids[pairs["second"]]
    for name in KEPT:
        rows[name] = pairs[name]
    return rows


def in_order(blocks: Iterable[NDArray[np.void]]) -> NDArray[np.void]:
    """All blocks as one, by sentences: who writes the same pairs at the same time does so in one order."""
    rows = np.concatenate([np.empty(0, dtype=ROW), *blocks])
    return rows[np.lexsort((rows["sentence_b_id"], rows["sentence_a_id"]))]


def slices(rows: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The rows in their order, at most `ROWS_AT_ONCE` at a time."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[start : start + ROWS_AT_ONCE]


def as_tuples(rows: NDArray[np.void], project_id: int) -> list[tuple[Any, ...]]:
    """The rows as SQLite takes them, in the order of `COLUMNS`; the key as 32 hexadecimal digits."""
    return [
        (project_id, cluster, a, b, key.hex(), *numbers) for cluster, a, b, key, *numbers in rows.tolist()
    ]


def as_copy(columns: dict[str, NDArray[Any]]) -> bytes:
    """Columns of one length, by name, as records of PostgreSQL's binary COPY; numbers or 16-byte keys.

    https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format": the number of fields, then each
    field's length and bytes, the highest first.
    """
    layout: list[tuple[str, Any]] = [("fields", ">i2")]
    for name, values in columns.items():
        kind = values.dtype
        layout += [(f"{name} length", ">i4"), (name, kind.newbyteorder(">") if kind.kind in "if" else kind)]
    records = np.empty(len(next(iter(columns.values()))), dtype=layout)
    records["fields"] = len(columns)
    for name, values in columns.items():
        records[f"{name} length"] = values.dtype.itemsize
        records[name] = values
    return records.tobytes()


PAIR_TABLE = CandidatePair._meta.db_table
FINDING_TABLE = Finding._meta.db_table
_COLUMN_LIST = ", ".join(COLUMNS)
# The scores that a finding stores; NaN for none.
SCORES = np.dtype([("score", "f8"), ("jaccard", "f8")])

_COPY_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_TRAILER = b"\xff\xff"
# Any number that nothing else in the database locks by.
_STORING = 7_203_401


def store_pairs(
    extraction: Extraction, rows: NDArray[np.void], scores: NDArray[np.void] | None = None
) -> None:
    """Write rows (`in_order`) and say that the extraction found them; what is there already stays.

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
                f"INSERT INTO {PAIR_TABLE} ({_COLUMN_LIST}) VALUES ({places}) "  # noqa: S608 - our own tables
                "ON CONFLICT (project_id, sentence_a_id, sentence_b_id) DO NOTHING",
                as_tuples(part, project),
            )
            cursor.executemany(
                f"INSERT INTO {FINDING_TABLE} (extraction_id, score, jaccard, pair_id) "  # noqa: S608 - our own tables
                f"SELECT %s, %s, %s, id FROM {PAIR_TABLE} "
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
            [PAIR_TABLE, len(rows)],
        )
        ids = np.fromiter((row[0] for row in cursor.fetchall()), dtype=np.int64, count=len(rows))
    _write(
        f"{PAIR_TABLE} (id, {_COLUMN_LIST})",
        (
            as_copy({"id": some_ids, **_columns(extraction, part)})
            for some_ids, part in zip(slices(ids), slices(rows), strict=True)
        ),
    )
    _write(
        f"{FINDING_TABLE} (extraction_id, pair_id)",
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
            f"SELECT {_COLUMN_LIST}, 0::float8 AS score, 0::float8 AS jaccard FROM {PAIR_TABLE} WITH NO DATA"
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
            f"INSERT INTO {PAIR_TABLE} ({_COLUMN_LIST}) SELECT {_COLUMN_LIST} FROM {table} "  # noqa: S608 - our own tables
            "ORDER BY sentence_a_id, sentence_b_id "
            "ON CONFLICT (project_id, sentence_a_id, sentence_b_id) DO NOTHING"
        )
        cursor.execute(
            f"INSERT INTO {FINDING_TABLE} (extraction_id, pair_id, score, jaccard) "  # noqa: S608 - our own tables
            f"SELECT %s, pair.id, NULLIF(score, 'NaN'), NULLIF(jaccard, 'NaN') FROM {table} "
            f"JOIN {PAIR_TABLE} pair USING (project_id, sentence_a_id, sentence_b_id) "
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


_REPEATED_KEYS, _REPEATED_PAIRS = "corpus_repeated_keys", "corpus_repeated_pairs"


def remove_repeated_pairs(extraction: Extraction) -> int:
    """Take back every finding whose two texts were found before, in either order, in the order of import.

    Pairs that nothing refers to any more are removed. Returns how many findings there were. Call it within a
    transaction.
    """
    wait_until_nothing_is_stored(extraction.project_id)
    refresh_statistics(Finding, CandidatePair)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Sorting millions of keys in 4 MB of memory takes several times as long.
            cursor.execute("SET LOCAL work_mem = '256MB'")
        # Few keys come again. Counting all of them takes half of what sorting all pairs by key would.
        cursor.execute(
            f"CREATE TEMPORARY TABLE {_REPEATED_KEYS} AS SELECT content_key FROM {PAIR_TABLE} "  # noqa: S608 - our own tables
            "WHERE project_id = %s GROUP BY content_key HAVING count(*) > 1",
            [extraction.project_id],
        )
        if connection.vendor == "postgresql":
            cursor.execute(f"ANALYZE {_REPEATED_KEYS}")
        cursor.execute(
            f"CREATE TEMPORARY TABLE {_REPEATED_PAIRS} AS SELECT pair_id FROM ("  # noqa: S608 - our own tables
            "SELECT pair.id AS pair_id, row_number() OVER ("
            "PARTITION BY content_key ORDER BY sentence_a_id, sentence_b_id) AS place "
            f"FROM {_REPEATED_KEYS} JOIN {PAIR_TABLE} pair USING (content_key) "
            f"JOIN {FINDING_TABLE} finding ON pair.id = finding.pair_id "
            "WHERE finding.extraction_id = %s AND pair.project_id = %s) AS placed WHERE place > 1",
            [extraction.pk, extraction.project_id],
        )
        cursor.execute(
            f"DELETE FROM {FINDING_TABLE} WHERE extraction_id = %s "  # noqa: S608 - our own tables
            f"AND pair_id IN (SELECT pair_id FROM {_REPEATED_PAIRS})",
            [extraction.pk],
        )
        cursor.execute(f"SELECT count(*) FROM {_REPEATED_PAIRS}")  # noqa: S608 - our own tables
        (repeated,) = cursor.fetchone()
        remove_unreferenced(RawSQL(f"SELECT pair_id FROM {_REPEATED_PAIRS}", []))  # noqa: S608, S611 - our own table
        for table in (_REPEATED_KEYS, _REPEATED_PAIRS):
            cursor.execute(f"DROP TABLE {table}")
    return int(repeated)


def remove_unreferenced(pairs: Sequence[int] | RawSQL) -> None:
    """Remove those of the pairs, by id, that no finding, dataset or item refers to any more."""
    orphans = CandidatePair.objects.filter(pk__in=pairs)
    for relation in CandidatePair._meta.related_objects:
        orphans = orphans.filter(**{f"{relation.name}__isnull": True})
    # One statement; `delete` would fetch every pair for cascades that the filters have ruled out.
    CandidatePair.objects.filter(pk__in=orphans.order_by().values("pk"))._raw_delete(using="default")


FEWEST_ANALYSED = 10_000


def refresh_statistics(*tables: type[models.Model]) -> None:
    """Analyse the tables; on SQLite those of many rows.

    Tables that were just loaded look empty to the planner of PostgreSQL, which would then look up every row
    by itself. SQLite analyses nothing of its own accord, and would sort all pairs of a project for the first
    page of a list; but what it once learned of a small table it believes when that has grown. May be called
    within the transaction that loads them.
    """
    with connection.cursor() as cursor:
        for table in tables:
            rows = table._base_manager.order_by()[FEWEST_ANALYSED : FEWEST_ANALYSED + 1]
            if connection.vendor == "postgresql" or rows.exists():
                cursor.execute(f"ANALYZE {connection.ops.quote_name(table._meta.db_table)}")
