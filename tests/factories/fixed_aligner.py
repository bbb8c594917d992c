"""An aligner that draws the same link in every pair, to be registered by tests."""

from __future__ import annotations

from typing import Any

import pytest

from paragold.aligners.aligner import Aligner
from paragold.aligners.registry import ALIGNERS
from paragold.metrics.links import Link


class FixedAligner(Aligner):
    label = "fixed: the same link in every pair"
    learns_from_pairs = False
    suggestion = "The same link"

    def __init__(self, id: str, link: Link, signature: str) -> None:
        super().__init__()
        self.id, self.link, self.known = id, link, signature

    def own_signature(self) -> str:
        return self.known

    def draw(self, pairs: Any) -> list[list[Link]]:
        return [[self.link] for _ in pairs]


def register(monkeypatch: pytest.MonkeyPatch, id: str, link: Link, signature: str) -> None:
    """Have an aligner of that id, which draws that link, until the test ends."""
    monkeypatch.setitem(ALIGNERS._items, id, FixedAligner(id, link, signature))
