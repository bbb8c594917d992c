"""What an extraction method finds."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Hits(NamedTuple):
    """Pairs of texts a < b of a `DistinctSentences` that meet the criteria, as arrays of one length.

    distances: by the criteria's distance, between the compared tokens.
    shared_words: distinct compared words of the criteria's length found in both.
    first_only: whether they meet the criteria only where both stand among the first sentences.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    distances: NDArray[np.int64]
    shared_words: NDArray[np.int64]
    first_only: bool = False

    def where(self, chosen: NDArray[Any]) -> "Hits":
        """The hits that are chosen, by a mask or by a slice's numbers."""
        a, b, distances, shared_words, first_only = self
        return Hits(a[chosen], b[chosen], distances[chosen], shared_words[chosen], first_only)
