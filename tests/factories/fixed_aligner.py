"""An aligner that draws the same link in every pair, to be registered by tests."""

from __future__ import annotations

from typing import Any

import pytest

from paragold.aligners.method import Aligner, AlignerMethod
from paragold.aligners.registry import ALIGNERS
from paragold.metrics.links import Link
from paragold.spec import Spec


class FixedAligner(Aligner):
    def __init__(self, name: str, link: Link, signature: str) -> None:
        self.name = name
        self.link = link
        self.signature = signature

    def align(self, source: Any, target: Any) -> list[Link]:
        return [self.link]


class FixedMethod(AlignerMethod):
    label = "fixed: the same link in every pair"
    parameters = Spec
    learns_from_pairs = False
    suggestion = "The same link"

    def __init__(self, id: str, link: Link, signature: str) -> None:
        self.id = id
        self.made = FixedAligner(id, link, signature)

    def train(self, pairs: Any, parameters: Any = None, *, gold: Any = (), progress: Any = None) -> Aligner:
        return self.made


def register(monkeypatch: pytest.MonkeyPatch, id: str, link: Link, signature: str) -> None:
    """Have an aligner of that id, which draws that link, until the test ends."""
    monkeypatch.setitem(ALIGNERS._items, id, FixedMethod(id, link, signature))
