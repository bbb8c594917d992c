"""How well clusters agree with given ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sklearn.metrics import adjusted_rand_score


@dataclass(frozen=True, slots=True)
class EventScores:
    """Shares from 0 to 1; adjusted_rand from -1 to 1; clusters: how many there are."""

    precision: float
    recall: float
    adjusted_rand: float
    clusters: int

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score_events(found: Sequence[str], gold: Sequence[str]) -> EventScores:
    """B-cubed precision and recall (Bagga & Baldwin 1998) and the adjusted Rand index (Hubert & Arabie 1985).

    For each article: the share of its found cluster that is of its gold cluster, and the share of its gold
    cluster that is in its found one; then the mean over articles. Raises ValueError for no articles.
    """
    if not gold or len(found) != len(gold):
        raise ValueError("There must be as many found labels as gold ones, and one at least.")
    of_found, of_gold = Counter(found), Counter(gold)
    both = Counter(zip(found, gold, strict=True))
    precision = sum(count * count / of_found[label] for (label, _), count in both.items()) / len(gold)
    recall = sum(count * count / of_gold[label] for (_, label), count in both.items()) / len(gold)
    return EventScores(precision, recall, float(adjusted_rand_score(gold, found)), len(of_found))
