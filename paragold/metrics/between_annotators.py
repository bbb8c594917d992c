"""Agreement of two annotators on word links, measured in terms of AER."""

from collections.abc import Sequence
from dataclasses import dataclass

from paragold.metrics.error_rate import RESAMPLES, Score, score
from paragold.metrics.links import Links


@dataclass(frozen=True, slots=True)
class DirectionalError:
    """AER in both directions: all links of one side, SURE and POSSIBLE, against S and P of the other."""

    first_against_second: Score
    second_against_first: Score

    @property
    def average(self) -> float | None:
        """The mean of the two directional AERs, from 0 to 1; None when either is undefined."""
        first, second = self.first_against_second.aer, self.second_against_first.aer
        return None if first is None or second is None else (first + second) / 2

    @property
    def agreement(self) -> float | None:
        """1 - average: what the papers print as interrater agreement (93.1 % and 83.7 % in DQB04)."""
        return None if self.average is None else 1 - self.average


def directional_error(
    first: Sequence[Links], second: Sequence[Links], *, seed: int, resamples: int = RESAMPLES
) -> DirectionalError:
    """Score two annotators' links of the same pairs, in the same order, against each other.

    Dolan, Quirk & Brockett (2004), section 3.2 and footnote 5: the AER is asymmetric when both sides
    tell SURE from POSSIBLE, so both directions are computed and averaged.
    Raises ValueError when the two are not equally long.
    """
    return DirectionalError(
        score([links.possible for links in first], second, seed=seed, resamples=resamples),
        score([links.possible for links in second], first, seed=seed, resamples=resamples),
    )
