"""A pair scorer: the share of character n-grams that two sentences have in common (Dice, 0 to 1)."""

from __future__ import annotations

from collections.abc import Sequence

from paragold.classification.pair_scorers import PairScorer
from paragold.spec import Spec, param


class NgramSpec(Spec):
    """What can be chosen. Classifiers use the defaults, `paragold score-pairs --set length=4` others."""

    length: int = param(3, "Length of the n-grams", "In characters.", ge=1, le=10)


def scores(pairs: Sequence[tuple[str, str]], parameters: NgramSpec) -> list[float]:
    """The scores of n pairs of texts: n finite numbers, in order."""
    return [_dice(_ngrams(a, parameters.length), _ngrams(b, parameters.length)) for a, b in pairs]


def _ngrams(text: str, length: int) -> set[str]:
    lowered = f" {' '.join(text.lower().split())} "
    return {lowered[at : at + length] for at in range(len(lowered) - length + 1)}


def _dice(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / max(1, len(first) + len(second))


CHARACTER_NGRAMS = PairScorer(
    id="character-ngrams",
    label="Character n-grams in common (example plug-in)",
    score=scores,
    parameters=NgramSpec,
)
