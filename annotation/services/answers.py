"""Storing answers: acknowledged means stored; sent twice means stored once; stale means refused.

`record_answer` does that for every kind of answer; judgements are saved here, links and placements by modules
that call it.
"""

from __future__ import annotations

import fcntl
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NotRequired, TypedDict, Unpack

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import (
    MAX_COUNT,
    Answer,
    Assignment,
    AssignmentState,
    BatchKind,
    BatchState,
    Decision,
    Judgement,
    Phenomenon,
    PhenomenonCount,
)
from annotation.schemes import SCHEME_LABELS
from projects.errors import Conflict, KeyReused, PublicError
from projects.lock_wait import lock_wait, longest_lock_wait

from .answer_rows import add_answer, circumstances, lock_own, store_label, update_own
from .progress import own_progress
from .second_pass import revised
from .training_answers import check_training_answer, store_training_answer

COMMENT_LIMIT = 5_000
LONGEST_MILLISECONDS = 86_400_000


# Of the threads of this process, which one waits for the file's lock; the others wait for this thread.
_first = threading.Lock()
LOOK_SECONDS = 0.002


@contextmanager
def write_lock() -> Iterator[None]:
    """A transaction that waits for those before it, in about the order in which they came.

    A writer for whom SQLite is busy sleeps and tries again, up to 100 ms at a time, so that of many those
    who have waited longest are served last. Here they wait for each other, and one thread of each process for
    a lock of the operating system. All of the wait together, SQLite's own included, takes no longer than
    SQLite would wait alone; then it says that it is busy. PostgreSQL needs none of this.
    """
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite" or connection.in_atomic_block or not Path(name).is_file():
        with transaction.atomic():
            yield
        return
    deadline = time.monotonic() + longest_lock_wait()
    with _turn(Path(f"{name}-turn"), deadline), lock_wait(deadline - time.monotonic()), transaction.atomic():
        yield


@contextmanager
def _turn(path: Path, deadline: float) -> Iterator[None]:
    """Waits for a turn until the deadline, and then goes on without."""
    waited = not _first.acquire(blocking=False)
    if waited and not _first.acquire(timeout=max(0, deadline - time.monotonic())):
        yield
        return
    try:
        with path.open("ab") as file:
            if waited:
                # Other processes that wait look now; else this one would keep the turn for itself.
                time.sleep(LOOK_SECONDS)
            while not _locked(file) and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
            yield
    finally:
        _first.release()


def _locked(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Sent(TypedDict):
    """The fields of every answer, as `record_answer` takes them."""

    by: User
    key: uuid.UUID
    version: int
    describe: Callable[[Assignment], dict[str, Any]]
    flagged: NotRequired[bool]
    comment: NotRequired[str]
    milliseconds: NotRequired[int]


@write_lock()
def record_answer(
    *,
    assignment: Assignment,
    by: User,
    key: uuid.UUID,
    version: int,
    done: bool,
    skipped: bool,
    content: dict[str, Any],
    apply: Callable[[Assignment, bool], dict[str, Any] | None],
    describe: Callable[[Assignment], dict[str, Any]],
    flagged: bool = False,
    comment: str = "",
    milliseconds: int = 0,
) -> dict[str, Any]:
    """Store one answer and return what acknowledges it.

    `key` is the client's idempotency key: the same answer with the same key again returns the first
    acknowledgement; another answer with that key raises KeyReused. `version` is the one the annotator saw.
    When another answer was stored since, Conflict carries `describe(assignment)`; when the stored answer is
    the same, it is acknowledged and nothing is written. `apply` writes the judgement or the links; it gets
    the assignment, and whether its batch has had a second pass, and returns what else is acknowledged.
    `content` goes into the history with what is common to all answers. An answer that is neither `done` nor
    `skipped` is a draft, or was taken back.
    """
    locked = lock_own(assignment, by)
    if locked is None:
        raise PublicError(
            "This answer was not stored: the pair is no longer assigned to you. A manager reassigned it, "
            "or it was unanswered for too long and another annotator took it."
        )
    assignment = locked
    body = content | {"skipped": skipped, "flagged": flagged, "comment": comment}
    body = json.loads(json.dumps(body))  # as the database returns it: lists instead of tuples
    fingerprint = _fingerprint(body, version, milliseconds)
    # Read now: who closes or deletes the batch may have held the assignment until it was locked.
    now = circumstances(assignment, key)
    batch = assignment.item.batch
    batch.state = now.state
    if (earlier := now.earlier) is not None:
        same = earlier.body_sha256 == fingerprint if earlier.body_sha256 else earlier.body == body
        if not same:
            raise KeyReused("This Idempotency-Key was used for another answer. Send a new key.")
        return earlier.response
    if version != assignment.version and _stored_body(assignment) == body:
        return {"version": assignment.version, **progress(assignment)}
    if batch.state != BatchState.OPEN:
        raise PublicError("The batch %(batch)s is closed. Ask a manager to open it again.", batch=batch.name)
    if version != assignment.version:
        raise Conflict(
            "This pair was answered in another window meanwhile. Compare, then answer again.",
            describe(assignment),
        )
    check_comment(comment)
    assignment.version += 1
    answered = AssignmentState.DONE if done else AssignmentState.OPEN
    assignment.state = AssignmentState.SKIPPED if skipped else answered
    assignment.flagged = flagged
    assignment.comment = comment
    assignment.milliseconds = max(0, min(milliseconds, LONGEST_MILLISECONDS))
    assignment.answered_at = timezone.now()
    update_own(assignment)
    more = apply(assignment, now.second_pass) or {}
    if now.third_judgement and not now.second_pass:
        from .third_judgements import ask_third  # of few batches; it imports this module

        ask_third(assignment.item)
    response = {"version": assignment.version, **progress(assignment), **more}
    add_answer(assignment, key, body, fingerprint, response)
    return response


def check_comment(comment: str) -> None:
    """Raises PublicError for one that is too long."""
    if len(comment) > COMMENT_LIMIT:
        raise PublicError(
            "The comment has %(length)s characters; %(limit)s are allowed.",
            length=len(comment),
            limit=COMMENT_LIMIT,
        )


def check_undecided(item: int, thing: str) -> None:
    """Raises PublicError where an adjudicator has decided the links or sub-clusters of an item."""
    if Decision.objects.filter(item=item).exists():
        raise PublicError(
            "An adjudicator has decided this %(thing)s; answers to it cannot change.", thing=_(thing)
        )


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


def keep_imported_answers(answers: Sequence[tuple[Assignment, dict[str, Any]]]) -> None:
    """Add answers of one person that came with a file to the history, each the latest of its assignment."""
    own = progress(answers[0][0])
    Answer.objects.bulk_create(
        [
            Answer(
                assignment=assignment,
                key=uuid.UUID(
                    bytes=sha256(f"import {assignment.pk} {assignment.version}".encode()).digest()[:16]
                ),
                version=assignment.version,
                body=body,
                response={"version": assignment.version, **own},
            )
            for assignment, body in answers
        ],
        batch_size=1_000,
    )


def save_judgement(
    *,
    assignment: Assignment,
    label: str | None,
    skipped: bool = False,
    phenomena: Mapping[str, int] | None = None,
    **answer: Unpack[Sent],
) -> dict[str, Any]:
    """Store, skip or (label None, not skipped) retract a judgement; see `record_answer`.

    `phenomena` are what the annotator counted in the pair, by name, where the batch asks for it; what is
    not named counts as 0. Raises PublicError for an answer that the batch cannot take.
    """
    batch = assignment.item.batch
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("This item is for linking words, not for judging.")
    labels = SCHEME_LABELS[batch.scheme]
    if label is not None and label not in labels:
        raise PublicError(
            "%(label)r is not a label of this batch; choose one of: %(choices)s.",
            label=label,
            choices=", ".join(labels),
        )
    if skipped and label is not None:
        raise PublicError("A skipped pair has no label: send either a label or skipped.")
    if phenomena is not None:
        check_counts(label, phenomena)
    if batch.measure:
        check_training_answer(skipped=skipped)

    def apply(stored: Assignment, second_pass: bool) -> dict[str, Any] | None:
        if batch.measure:
            return store_training_answer(stored, label)
        label_now = revised(stored, label, skipped=skipped) if second_pass else label
        if label_now is None:
            Judgement.objects.filter(assignment=stored).delete()
        else:
            store_label(stored, label_now)
        if phenomena is not None or (stored.version > 1 and label_now == label):
            store_counts(stored, phenomena)
        return None

    content = {"label": label} | ({} if phenomena is None else {"phenomena": dict(phenomena)})
    return record_answer(
        assignment=assignment, done=label is not None, skipped=skipped, content=content, apply=apply, **answer
    )


def check_counts(label: str | None, counts: Mapping[str, int]) -> None:
    """Raises PublicError, saying why, for counts without a label and for those that are none.

    What the batch asks for does not matter: what was counted before it ceased to is not lost.
    """
    if label is None:
        raise PublicError("Counts of phenomena need a judgement: send a label with them.")
    for name, count in counts.items():
        if name not in Phenomenon.values:
            raise PublicError(
                "%(name)r is not a phenomenon; choose one of: %(choices)s.",
                name=name,
                choices=", ".join(Phenomenon.values),
            )
        if not 0 <= count <= MAX_COUNT:
            raise PublicError(
                "%(name)s: %(count)s is not a count from 0 to %(maximum)s.",
                name=name,
                count=count,
                maximum=MAX_COUNT,
            )


def store_counts(assignment: Assignment, counts: Mapping[str, int] | None) -> None:
    """Put the counts of the present answer in place of earlier ones; what is not named counts as 0.

    With None nothing was counted. Every earlier count stays in the history of answers.
    """
    assignment.phenomena.all().delete()
    if counts is not None:
        PhenomenonCount.objects.bulk_create(
            PhenomenonCount(assignment=assignment, phenomenon=name, count=counts.get(name, 0))
            for name in Phenomenon.values
        )
