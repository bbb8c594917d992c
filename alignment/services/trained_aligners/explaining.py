"""What spoke for each link that a trained aligner thought of in a pair of the project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from alignment.models import TrainedAligner
from corpus.errors import PublicError
from corpus.models import CandidatePair

from .files import load_aligner

if TYPE_CHECKING:
    from alignment.aligners.best import Reason
    from alignment.aligners.trained_files import Kept

LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class SourceSum:
    """What all reasons of one source of evidence add to the log-odds."""

    name: str
    contribution: float


@dataclass(frozen=True, slots=True)
class ExplainedLink:
    """A candidate link, in words; see `alignment.aligners.explanations.LinkExplanation`."""

    link: tuple[int, int]
    word_a: str
    word_b: str
    drawn: bool
    probability: float
    threshold: float | None
    start: float | None
    reasons: list[Reason]
    rule: str

    @property
    def sources(self) -> list[SourceSum]:
        """What each source of evidence adds to the log-odds, the weightiest first; [] without gold links."""
        if self.start is None:
            return []
        from alignment.aligners.explanations import by_source

        return [SourceSum(name, contribution) for name, contribution in by_source(self.reasons).items()]

    @property
    def weighty(self) -> list[Reason]:
        """The reasons that add something, or where nothing was learned all of them."""
        return [reason for reason in self.reasons if reason.contribution] or self.reasons


@dataclass(frozen=True, slots=True)
class Explained:
    pair: CandidatePair
    tokens_a: list[str]
    tokens_b: list[str]
    links: list[ExplainedLink]


def explain_pair(*, trained: TrainedAligner, pair: str) -> Explained:
    """Every candidate link of the pair of that number, in ascending order.

    Raises PublicError when the project has no such pair, and as `load_aligner` does.
    """
    aligner = load_aligner(trained)
    from alignment.aligners.explanations import explanations

    row = None
    if pair.isdecimal() and int(pair) <= LARGEST_ID:
        pairs = CandidatePair.objects.filter(project_id=trained.project_id)
        row = pairs.select_related("sentence_a", "sentence_b").filter(pk=int(pair)).first()
    if row is None:
        raise PublicError(
            f"There is no pair {pair!r} in this project." if pair else "No pair was chosen.", field="pair"
        )
    a, b = row.sentence_a.token_list, row.sentence_b.token_list
    return Explained(
        row,
        a,
        b,
        [
            ExplainedLink(
                one.link,
                a[one.link[0]],
                b[one.link[1]],
                one.drawn,
                one.probability,
                one.threshold,
                one.start,
                one.reasons,
                one.rule,
            )
            for one in explanations(cast("Kept", aligner), a, b)
        ],
    )
