"""The second pass: annotators see on which words they differ, not how the others linked, and link again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from annotation.models import Assignment, Batch
from paragold.metrics.link_agreement import Annotated, disputed

from .link_review import decisions_of
from .passes import History, histories


@dataclass(frozen=True, slots=True)
class SecondLook:
    """One of the annotator's own pairs with links in dispute, [a, b] in order; `done`: submitted again."""

    assignment: Assignment
    disputed: list[tuple[int, int]]
    done: bool


def second_pass(batch: Batch, user: Any) -> list[SecondLook]:
    """The user's own pairs of a batch that all have submitted, that are disputed and not yet adjudicated.

    What is in dispute is settled by the first pass, so that everybody looks at the same words again.
    """
    own = Assignment.objects.of(user).filter(item__batch=batch).with_sentences().order_by("position")
    mine = list(own.prefetch_related("alignment__links", "item__suggested_links"))
    items = {assignment.item_id for assignment in mine}
    found = histories(batch, items - decisions_of(items).keys())
    return [
        SecondLook(assignment, cells, user.pk in found[assignment.item_id].revised)
        for assignment in mine
        if assignment.item_id in found and (cells := disputed_cells(found[assignment.item_id]))
    ]


def disputed_cells(history: History) -> list[tuple[int, int]]:
    """The links on which any two annotators differed in the first pass, in order."""
    pairs = combinations(history.first.values(), 2)
    return sorted({cell for a, b in pairs for cell in disputed(Annotated(history.tokens, a, b))})
