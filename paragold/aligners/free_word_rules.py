"""The last step of `best` without a classifier: links from posteriors, then fixed rules for free words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.identity import IdentityAligner
from paragold.aligners.relations import IDENTICAL, STEM
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Link


@dataclass(frozen=True, slots=True)
class FreeWordRules:
    """Links above a posterior, then rules for words without one; plain form where lengths are unequal.

    Where the shorter sentence has less than `unequal` of the longer one's words, most words of the longer
    one have no partner, and a statistical model finds one all the same: there links are the longest common
    subsequence of identical words, as far as the posterior reaches `minimum`, and the rules for free words.
    """

    threshold: float = 0.6
    """The mean posterior of both directions above which a link is drawn."""
    unequal: float = 0.75
    """From 0 (no pair counts as unequal) to 1."""
    minimum: float = 0.35
    """Mean posterior that a link of a rule must have."""
    spelling: float = 0.75
    """Similarity from which on two words that are both free are linked; above 1 never."""
    meaning: float = 0.9
    """Mean posterior from which on free words that WordNet relates are linked too; above 1 never."""

    @property
    def signature(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.as_dict().items())

    def as_dict(self) -> dict[str, float]:
        """The parameters by name."""
        return asdict(self)

    def links(self, source: Sequence[str], target: Sequence[str], posteriors: Posteriors) -> list[Link]:
        """The links of one sentence pair, in ascending order."""
        average = posteriors.average
        if not average.size:
            return []
        if min(average.shape) < self.unequal * max(average.shape):
            links = {
                link for link in IdentityAligner().align(source, target) if average[link] >= self.minimum
            }
        else:
            links = _cells(average > self.threshold)
        related = (posteriors.kinds == IDENTICAL) | (posteriors.kinds == STEM)
        alike = (related | (posteriors.spelling >= self.spelling)) & (average >= self.minimum)
        alike |= (posteriors.kinds > 0) & (average >= self.meaning)
        _link_free(links, np.where(alike, average, 0))
        return sorted(links)

    def in_words(self, posteriors: Posteriors, link: Link, drawn: bool) -> str:
        """Which rule decided on a link."""
        unequal = min(posteriors.average.shape) < self.unequal * max(posteriors.average.shape)
        average = float(posteriors.average[link])
        if not unequal and average > self.threshold:
            return f"the mean posterior is above {self.threshold}"
        if drawn:
            way = "the sentences differ in length; " if unequal else ""
            if posteriors.kinds[link] > STEM and posteriors.spelling[link] < self.spelling:
                return f"{way}the words are related, the mean posterior at least {self.meaning}"
            return (
                f"{way}the words are identical, have the same stem or similar spelling, and the mean "
                f"posterior is at least {self.minimum}"
            )
        if unequal:
            return "the sentences differ in length, so only related words are linked"
        return f"the mean posterior is not above {self.threshold}, and no rule for free words holds"


def _cells(mask: NDArray[np.bool_]) -> set[Link]:
    rows, columns = np.nonzero(mask)
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def _link_free(links: set[Link], scores: FloatArray) -> None:
    """Add links above 0, the highest first, whose words both have none; ties in ascending order."""
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    rows, columns = np.nonzero(scores > 0)
    ranked = sorted(zip((-scores[rows, columns]).tolist(), rows.tolist(), columns.tolist(), strict=True))
    for _, i, j in ranked:
        if i not in sources and j not in targets:
            links.add((i, j))
            sources.add(i)
            targets.add(j)
