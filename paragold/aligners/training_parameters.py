"""How a translation model is trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.relations import Related


@dataclass(frozen=True, slots=True)
class TrainingParameters:
    """How a translation model is trained; all are parts of its signature."""

    ibm1_iterations: int = 5
    hmm_iterations: int = 5
    one_language: bool = True
    """Both directions share one translation table and one jump table, and words translate as themselves."""
    identical: float = 20.0
    """Pseudo-counts of t(w | w); the following are those of words so related, see relations.KINDS."""
    stem: float = 0.0
    lemma: float = 0.0
    derivation: float = 0.0
    synonym: float = 0.0
    hypernym: float = 0.0
    spelling: float = 0.0
    """Pseudo-count of words spelled alike, times (similarity - 0.5) / 0.5."""
    null: float = 0.1
    """The least probability of the null word."""
    null_excess: float = 0.0
    """Weight from 0 to 1 of the share of words that must be null where the generated side is longer."""
    uniform: float = 0.2
    """Weight of even jump probabilities (Och & Ney 2003, equation 15)."""
    lexicon: bool = False
    """Whether a pair of one word and itself is added for each word (the papers' lexicon)."""
    prune: float = 1e-5
    """States of the HMM with less than this share are passed over; 0 is exact."""

    @property
    def pseudo_counts(self) -> NDArray[np.float64]:
        """By number of relation."""
        return np.array(
            [0, self.identical, self.stem, self.lemma, self.derivation, self.synonym, self.hypernym]
        )

    @property
    def signature(self) -> str:
        return ",".join(f"{name}={value}" for name, value in asdict(self).items())


def null_probabilities(
    parameters: TrainingParameters, source_lengths: NDArray[np.int64], target_lengths: NDArray[np.int64]
) -> tuple[FloatArray, FloatArray]:
    """For each pair the probability that a target word, and that a source word, comes from the null word."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.nan_to_num(source_lengths / target_lengths, nan=1.0, posinf=1.0)
        inverse = np.nan_to_num(target_lengths / source_lengths, nan=1.0, posinf=1.0)
    least, weight = parameters.null, parameters.null_excess
    return (
        least + (1 - least) * weight * (1 - ratio).clip(min=0),
        least + (1 - least) * weight * (1 - inverse).clip(min=0),
    )


def pseudo_counts(parameters: TrainingParameters, related: Related) -> NDArray[np.float32]:
    """What each entry is given beforehand."""
    counts = parameters.pseudo_counts.astype(np.float32)[related.kinds]
    if parameters.spelling:
        spelled = np.float32(parameters.spelling) * (2 * related.spelling - 1).clip(min=0)
        np.maximum(counts, spelled, out=counts)
    return counts
