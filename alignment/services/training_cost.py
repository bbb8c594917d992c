"""How long the training of aligners will take: by what past trainings of this installation took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alignment.models import TrainedAligner
from corpus.models import JobState

# A longer launch is confirmed first.
CONFIRM_SECONDS = 600
# Where nothing was trained here yet: slower than measured on two cores (docs/aligners.md).
BUILT_IN_SECONDS_A_PAIR = 0.002
START_SECONDS = 5
# Smaller trainings take as long as Python takes to start.
MIN_PAIRS = 1_000
RECENT = 10


@dataclass(frozen=True, slots=True)
class TrainingRate:
    """Seconds for each pair of training text; measured: from past trainings, not built in."""

    seconds_a_pair: float
    measured: bool

    def seconds(self, pairs: int) -> float:
        return START_SECONDS + pairs * self.seconds_a_pair

    @property
    def origin(self) -> str:
        if self.measured:
            return "Times are estimated from past trainings of this installation."
        return (
            "Times are a cautious guess, because nothing of this size was trained on this installation yet."
        )


def training_rate(aligners: Sequence[str]) -> TrainingRate:
    """The rate of the slowest of these aligners, from the newest trainings of each in all projects."""
    rates = []
    for aligner in aligners:
        past = TrainedAligner.objects.filter(
            aligner=aligner, pairs__gte=MIN_PAIRS, job__state=JobState.DONE
        ).select_related("job")
        taken = [
            (seconds, one.pairs) for one in past.order_by("-pk")[:RECENT] if (seconds := one.job.seconds)
        ]
        if taken:
            rates.append(sum(seconds for seconds, _ in taken) / sum(pairs for _, pairs in taken))
    if len(rates) < len(aligners) or not rates:
        return TrainingRate(max([BUILT_IN_SECONDS_A_PAIR, *rates]), measured=False)
    return TrainingRate(max(rates), measured=True)


def duration_words(seconds: float) -> str:
    """Such as "about 40 s", "about 12 min" or "about 3 h"."""
    if seconds < 90:
        return f"about {max(5, round(seconds / 5) * 5)} s"
    return f"about {round(seconds / 60)} min" if seconds < 5_400 else f"about {seconds / 3600:.1f} h"
