"""Two thresholds with the context between them, and the transitive closure."""

import numpy as np
import pytest

from paragold.matching.headlines import PairwiseThresholds, pairwise_links, transitive_closure


@pytest.mark.parametrize(
    ("title", "context", "accepted"),
    [
        (0.51, 0.0, True),
        (0.5, 0.0, False),
        (0.5, 0.51, True),
        (0.3, 0.6, True),
        (0.3, 0.5, False),
        (0.2, 0.9, True),
        (0.19, 0.9, False),
    ],
)
def test_context_decides_between_the_thresholds(title: float, context: float, accepted: bool) -> None:
    titles = np.array([[1, title], [title, 1]])
    contexts = np.array([[1, context], [context, 1]])
    assert pairwise_links(titles, contexts, PairwiseThresholds()) == ([(0, 1)] if accepted else [])


def test_closure_joins_chains() -> None:
    assert transitive_closure([(5, 6), (0, 2), (2, 4), (1, 4)]) == [
        *[(0, 1), (0, 2), (0, 4), (1, 2), (1, 4), (2, 4)],
        (5, 6),
    ]
    assert transitive_closure([]) == []


def test_thresholds_must_be_in_order() -> None:
    with pytest.raises(ValueError, match="lower may not be above the upper"):
        PairwiseThresholds(upper=0.2, lower=0.5)
