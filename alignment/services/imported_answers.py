"""Imported links as the answers that an annotator submitted."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from alignment.models import Alignment, Origin, WordLink
from annotation.models import Answer, Assignment, AssignmentState, Batch, Item
from annotation.services.answers import progress
from corpus.services.table_statistics import refresh_statistics
from paragold.metrics.links import LinkedPair
from projects.errors import PublicError

from .gold_links import rows_from_links

ROWS_AT_ONCE = 1_000


def submit_imported(
    batch: Batch, user: User, pairs: Sequence[LinkedPair], items: Sequence[Item], *, filename: str
) -> bool:
    """Store the links of `pairs` as submitted for `items` by the user; whether anything was new.

    Raises PublicError, naming the line, where the user has other links already.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    lines = {item.pk: pair.line for item, pair in zip(items, pairs, strict=True)}
    known = {assignment.item_id: assignment for assignment in _assignments(batch, user)}
    for pk, assignment in known.items():
        first = assignment.answers.first()
        if pk in linked and (first is None or _without_origin(first.body["links"]) != linked[pk]):
            raise PublicError(
                f"{filename}, line {lines[pk]}: {user.username} has other links for pair "
                f"{assignment.item.number} of {batch.name} already; what people have linked is never "
                "replaced. Leave the pair out, or name another batch.",
                field="annotator",
            )
    new = [item for item in items if item.pk not in known]
    if not new:
        return False
    now = timezone.now()
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item=item,
                annotator=user,
                position=position,
                state=AssignmentState.DONE,
                version=1,
                answered_at=now,
            )
            for position, item in enumerate(new, start=len(known) + 1)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    alignments = Alignment.objects.bulk_create(
        [Alignment(assignment=assignment) for assignment in assignments], batch_size=ROWS_AT_ONCE
    )
    WordLink.objects.bulk_create(
        [
            WordLink(alignment=alignment, a=a, b=b, strength=strength, origin=Origin.IMPORTED)
            for alignment in alignments
            for a, b, strength in linked[alignment.assignment.item_id]
        ],
        batch_size=ROWS_AT_ONCE,
    )
    response = {"version": 1, **progress(assignments[0])}
    Answer.objects.bulk_create(
        [
            Answer(
                assignment=assignment,
                key=uuid.UUID(bytes=sha256(f"import {assignment.pk}".encode()).digest()[:16]),
                version=1,
                body=_body(linked[assignment.item_id]),
                response=response,
            )
            for assignment in assignments
        ],
        batch_size=ROWS_AT_ONCE,
    )
    refresh_statistics(Assignment, Alignment, WordLink, Answer)
    people = Assignment.objects.filter(item__batch=batch).values("annotator").distinct()
    batch.overlap = people.count()
    batch.save(update_fields=["overlap"])
    return True


def _assignments(batch: Batch, user: User) -> Any:
    mine = Assignment.objects.of(user).filter(item__batch=batch)
    return mine.select_related("item").prefetch_related("answers")


def _without_origin(links: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(link[:3]) for link in links]


def _body(links: Sequence[Sequence[Any]]) -> dict[str, Any]:
    return {
        "links": [[*link, Origin.IMPORTED.value] for link in links],
        "null_a": [],
        "null_b": [],
        "submitted": True,
        "skipped": False,
        "flagged": False,
        "comment": "",
    }
