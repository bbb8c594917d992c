"""Items that are handed out as people come: places taken for a while, given back when they are not answered.

In SQL, as in answer_rows.py: the pages of annotators ask for it every few answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from annotation.models import Batch, BatchState

from .answer_rows import adapted, locking
from .answers import write_lock
from .progress import RUN_OUT, UNTAKEN

# What one person keeps ahead: enough for the page's prefetching, too little to starve the others.
MAX_LEASED = 20

HELD = """
SELECT COUNT(*) FROM annotation_assignment mine JOIN annotation_item item ON item.id = mine.item_id
WHERE item.batch_id = %(batch)s AND mine.annotator_id = %(annotator)s
AND mine.state = 'open' AND mine.leased_until > %(now)s
"""
SETTLED = """
SELECT quota, paused FROM annotation_batchannotator
WHERE batch_id = %(batch)s AND annotator_id = %(annotator)s
"""
HOLD_LONGER = """
UPDATE annotation_assignment SET leased_until = %(until)s
WHERE annotator_id = %(annotator)s AND state = 'open'
AND item_id IN (SELECT id FROM annotation_item WHERE batch_id = %(batch)s)
"""
OWN = """
SELECT COUNT(*), COALESCE(MAX(mine.position), 0)
FROM annotation_assignment mine JOIN annotation_item item ON item.id = mine.item_id
WHERE item.batch_id = %(batch)s AND mine.annotator_id = %(annotator)s
"""
THE_BATCH = "SELECT id FROM annotation_batch WHERE id = %(batch)s"
# A place of each of the first items of the batch that have a free one and are not the person's. For the
# smallest id itself PostgreSQL would look through the ids of all places instead of the few of the item.
FREE = """
SELECT (SELECT MIN(place.id + 0) FROM annotation_assignment place WHERE place.item_id = item.id AND {free})
FROM annotation_item item
WHERE item.batch_id = %(batch)s
AND EXISTS (SELECT 1 FROM annotation_assignment place WHERE place.item_id = item.id AND {free})
AND NOT EXISTS (
    SELECT 1 FROM annotation_assignment mine
    WHERE mine.item_id = item.id AND mine.annotator_id = %(annotator)s
)
ORDER BY item.number LIMIT %(missing)s
"""
# A place that is being answered is left out: its row is locked, and has another version afterwards.
TAKE = """
UPDATE annotation_assignment AS place
SET annotator_id = %(annotator)s, position = %(position)s, leased_until = %(until)s
WHERE place.id = %(place)s AND ({free})
"""


def lease_items(*, batch: Batch, by: User, count: int) -> None:
    """See to it that `by` has `count` open items of the batch (20 at most), as far as quota and batch reach.

    Untaken places come first, then those whose lease has run out unanswered. Nobody gets an item twice,
    and no two people the same place.
    """
    count = min(count, MAX_LEASED)
    now = timezone.now()
    names = {
        "batch": batch.pk,
        "annotator": by.pk,
        "now": adapted(now),
        "until": adapted(now + timedelta(minutes=batch.lease_minutes)),
    }
    if batch.state == BatchState.OPEN and _first(HELD, names)[0] < count:
        _lease(names, count)


@write_lock()
def _lease(names: Mapping[str, Any], count: int) -> None:
    # One's own row keeps two tabs of one person apart, and a manager who pauses that person.
    settled = _first(locking(SETTLED), names)
    if settled is None or settled[1]:
        return
    with connection.cursor() as cursor:
        cursor.execute(HOLD_LONGER, names)
        missing = count - cursor.rowcount
        held, position = _first(OWN, names)
        if settled[0] is not None:
            missing = min(missing, settled[0] - held)
        if missing <= 0:
            return
        # Who takes next waits here: all would try for the same places.
        _first(locking(THE_BATCH, "FOR NO KEY UPDATE"), names)
        for free in (UNTAKEN, RUN_OUT):
            cursor.execute(FREE.format(free=free), {**names, "missing": missing})
            for (place,) in cursor.fetchall():
                taken = {**names, "place": place, "position": position + 1}
                cursor.execute(TAKE.format(free=free), taken)
                position += cursor.rowcount
                missing -= cursor.rowcount
            if missing <= 0:
                return


def _first(statement: str, names: Mapping[str, Any]) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, names)
        return cursor.fetchone()
