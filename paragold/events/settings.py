"""How a stream of articles is parted into events."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

VERSION = "paragold-events-1"
WINDOW_DAYS_AT_MOST = 366


@dataclass(frozen=True, slots=True)
class EventSettings:
    """threshold: articles are put together while their mean cosine is above it; 0 to 1, both excluded.
    window_days: a day is compared with articles of so many days before; 0: with its own alone. None: dates
        play no part, and all articles are parted at once.
    language: BCP 47 tag; it chooses the stemmer (none: lower-case words).
    title_weight, name_weight: how often a word of the title (or first sentence) and a capitalised word within
        a sentence count.
    Raises ValueError for values out of range. The defaults were tuned as docs/events.md says.
    """

    threshold: float = 0.25
    window_days: int | None = 7
    language: str = "en"
    title_weight: float = 2.0
    name_weight: float = 4.0

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"The threshold is {self.threshold}: give one between 0 and 1.")
        if self.window_days is not None and not 0 <= self.window_days <= WINDOW_DAYS_AT_MOST:
            raise ValueError(f"The window is {self.window_days} days: give 0 to {WINDOW_DAYS_AT_MOST}.")
        for name, weight in (("title", self.title_weight), ("name", self.name_weight)):
            if not (isfinite(weight) and 1 <= weight <= 100):
                raise ValueError(f"The {name} weight is {weight}: give one from 1 to 100.")

    def to_json(self) -> dict[str, Any]:
        """The settings and the version of the method."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> EventSettings:
        """The settings that `to_json` wrote, of this version or another. Raises ValueError, TypeError."""
        return cls(**{name: value for name, value in given.items() if name in cls.__slots__})
