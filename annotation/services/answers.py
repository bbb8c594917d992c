"""Storing answers: acknowledged means stored; sent twice means stored once; stale means refused."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from annotation.models import Answer, Assignment, BatchState
from corpus.errors import Conflict, PublicError

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

    `key` is the client's idempotency key: the same key again returns the first acknowledgement.
    `version` is the one the annotator saw; when another answer was stored since, Conflict carries
    `describe(assignment)`. `apply` writes the judgement or the links. `body` goes into the history.
    """
    mine = Assignment.objects.of(by).select_for_update(of=("self",)).select_related("item__batch")
    locked = mine.filter(pk=assignment.pk).order_by().first()
    if locked is None:
        raise PublicError("You kept this pair unanswered for too long; somebody else has taken it over.")
    assignment = locked
    assignment.annotator = by
    earlier = assignment.answers.filter(key=key).values_list("response", flat=True).order_by().first()
    if earlier is not None:
        return earlier
    batch = assignment.item.batch
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
        assignment=assignment, key=key, version=assignment.version, body=body, response=response
    )
    return response


def progress(assignment: Assignment) -> dict[str, int]:
    """How many of the annotator's own items of the batch are answered or skipped, of how many."""
    own = own_progress(assignment.item.batch, assignment.annotator)
    return {"done": own.done, "total": own.total}
