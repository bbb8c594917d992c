"""Parts of a cluster's work: a large cluster is extracted part by part, each by whoever comes."""

from collections.abc import Iterator
from typing import NamedTuple

# Long enough to fill a kernel's blocks, short enough that the parts of a cluster are alike.
STRETCH_ROWS = 256


class Part(NamedTuple):
    """The part `number` (from 0) of `of`; together the parts find each pair of a cluster once."""

    number: int = 0
    of: int = 1

    def stretches(self, texts: int) -> Iterator[range]:
        """The rows of this part among `texts` rows, in stretches dealt out in turn.

        The first texts of a cluster have the most partners after them, so that halves would not be equal.
        """
        for start in range(self.number * STRETCH_ROWS, texts, self.of * STRETCH_ROWS):
            yield range(start, min(start + STRETCH_ROWS, texts))


WHOLE = Part()
