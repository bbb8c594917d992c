"""How far batches are: one count for the overview, the batches' pages, the progress page and the API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch, BatchState, HandingOut
from projects.models import Project

from .own_progress import own_progress


@dataclass(frozen=True, slots=True)
class Progress:
    """Answers of a batch, or of several, by everybody or by one annotator.

    `answered` were given or skipped; `left` are waited for. `missing` are open and not waited for: of them
    `withheld` until a running second pass ends, the others because the batch is closed. `looks` are the
    answers that a running second pass shows once more, `looked` those of them that were decided again.
    """

    answered: int = 0
    left: int = 0
    missing: int = 0
    withheld: int = 0
    looks: int = 0
    looked: int = 0

    @property
    def wanted(self) -> int:
        return self.answered + self.left

    @property
    def places(self) -> int:
        """All that were asked for when the batch was drawn."""
        return self.wanted + self.missing

    @property
    def waiting(self) -> int:
        """What annotators still have to do: answers, and in a second pass looks."""
        return self.left + self.looks - self.looked

    @property
    def complete(self) -> bool:
        """Nothing is open, whether it is waited for or not."""
        return not (self.left or self.missing)

    def __add__(self, other: Progress) -> Progress:
        return Progress(
            self.answered + other.answered,
            self.left + other.left,
            self.missing + other.missing,
            self.withheld + other.withheld,
            self.looks + other.looks,
            self.looked + other.looked,
        )


def progress_of(batch: Any) -> Progress:
    """Everybody's progress in a batch that `with_progress` has counted."""
    return _progress(batch, batch.answered, batch.unanswered, batch.looks, batch.looked)


def own_progress_of(batch: Any, user: Any) -> Progress:
    """The user's own progress in a batch that `with_own_progress(user)` has counted.

    Where items are taken as people come, what the user may still take is left as well.
    """
    own = _progress(batch, batch.own_answered, batch.own_unanswered, batch.own_looks, batch.own_looked)
    takes = batch.handing_out == HandingOut.AS_THEY_COME and batch.state == BatchState.OPEN
    if takes and not batch.second_pass_runs:
        left = own_progress(batch, user).total - own.answered
        return Progress(answered=own.answered, left=max(left, 0))
    return own


def counted(batches: Sequence[Batch], user: Any = None) -> dict[int, Progress]:
    """By batch id, everybody's progress, or the user's own, of batches that were not counted yet."""
    rows: Any = Batch.objects.filter(pk__in=[batch.pk for batch in batches]).order_by()
    if user is None:
        return {batch.pk: progress_of(batch) for batch in rows.with_progress()}
    return {batch.pk: own_progress_of(batch, user) for batch in rows.with_own_progress(user)}


def project_progress(project: Project, kind: str) -> Progress:
    """Everybody's progress in all of a project's batches of a kind."""
    return total(counted(list(project.batches.filter(kind=kind))).values())


def total(parts: Iterable[Progress]) -> Progress:
    return sum(parts, Progress())


def _progress(batch: Any, answered: int, unanswered: int, looks: int, looked: int) -> Progress:
    if batch.state != BatchState.OPEN:
        return Progress(answered=answered, missing=unanswered)
    if batch.second_pass_runs:
        return Progress(
            answered=answered, missing=unanswered, withheld=unanswered, looks=looks, looked=looked
        )
    return Progress(answered=answered, left=unanswered)
