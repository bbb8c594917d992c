"""Every answer that was ever given to an item, for managers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Answer, Batch, Label, SecondPass

from .pseudonyms import pseudonyms


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer under its annotator's pseudonym; `second_pass` is whether it was given in that."""

    annotator: str
    words: str
    comment: str
    at: datetime
    second_pass: bool


def answer_history(batch: Batch, items: Iterable[int]) -> dict[int, list[GivenAnswer]]:
    """By item id, the answers in the order in which they came. The caller has checked who may read them."""
    started = SecondPass.objects.filter(batch=batch).values_list("started_at", flat=True).first()
    answers = list(
        Answer.objects.filter(assignment__item__in=list(items), assignment__item__batch=batch)
        .select_related("assignment")
        .order_by("pk")
    )
    names = pseudonyms(batch.project, {answer.assignment.person for answer in answers})
    found: dict[int, list[GivenAnswer]] = defaultdict(list)
    for answer in answers:
        label = answer.body.get("label")
        words = Label(label).label if label else "Skipped" if answer.body.get("skipped") else "No answer"
        found[answer.assignment.item_id].append(
            GivenAnswer(
                annotator=names[answer.assignment.person],
                words=words,
                comment=answer.body.get("comment", ""),
                at=answer.at,
                second_pass=started is not None and answer.at >= started,
            )
        )
    return found
