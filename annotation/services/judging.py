"""Saving an annotator's judgement of a pair."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User

from annotation.models import SCHEME_LABELS, Assignment, AssignmentState, BatchKind, Judgement
from projects.errors import PublicError

from .answers import record_answer
from .phenomena import check_counts, store_counts
from .second_pass import revised


def save_judgement(
    *,
    assignment: Assignment,
    by: User,
    key: uuid.UUID,
    version: int,
    label: str | None,
    skipped: bool = False,
    flagged: bool = False,
    comment: str = "",
    milliseconds: int = 0,
    phenomena: Mapping[str, int] | None = None,
    describe: Callable[[Assignment], dict[str, Any]],
) -> dict[str, Any]:
    """Store, skip or (label None, not skipped) retract a judgement; see `record_answer`.

    `phenomena` are what the annotator counted in a paraphrase, by name, where the batch asks for it; what
    is not named counts as 0. Raises PublicError for an answer that the batch cannot take.
    """
    batch = assignment.item.batch
    if batch.kind != BatchKind.JUDGE:
        raise PublicError("This item is for linking words, not for judging.")
    labels = SCHEME_LABELS[batch.scheme]
    if label is not None and label not in labels:
        raise PublicError(f"{label!r} is no label of this batch; there are: {', '.join(labels)}.")
    if skipped and label is not None:
        raise PublicError("A skipped pair has no label: send one or the other.")
    if phenomena is not None:
        check_counts(label, phenomena)

    def apply(stored: Assignment) -> None:
        stands = revised(stored, label, skipped=skipped)
        if stands is None:
            Judgement.objects.filter(assignment=stored).delete()
        else:
            Judgement.objects.bulk_create(
                [Judgement(assignment=stored, label=stands)],
                update_conflicts=True,
                unique_fields=["assignment"],
                update_fields=["label"],
            )
        if phenomena is not None or (stored.version > 1 and stands == label):
            store_counts(stored, phenomena)

    body: dict[str, Any] = {"label": label, "skipped": skipped, "flagged": flagged, "comment": comment}
    if phenomena is not None:
        body["phenomena"] = dict(phenomena)
    answered = AssignmentState.DONE if label is not None else AssignmentState.OPEN
    return record_answer(
        assignment=assignment,
        by=by,
        key=key,
        version=version,
        state=AssignmentState.SKIPPED if skipped else answered,
        flagged=flagged,
        comment=comment,
        milliseconds=milliseconds,
        body=body,
        apply=apply,
        describe=describe,
    )
