"""The settings of clustering a stream of articles by event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from paragold.spec import Spec, param

MAX_WINDOW_DAYS = 366
MAX_WEIGHT = 100


class EventSpec(Spec):
    """Finding the events of a stream. The defaults were tuned as docs/events.md says.

    window_days: None where dates play no part, and all articles are divided at once.
    language: BCP 47 tag; it chooses the stemmer (none: lower-case words).
    title_weight: of words in the title, or in the first sentence of an article without one.
    """

    VERSION = "paragold-events-1"

    threshold: float = param(
        0.25,
        "Threshold",
        "Minimum mean cosine of the articles of a cluster; a higher value gives smaller clusters.",
        gt=0,
        le=0.99,
    )
    window_days: int | None = param(
        7,
        "Window (days)",
        "An article may join clusters of this many days before; 0: only of its own day.",
        ge=0,
        le=MAX_WINDOW_DAYS,
    )
    language: str = param("en", "Language", "Determines the stemmer, such as en or nl.")
    title_weight: float = param(
        2.0, "Title weight", "A word of the title counts this often.", ge=1, le=MAX_WEIGHT
    )
    name_weight: float = param(
        4.0, "Name weight", "A capitalised word within a sentence counts this often.", ge=1, le=MAX_WEIGHT
    )

    def as_json(self) -> dict[str, Any]:
        """All values and the version of the method."""
        return {"version": self.VERSION, **super().as_json()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The values that `as_json` wrote, by this version or another."""
        return cls(**{name: value for name, value in values.items() if name in cls.model_fields})
