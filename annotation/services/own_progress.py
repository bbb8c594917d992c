"""How far one annotator is in a batch, from that annotator's own work alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.utils import timezone

from annotation.models import Batch, BatchState, HandingOut

# One statement, and not put together anew by Django each time: this is asked for with every answer, while the
# answer's transaction holds up the other writers of SQLite.
FIGURES = """
SELECT COUNT(mine.id), COUNT(mine.id) FILTER (WHERE mine.state <> 'open'),
    COUNT(mine.id) FILTER (WHERE mine.state = 'skipped'),
    COUNT(look.id), COUNT(look.id) FILTER (WHERE look.label <> ''),
    EXISTS (SELECT 1 FROM annotation_secondpass WHERE batch_id = %(batch)s AND ended_at IS NULL)
FROM annotation_item item
JOIN annotation_assignment mine ON mine.item_id = item.id AND mine.annotator_id = %(annotator)s
LEFT JOIN annotation_secondlook look ON look.assignment_id = mine.id
WHERE item.batch_id = %(batch)s
"""
# What is left to take is the same as in leasing.py: unanswered places that nobody has, or holds no longer.
TAKING = """
SELECT settled.quota, settled.paused, (SELECT COUNT(*) FROM annotation_item WHERE batch_id = %(batch)s),
    EXISTS (
        SELECT 1 FROM annotation_item item JOIN annotation_assignment place ON place.item_id = item.id
        WHERE item.batch_id = %(batch)s AND place.state = 'open' AND place.version = 0
        AND (place.annotator_id IS NULL OR place.leased_until < %(now)s)
        AND NOT EXISTS (
            SELECT 1 FROM annotation_assignment mine
            WHERE mine.item_id = item.id AND mine.annotator_id = %(annotator)s
        )
    )
FROM annotation_batchannotator settled
WHERE settled.batch_id = %(batch)s AND settled.annotator_id = %(annotator)s
"""


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """`done` are answered or skipped, `skipped` of them skipped, of `total`."""

    done: int
    skipped: int
    total: int
    paused: bool


def own_progress(batch: Batch, user: Any) -> OwnProgress:
    """The user's progress in a batch; while its second pass runs, in that.

    Where items are taken as people come, `total` is the quota, or all items of the batch, while there is
    something left to take, and then what was taken: how fast others are does not show before the end.
    """
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    names = {"batch": batch.pk, "annotator": user.pk, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(FIGURES, names)
        total, done, skipped, looks, looked, second_pass_runs = cursor.fetchone()
        cursor.execute(TAKING, names)
        quota, paused, size, left_to_take = cursor.fetchone() or (None, False, 0, False)
    if second_pass_runs:
        return OwnProgress(looked, 0, looks, bool(paused))
    takes = batch.handing_out == HandingOut.AS_THEY_COME and batch.state == BatchState.OPEN and not paused
    if takes and left_to_take and (quota is None or quota > total):
        total = size if quota is None else min(quota, size)
    return OwnProgress(done, skipped, total, bool(paused))
