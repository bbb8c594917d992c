"""Aligners of plug-ins: their links are checked, and what is stored of one outlasts the plug-in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paragold.aligners.method import Aligner, AlignerMethod, Contents, LinkExplanation, Pair
from paragold.aligners.program_runs import ProgramError
from paragold.metrics.links import Link
from paragold.registry import PluginError
from paragold.spec import Spec


class PluginAligner(Aligner):
    """An aligner with its links checked: aligning raises PluginError for any that must not be.

    name: the id of the method. signature: the aligner's own, with the plug-in's version. wrong: makes
    the error, of a description of the links.
    """

    def __init__(
        self, aligner: Aligner, name: str, signature: str, wrong: Callable[[str], PluginError]
    ) -> None:
        self.name, self.signature, self.transfers = name, signature, aligner.transfers
        self._aligner = aligner
        self._wrong = wrong

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        return self._checked((source, target), self._aligner.align(source, target))

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        drawn = self._aligner.align_all(pairs)
        if not isinstance(drawn, list) or len(drawn) != len(pairs):
            raise self._wrong(f"{len(list(drawn))} lists of links for {len(pairs)} pairs")
        return [self._checked(pair, links) for pair, links in zip(pairs, drawn, strict=True)]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        return self._aligner.explanations(source, target)

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]] | None:
        return self._aligner.reasons(pairs, links)

    def contents(self) -> Contents:
        return self._aligner.contents()

    def _checked(self, pair: Pair, links: list[Link]) -> list[Link]:
        """The links as tuples of whole numbers."""
        try:
            checked = [(int(i), int(j)) for i, j in links]
        except (TypeError, ValueError):
            raise self._wrong("links that are no pairs of token indices") from None
        inside = all(0 <= i < len(pair[0]) and 0 <= j < len(pair[1]) for i, j in checked)
        if not inside or checked != sorted(set(checked)):
            raise self._wrong("links outside the sentences, out of order or twice")
        return checked


class MissingAligner(AlignerMethod):
    """In place of an aligner that is stored but no longer installed: it cannot be used, only be shown."""

    label = "not installed"
    parameters = Spec

    def __init__(self, id: str) -> None:
        self.id = id

    def install_hint(self) -> str:
        return f"the aligner {self.id} with these parameters; install the plug-in that has it."

    def train(self, *args: object, **options: object) -> Aligner:
        """Raises ProgramError."""
        raise ProgramError(f"There is no aligner {self.id} with these parameters: install its plug-in.")
