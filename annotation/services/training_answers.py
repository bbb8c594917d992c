"""Answers in a training: the right one is returned with the acknowledgement, and the last one ends a try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from annotation.models import Assignment, AssignmentState, Batch, Item, Judgement, Measure, TrainingTry
from annotation.schemes import SCHEME_LABELS
from paragold.metrics.label_agreement import cohen_estimate
from projects.errors import PublicError

from .answer_rows import store_label


def check_training_answer(*, skipped: bool) -> None:
    """Raises PublicError for a skipped pair."""
    if skipped:
        raise PublicError("In a training every pair is answered; none can be skipped.")


def store_training_answer(assignment: Assignment, label: str | None) -> dict[str, Any]:
    """Store the first answer to a pair; returns the label that is `right` and, of the answer that ends a try,
    whether it is `passed`.

    To be called in the transaction that stores the answer. Without a label, what is stored is a flag or a
    comment. Raises PublicError for another answer, since the right one was shown.
    """
    earlier = Judgement.objects.filter(assignment=assignment).values_list("label", flat=True).first()
    if earlier is not None and label != earlier:
        raise PublicError("In a training the first answer counts: you have seen the right one.")
    if label is None:
        return {}
    known = Item.everything.values_list("known_label", flat=True).get(pk=assignment.item_id)
    if earlier is not None:
        return {"right": known}
    store_label(assignment, label)
    ended = _end_try(assignment)
    return {"right": known} | ({"passed": ended.passed} if ended else {})


def _end_try(assignment: Assignment) -> TrainingTry | None:
    """The result, where every pair is answered."""
    mine = Assignment.objects.of(assignment.annotator).filter(item__batch=assignment.item.batch_id)
    rows = list(mine.order_by().values_list("state", "item__known_label", "judgement__label"))
    if any(state != AssignmentState.DONE for state, *_ in rows):
        return None
    batch = Batch.objects.get(pk=assignment.item.batch_id)
    answers = [(known, given) for _, known, given in rows]
    value = value_of(batch.measure, answers, SCHEME_LABELS[batch.scheme])
    earlier = TrainingTry.objects.filter(batch=batch, annotator=assignment.annotator).count()
    return TrainingTry.objects.create(
        batch=batch,
        annotator=assignment.annotator,
        number=earlier + 1,
        items=len(answers),
        right=sum(known == given for known, given in answers),
        value=value,
        passed=value is not None and batch.threshold is not None and value >= batch.threshold,
    )


def value_of(measure: str, answers: Sequence[tuple[str, str]], labels: Sequence[str]) -> float | None:
    """Accuracy, 0 to 1, or Cohen's kappa, at most 1, of (right, given) labels; None where it is undefined."""
    if measure == Measure.ACCURACY:
        return sum(known == given for known, given in answers) / len(answers)
    counts = Counter(answers)
    table = np.array([[counts[known, given] for given in labels] for known in labels], dtype=np.int64)
    return cohen_estimate(table, resamples=0)["value"]
