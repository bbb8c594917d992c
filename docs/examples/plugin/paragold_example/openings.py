"""An extraction method: pairs of sentences that begin with the same two words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from paragold.extraction.criteria import Criteria, ExtractionMethod
from paragold.extraction.methods import DistinctSentences, Hits
from paragold.extraction.rapidfuzz_blocks import Kernel, RapidfuzzBlocks, longest_partners


def search(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Pairs of texts a < b, a in one of the stretches, each once. Texts are numbered from the shortest to the
    longest. What the criteria limit must be looked at here; the kernel is for methods that limit distance.
    """
    with_opening: dict[tuple[str, ...], list[int]] = {}
    for text, words in enumerate(texts.compared):
        with_opening.setdefault(words[:2], []).append(text)
    longest = longest_partners(criteria, texts.lengths)
    measured, indel = RapidfuzzBlocks(texts.compared), criteria.distance == "indel"
    for rows in stretches:
        pairs = [(a, b) for a in rows for b in with_opening[texts.compared[a][:2]] if b > a]
        a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        hits = Hits(a, b, measured.distances(a, b, indel=indel), texts.shared_words(a, b))
        enough = (hits.shared_words >= criteria.min_shared_words) & (texts.lengths[b] <= longest[a])
        yield hits.where(enough & criteria.admits_distance(hits.distances))


OPENINGS = ExtractionMethod(
    id="openings",
    label="Sentences with the same first two words (example plug-in)",
    limits_distance=False,
    first_sentences="",
    search=search,
)
