"""What an annotator said before a second look, and what after it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime


def first_and_last(
    answers: Sequence[tuple[datetime, str | None]], second_pass: datetime | None = None
) -> tuple[str | None, str | None]:
    """The label of one annotator for one item before the second pass, and the one that stands now.

    `answers` are all that were given, in order, with None for one that was skipped or taken back.
    `second_pass` is when the item was shown again. Before it the latest label counts, so that a slip
    mended at once is none; without it the first label that was given is taken.
    """
    last = answers[-1][1] if answers else None
    if second_pass is None:
        return next((label for _, label in answers if label is not None), None), last
    before = [label for at, label in answers if at < second_pass]
    return (before[-1] if before else None), last
