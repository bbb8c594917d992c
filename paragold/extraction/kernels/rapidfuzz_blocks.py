"""The kernel that needs no compiler: rapidfuzz on blocks of texts, one character a word."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist

from paragold.extraction.kernels.window import Hits, Window
from paragold.extraction.pair_distances import encode_words

# So many rows keep the length window of a block narrow and still fill the kernel's vector lanes.
BLOCK_ROWS = 32


class RapidfuzzBlocks:
    """Texts as strings, or as arrays when there are more words than characters."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._codes = encode_words(texts)

    def hits(self, window: Window, stretches: Iterable[range]) -> Iterator[Hits]:
        """The partners of a block of rows are one stretch of columns. Memory is `BLOCK_ROWS` x n."""
        codes = self._codes
        scorer = Indel.distance if window.indel else Levenshtein.distance
        for rows in stretches:
            for start in range(rows.start, rows.stop, BLOCK_ROWS):
                stop = min(start + BLOCK_ROWS, rows.stop)
                end = int(window.ends[stop - 1])
                if end <= start:
                    continue
                distances = cdist(
                    codes[start:stop],
                    codes[start:end],
                    scorer=scorer,
                    score_cutoff=window.most,
                    dtype=distance_type(window.most),
                    workers=1,
                )
                a, b = np.nonzero(distances <= window.most)
                found = distances[a, b]
                a, b = a + start, b + start
                fits = (b > a) & (b < window.ends[a]) & (found >= window.least)
                yield Hits(a[fits], b[fits], found[fits])


def distance_type(cutoff: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The narrowest type for distances up to a cutoff and for a miss, which rapidfuzz reports as cutoff + 1.

    Too narrow a type would wrap round in silence and turn misses into hits.
    """
    if cutoff < np.iinfo(np.uint8).max:
        return np.uint8
    return np.uint16 if cutoff < np.iinfo(np.uint16).max else np.uint32
