"""Each two texts once in a whole run, at their first place: set-based, for millions of findings."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models.expressions import RawSQL

from corpus.models import CandidatePair, Extraction, Finding
from corpus.services.table_statistics import refresh_statistics

from .pair_storage import FINDINGS, PAIRS, wait_until_nothing_is_stored

_KEYS, _TABLE = "corpus_repeated_keys", "corpus_repeated_pairs"


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
            f"CREATE TEMPORARY TABLE {_KEYS} AS SELECT content_key FROM {PAIRS} "  # noqa: S608 - our own tables
            "WHERE project_id = %s GROUP BY content_key HAVING count(*) > 1",
            [extraction.project_id],
        )
        if connection.vendor == "postgresql":
            cursor.execute(f"ANALYZE {_KEYS}")
        cursor.execute(
            f"CREATE TEMPORARY TABLE {_TABLE} AS SELECT pair_id FROM ("  # noqa: S608 - our own tables
            "SELECT pair.id AS pair_id, row_number() OVER ("
            "PARTITION BY content_key ORDER BY sentence_a_id, sentence_b_id) AS place "
            f"FROM {_KEYS} JOIN {PAIRS} pair USING (content_key) "
            f"JOIN {FINDINGS} finding ON pair.id = finding.pair_id "
            "WHERE finding.extraction_id = %s AND pair.project_id = %s) AS placed WHERE place > 1",
            [extraction.pk, extraction.project_id],
        )
        cursor.execute(
            f"DELETE FROM {FINDINGS} WHERE extraction_id = %s "  # noqa: S608 - our own tables
            f"AND pair_id IN (SELECT pair_id FROM {_TABLE})",
            [extraction.pk],
        )
        cursor.execute(f"SELECT count(*) FROM {_TABLE}")  # noqa: S608 - our own tables
        (repeated,) = cursor.fetchone()
        remove_unreferenced(RawSQL(f"SELECT pair_id FROM {_TABLE}", []))  # noqa: S608, S611 - our own table
        for table in (_KEYS, _TABLE):
            cursor.execute(f"DROP TABLE {table}")
    return int(repeated)


def remove_unreferenced(pairs: Sequence[int] | RawSQL) -> None:
    """Remove those of the pairs, by id, that no finding, dataset or item refers to any more."""
    orphans = CandidatePair.objects.filter(pk__in=pairs)
    for relation in CandidatePair._meta.related_objects:
        orphans = orphans.filter(**{f"{relation.name}__isnull": True})
    # One statement; `delete` would fetch every pair for cascades that the filters have ruled out.
    CandidatePair.objects.filter(pk__in=orphans.order_by().values("pk"))._raw_delete(using="default")
