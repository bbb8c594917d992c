"""Pairs that a run accepted and rejected, with what weighed most (Brockett and Dolan 2005, table 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotation.models import ClassifierRun, PairScore, TrainedClassifier
from corpus.models import CandidatePair

from .loading import check_lexicons, model_of

if TYPE_CHECKING:
    from paragold.classification.classifier import Contribution

EACH = 4
REASONS = 4


@dataclass(frozen=True, slots=True)
class Example:
    """A scored pair with the features that add most to its decision, largest first."""

    pair: CandidatePair
    probability: float
    reasons: list[Contribution]


@dataclass(frozen=True, slots=True)
class Examples:
    """The surest and the least sure on either side of the run's threshold."""

    accepted: list[Example]
    just_accepted: list[Example]
    just_rejected: list[Example]
    rejected: list[Example]


def examples(run: ClassifierRun, *, each: int = EACH, most: int = REASONS) -> Examples:
    """`each` pairs of every kind with `most` reasons. Raises PublicError when a lexicon is not here."""
    above = run.scores.filter(probability__gte=run.threshold)
    below = run.scores.filter(probability__lt=run.threshold)
    surest = list(above.order_by("-probability", "pair_id")[:each])
    least = list(below.order_by("probability", "pair_id")[:each])
    taken = {score.pair_id for score in (*surest, *least)}
    near_above = above.exclude(pair__in=taken).order_by("probability", "pair_id")[:each]
    near_below = below.exclude(pair__in=taken).order_by("-probability", "pair_id")[:each]
    groups = [surest, list(near_above), list(near_below), least]
    known = explain(run.classifier, [score for group in groups for score in group], most=most)
    return Examples(*([known[score.pair_id] for score in group] for group in groups))


def explain(classifier: TrainedClassifier, scores: list[PairScore], *, most: int) -> dict[int, Example]:
    """Some scored pairs with their reasons, by the pair's id."""
    pairs = CandidatePair.objects.with_sentences().in_bulk([score.pair_id for score in scores])
    found = contributions(classifier, [pairs[score.pair_id] for score in scores], most=most)
    return {
        score.pair_id: Example(pairs[score.pair_id], score.probability, reasons)
        for score, reasons in zip(scores, found, strict=True)
    }


def contributions(
    classifier: TrainedClassifier, pairs: list[CandidatePair], *, most: int | None = None
) -> list[list[Contribution]]:
    """What each pair's features add to its decision, largest first. Raises as `check_lexicons` does."""
    if not pairs:
        return []
    check_lexicons(classifier)
    texts = [(pair.sentence_a.text, pair.sentence_b.text) for pair in pairs]
    return model_of(classifier).contributions(texts, most=most)
