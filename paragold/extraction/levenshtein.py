"""All pairs of texts within a word edit distance (Dolan, Quirk and Brockett 2004, section 3)."""

from collections.abc import Iterable, Iterator

from paragold.extraction.criteria import Criteria
from paragold.extraction.distinct_sentences import DistinctSentences
from paragold.extraction.hits import Hits
from paragold.extraction.kernels import Kernel, Window

# A kernel's block may be large; so many of its hits at once keep memory small.
HITS_AT_ONCE = 1 << 14


def pairs_within_distance(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches."""
    window = Window.of(texts.lengths, criteria)
    for found in kernel(texts.compared).hits(window, stretches):
        for start in range(0, len(found.rows), HITS_AT_ONCE):
            a, b, distances = (column[start : start + HITS_AT_ONCE] for column in found)
            hits = Hits(a, b, distances, texts.shared_words(a, b))
            if criteria.min_shared_words:
                hits = hits.where(hits.shared_words >= criteria.min_shared_words)
            yield hits
