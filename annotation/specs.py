"""What can be launched on judgements: the declarations of the operations."""

from __future__ import annotations

from paragold.matching.headlines import HeadlineSpec
from paragold.spec import seed_param


class SubclusterScoresSpec(HeadlineSpec):
    """Scoring both methods of matching headlines against gold sub-clusters."""

    seed: int = seed_param("Determines which clusters the thresholds are tuned on.")
