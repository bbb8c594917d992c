"""An aligner that draws the same link in every pair, to be registered by tests."""

from paragold.aligners.aligner import Aligner
from paragold.aligners.registry import ALIGNERS


class FixedAligner(Aligner):
    label = "fixed: the same link in every pair"
    learns_from_pairs = False
    suggestion = "The same link"

    def __init__(self, id, link, signature):
        super().__init__()
        self.id, self.link, self.known = id, link, signature

    def own_signature(self):
        return self.known

    def draw(self, pairs):
        return [[self.link] for _ in pairs]


def register(monkeypatch, id, link, signature):
    """Have an aligner of that id, which draws that link, until the test ends."""
    monkeypatch.setitem(ALIGNERS._items, id, FixedAligner(id, link, signature))
