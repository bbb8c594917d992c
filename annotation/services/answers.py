"""Storing answers: acknowledged means stored; sent twice means stored once; stale means refused."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from annotation.models import Answer, Assignment, BatchState
from projects.errors import Conflict, KeyReused, PublicError

from .own_progress import own_progress
from .turns import writing

COMMENT_LIMIT = 5_000
LONGEST_MILLISECONDS = 86_400_000
ANSWERED = ("version", "state", "flagged", "comment", "milliseconds", "answered_at")


@writing()
def record_answer(
    *,
    assignment: Assignment,
    by: User,
    key: uuid.UUID,
    version: int,
    state: str,
    flagged: bool,
    comment: str,
    milliseconds: int,
    body: dict[str, Any],
    apply: Callable[[Assignment], None],
    describe: Callable[[Assignment], dict[str, Any]],
) -> dict[str, Any]:
    """Store one answer and return what acknowledges it.

    `key` is the client's idempotency key: the same answer with the same key again returns the first
    acknowledgement; another answer with that key raises KeyReused. `version` is the one the annotator saw.
    When another answer was stored since, Conflict carries `describe(assignment)`; when the stored answer has
    the same `body`, it is acknowledged and nothing is written. `apply` writes the judgement or the links.
    `body` goes into the history.
    """
    mine = Assignment.objects.of(by).select_for_update(of=("self",)).select_related("item__batch")
    locked = mine.filter(pk=assignment.pk).order_by().first()
    if locked is None:
        raise PublicError(
            "This answer was not stored, because this pair is no longer yours: a manager handed it over, "
            "or you kept it unanswered for too long and somebody else has taken it over."
        )
    assignment = locked
    assignment.annotator = by
    body = json.loads(json.dumps(body))  # as the database returns it: lists instead of tuples
    fingerprint = _fingerprint(body, version, milliseconds)
    earlier = assignment.answers.filter(key=key).order_by().first()
    if earlier is not None:
        same = earlier.body_sha256 == fingerprint if earlier.body_sha256 else earlier.body == body
        if not same:
            raise KeyReused("This Idempotency-Key was used for another answer. Send a new key.")
        return earlier.response
    if version != assignment.version and _stored_body(assignment) == body:
        return {"version": assignment.version, **progress(assignment)}
    batch = assignment.item.batch
    # Who closes or deletes the batch may have held the assignment when it was read.
    batch.refresh_from_db(fields=["state"])
    if batch.state != BatchState.OPEN:
        raise PublicError(f"The batch {batch.name} is closed; ask its manager to open it again.")
    if version != assignment.version:
        raise Conflict(
            "This pair was answered elsewhere in the meantime; compare and answer again.",
            describe(assignment),
        )
    if len(comment) > COMMENT_LIMIT:
        raise PublicError(f"The comment has {len(comment)} characters; {COMMENT_LIMIT} are allowed.")
    assignment.version += 1
    assignment.state = state
    assignment.flagged = flagged
    assignment.comment = comment
    assignment.milliseconds = max(0, min(milliseconds, LONGEST_MILLISECONDS))
    assignment.answered_at = timezone.now()
    assignment.save(update_fields=ANSWERED)
    apply(assignment)
    response = {"version": assignment.version, **progress(assignment)}
    Answer.objects.create(
        assignment=assignment,
        key=key,
        version=assignment.version,
        body=body,
        body_sha256=fingerprint,
        response=response,
    )
    return response


def _fingerprint(body: dict[str, Any], version: int, milliseconds: int) -> str:
    sent = {"body": body, "version": version, "milliseconds": milliseconds}
    return sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def _stored_body(assignment: Assignment) -> dict[str, Any] | None:
    """The body of the answer that is stored now; None where the item changed after it, as a second pass
    changes it."""
    answers = assignment.answers.filter(version=assignment.version)
    return answers.values_list("body", flat=True).order_by().first()


def progress(assignment: Assignment) -> dict[str, int]:
    """How many of the annotator's own items of the batch are answered or skipped, of how many."""
    own = own_progress(assignment.item.batch, assignment.annotator)
    return {"done": own.done, "total": own.total}
