"""The rule by which a pair is accepted: the sign of its decision value, or a threshold of its probability."""

from dataclasses import dataclass

import numpy as np

from paragold.classification.coded_pairs import Flags
from paragold.classification.matching import Numbers


def is_paraphrase(values: Numbers) -> Flags:
    """The decisions of decision values (n,): a paraphrase from 0 on."""
    return np.asarray(values >= 0)


@dataclass(frozen=True, slots=True)
class Decisions:
    """For n pairs, in order: decision values (n,) and probabilities (n,)."""

    values: Numbers
    probabilities: Numbers

    def accepted(self, threshold: float | None = None) -> Flags:
        """Which pairs (n,) are accepted: by the sign, or from a probability of `threshold` on."""
        return is_paraphrase(self.values) if threshold is None else self.probabilities >= threshold
