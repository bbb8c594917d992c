"""What a stage of a project's work is made of."""

from __future__ import annotations

from dataclasses import dataclass

DONE, UNDER_WAY, TO_DO = "done", "running", "waiting"
WORDS = {DONE: "Done", UNDER_WAY: "Under way", TO_DO: "To do"}


@dataclass(frozen=True, slots=True)
class Action:
    """Something to press, and in one sentence why."""

    label: str
    url: str
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """A stage of the work. `found` are (text, address or "") of what is there.

    An optional one is beside the way: its action stands in its row and never is what is to be done next.
    """

    label: str
    state: str
    found: list[tuple[str, str]]
    action: Action | None = None
    optional: bool = False

    @property
    def word(self) -> str:
        return WORDS[self.state]
