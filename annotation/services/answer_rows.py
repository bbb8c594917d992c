"""The statements that store an answer, in SQL.

Django compiles a query each time it is asked, which takes several times as long as the query. That is no
matter elsewhere; these are asked for with every answer, while its transaction holds up other writers.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import connection

from annotation.models import Answer, Assignment
from annotation.models.item import PLACE_FIELDS

# The columns are PLACE_FIELDS.
LOCK = """
SELECT id, item_id, annotator_id, position, state, version FROM annotation_assignment
WHERE id = %s AND annotator_id = %s
"""
CIRCUMSTANCES = """
SELECT batch.state, batch.third_judgement,
    EXISTS (SELECT 1 FROM annotation_secondpass pass WHERE pass.batch_id = batch.id),
    answer.body, answer.body_sha256, answer.response
FROM annotation_batch batch
LEFT JOIN annotation_answer answer ON answer.assignment_id = %s AND answer.key = %s
WHERE batch.id = %s
"""
UPDATE = """
UPDATE annotation_assignment
SET state = %s, version = %s, flagged = %s, comment = %s, milliseconds = %s, answered_at = %s
WHERE id = %s
"""
JUDGE = """
INSERT INTO annotation_judgement (assignment_id, label) VALUES (%s, %s)
ON CONFLICT (assignment_id) DO UPDATE SET label = EXCLUDED.label
"""
ADD = """
INSERT INTO annotation_answer (assignment_id, key, version, body, body_sha256, response, at)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The answer that came with the same key before."""

    body: dict[str, Any]
    body_sha256: str
    response: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What decides on an answer besides its own row, read when that row is locked."""

    state: str
    third_judgement: bool
    second_pass: bool
    earlier: Earlier | None


def lock_own(assignment: Assignment, by: User) -> Assignment | None:
    """The row as it is now, locked until the transaction ends; None if it is somebody else's meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(locking(LOCK), [assignment.pk, by.pk])
        row = cursor.fetchone()
    if row is None:
        return None
    locked = Assignment.from_db(connection.alias, PLACE_FIELDS, row)
    locked.item, locked.annotator = assignment.item, by
    return locked


def circumstances(assignment: Assignment, key: uuid.UUID) -> Circumstances:
    """The state of the batch, whether pairs may get a third judgement, whether it has had a second pass, and
    what `key` stored before."""
    with connection.cursor() as cursor:
        cursor.execute(CIRCUMSTANCES, [assignment.pk, _key(key), assignment.item.batch_id])
        state, third, second_pass, body, body_sha256, response = cursor.fetchone()
    earlier = None if body is None else Earlier(json.loads(body), body_sha256, json.loads(response))
    return Circumstances(state, bool(third), bool(second_pass), earlier)


def update_own(assignment: Assignment) -> None:
    """Store the present answer's common fields."""
    values = (assignment.state, assignment.version, assignment.flagged, assignment.comment)
    with connection.cursor() as cursor:
        answered = adapted(assignment.answered_at)
        cursor.execute(UPDATE, [*values, assignment.milliseconds, answered, assignment.pk])


def store_label(assignment: Assignment, label: str) -> None:
    """Store a judgement in place of an earlier one."""
    with connection.cursor() as cursor:
        cursor.execute(JUDGE, [assignment.pk, label])


def add_answer(
    assignment: Assignment, key: uuid.UUID, body: dict[str, Any], sha256: str, response: dict[str, Any]
) -> None:
    """Add the answer to the history."""
    stored = (json.dumps(body), sha256, json.dumps(response), adapted(assignment.answered_at))
    with connection.cursor() as cursor:
        cursor.execute(ADD, [assignment.pk, _key(key), assignment.version, *stored])


def _key(key: uuid.UUID) -> Any:
    return Answer._meta.get_field("key").get_db_prep_value(key, connection)


def adapted(at: datetime | None) -> Any:
    """A time as the database takes it."""
    return connection.ops.adapt_datetimefield_value(at)


def locking(statement: str, how: str = "FOR UPDATE") -> str:
    """A statement that locks the rows it reads; on SQLite the transaction has locked all."""
    return f"{statement} {how}" if connection.features.has_select_for_update else statement
