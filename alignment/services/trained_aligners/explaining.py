"""What spoke for each link that a trained aligner thought of in a pair of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from alignment.models import AutomaticAlignment, TrainedAligner
from corpus.models import CandidatePair
from projects.errors import PublicError

from .stored import load_aligner

if TYPE_CHECKING:
    from paragold.aligners.aligner import LinkExplanation

LARGEST_ID = 2**63 - 1


class ExplainedLink(NamedTuple):
    """A candidate link, its two words, and why it was drawn or not."""

    word_a: str
    word_b: str
    why: LinkExplanation


def explain_pair(*, trained: TrainedAligner, pair: str) -> tuple[CandidatePair, list[ExplainedLink]]:
    """The pair of that number and every candidate link, in ascending order.

    Raises PublicError when the project has no such pair, and as `load_aligner` does.
    """
    if not trained.estimator.gives_reasons:
        raise PublicError(f"{trained.aligner} gives no reasons for its links.")
    aligner = load_aligner(trained)
    row = _pair(trained, pair)
    a, b = row.sentence_a.token_list, row.sentence_b.token_list
    return row, [ExplainedLink(a[one.link[0]], b[one.link[1]], one) for one in aligner.explanations(a, b)]


def drawn_links(*, trained: TrainedAligner, pair: str) -> tuple[CandidatePair, list[tuple[int, int]]]:
    """The pair of that number and the links that the aligner last drew for it, without a word on why.

    Raises PublicError when the project has no such pair, and when none were drawn.
    """
    row = _pair(trained, pair)
    drawn = (
        AutomaticAlignment.objects.filter(run__trained=trained, pair_id=row.pk).order_by("-run_id").first()
    )
    if drawn is None:
        raise PublicError(f"{trained} was not applied to pair {row.pk}.", field="pair")
    return row, drawn.link_list


def _pair(trained: TrainedAligner, pair: str) -> CandidatePair:
    row = None
    if pair.isdecimal() and int(pair) <= LARGEST_ID:
        pairs = CandidatePair.objects.filter(project_id=trained.project_id)
        row = pairs.select_related("sentence_a", "sentence_b").filter(pk=int(pair)).first()
    if row is None:
        raise PublicError(
            f"There is no pair {pair!r} in this project." if pair else "No pair was chosen.", field="pair"
        )
    return row
