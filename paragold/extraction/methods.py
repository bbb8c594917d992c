"""The extraction methods: which texts of a cluster are candidates (Dolan, Quirk and Brockett 2004, 3)."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.criteria import Criteria
from paragold.extraction.distinct_sentences import DistinctSentences
from paragold.extraction.kernels.rapidfuzz_blocks import Kernel, PairDistances, Window


class Hits(NamedTuple):
    """Pairs of texts a < b of a `DistinctSentences` that meet the criteria, as arrays of one length.

    distances: by the criteria's distance, between the compared tokens.
    shared_words: distinct compared words of the criteria's length found in both.
    first_only: whether they meet the criteria only where both are among the first sentences.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    distances: NDArray[np.int64]
    shared_words: NDArray[np.int64]
    first_only: bool = False

    def where(self, chosen: NDArray[Any]) -> Hits:
        """The hits that are chosen, by a mask or by a slice's numbers."""
        a, b, distances, shared_words, first_only = self
        return Hits(a[chosen], b[chosen], distances[chosen], shared_words[chosen], first_only)


# A kernel's block may be large; so many of its hits at once keep memory small.
HITS_AT_ONCE = 1 << 14


def pairs_within_distance(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches."""
    window = Window.of(texts.lengths, criteria)
    for block in kernel(texts.compared).hits(window, stretches):
        for start in range(0, len(block.rows), HITS_AT_ONCE):
            a, b, distances = (column[start : start + HITS_AT_ONCE] for column in block)
            hits = Hits(a, b, distances, texts.shared_words(a, b))
            if criteria.min_shared_words:
                hits = hits.where(hits.shared_words >= criteria.min_shared_words)
            yield hits


BATCH_PAIRS = 4096


def pairs_sharing_words(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches.

    The texts are those of first sentences already. The distance is measured for what is left when length and
    shared words have been looked at: it decides only where the criteria limit it.
    """
    everything = range(len(texts))
    for hits in _measured(texts, criteria, everything, stretches, criteria.longest_partner):
        yield hits.where(_admitted(criteria, hits.distances))


def pairs_of_either_kind(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Pairs within the limits of distance and ratio, and others whose texts are among the first sentences."""
    stretches = list(stretches)
    yield from pairs_within_distance(texts, criteria, stretches, kernel)
    first = [text for text, positions in enumerate(texts.first_positions) if positions]
    longest_partner = np.zeros(len(texts), dtype=np.int64)
    longest_partner[first] = [criteria.longest_partner(int(length)) for length in texts.lengths[first]]
    for hits in _measured(texts, criteria, first, stretches, criteria.longest_first_partner):
        within = texts.lengths[hits.b] <= longest_partner[hits.a]
        others = hits.where(~(within & _admitted(criteria, hits.distances)))
        yield others._replace(first_only=True)


def _admitted(criteria: Criteria, distances: NDArray[np.int64]) -> NDArray[np.bool_]:
    """`Criteria.admits_distance` of each."""
    admitted = distances >= criteria.min_edit_distance
    if criteria.max_edit_distance is not None:
        admitted &= distances <= criteria.max_edit_distance
    return admitted


def _measured(
    texts: DistinctSentences,
    criteria: Criteria,
    among: Sequence[int],
    stretches: Iterable[range],
    longest_partner: Callable[[int], int],
) -> Iterator[Hits]:
    """Texts a < b of `among` with enough shared words, their distances measured and not looked at."""
    allowed = set(among)
    compared = [text if number in allowed else () for number, text in enumerate(texts.compared)]
    distances = PairDistances(compared, indel=criteria.distance == "indel")
    rows = [text for text in chain.from_iterable(stretches) if text in allowed]
    longest = [longest_partner(length) for length in texts.lengths[rows].tolist()] if rows else []
    ends = texts.lengths.searchsorted(longest, side="right").tolist()
    partners = _partners(texts, among, zip(rows, ends, strict=True), criteria.min_shared_words)
    while batch := list(islice(partners, BATCH_PAIRS)):
        a, b = np.array(batch, dtype=np.int64).T
        yield Hits(a, b, distances.of(a, b), texts.shared_words(a, b))


def _partners(
    texts: DistinctSentences, among: Sequence[int], rows: Iterable[tuple[int, int]], minimum: int
) -> Iterator[tuple[int, int]]:
    """(a, b) for each row (a, end) and each b of `among` between them that shares `minimum` words with it."""
    if not minimum:
        for a, end in rows:
            for b in among[bisect(among, a) : bisect(among, end - 1)]:
                yield a, b
        return
    texts_with: dict[str, list[int]] = {}
    for text in among:
        for word in texts.long_words(text):
            texts_with.setdefault(word, []).append(text)
    for a, end in rows:
        shared = Counter[int]()
        for word in texts.long_words(a):
            candidates = texts_with[word]
            shared.update(candidates[bisect(candidates, a) : bisect(candidates, end - 1)])
        for b, count in shared.items():
            if count >= minimum:
                yield a, b
