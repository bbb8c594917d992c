"""What a freeze will give, from the counts that the frozen set then has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNDECIDED = "are disputed, and no adjudicator has decided them"
REASONS = {
    "judgements_missing": "lack judgements: too few annotators have labelled them",
    "waiting_for_adjudicator": UNDECIDED,
    "not_linked_by_all": "have not been linked by all their annotators",
    "not_split_by_enough": "have been split by too few annotators",
    "undecided": UNDECIDED,
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many items are left out for one reason: `code` is its name in a gold set's counts."""

    code: str
    items: int
    reason: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of `items` items, `frozen` would be in the gold set; `left_out` says why the others would not."""

    items: int
    frozen: int
    left_out: list[LeftOut]

    @property
    def missing(self) -> int:
        return self.items - self.frozen


def forecast_of(counts: Mapping[str, int], *, frozen: int) -> Forecast:
    """The forecast that the counts of a gold set amount to."""
    left_out = [LeftOut(code, counts[code], why) for code, why in REASONS.items() if counts.get(code)]
    return Forecast(counts["items"], frozen, left_out)
