"""How long the training of aligners will take: by what past trainings of this installation took."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.models import TrainedAligner
from jobs.models import JobState
from jobs.services.launch_cost import RECENT, Rate, rate_from

# Where nothing was trained here yet: slower than measured on two cores (docs/aligners.md).
BUILT_IN_SECONDS_A_PAIR = 0.002
# Smaller trainings take as long as Python takes to start.
MIN_PAIRS = 1_000


def training_rate(aligners: Sequence[str]) -> Rate:
    """The rate a pair of the slowest of these aligners, from the newest trainings of each in all projects."""
    rates = []
    for aligner in aligners:
        past = TrainedAligner.objects.filter(
            aligner=aligner, pairs__gte=MIN_PAIRS, job__state=JobState.DONE
        ).select_related("job")
        newest = past.order_by("-pk")[:RECENT]
        rates.append(rate_from(((one.job.seconds, one.pairs) for one in newest), BUILT_IN_SECONDS_A_PAIR))
    slowest = max((rate.seconds_a_unit for rate in rates), default=BUILT_IN_SECONDS_A_PAIR)
    return Rate(slowest, measured=bool(rates) and all(rate.measured for rate in rates))
