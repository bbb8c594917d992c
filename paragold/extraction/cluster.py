"""Candidate pairs of one cluster: criteria, method and rejections together."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from paragold.arrays import Integers
from paragold.extraction.criteria import EXTRACTION_METHODS, SHARED_WORD_LENGTH, Criteria
from paragold.extraction.methods import (
    DistinctSentences,
    Hits,
    pairs_by_meaning,
    pairs_of_either_kind,
    pairs_sharing_words,
    pairs_within_distance,
)
from paragold.extraction.rapidfuzz_blocks import Kernel, RapidfuzzBlocks
from paragold.extraction.records import PAIRS, ClusterSentences, new_counts
from paragold.languages import language
from paragold.registry import PluginError

SEARCHES: dict[str, Callable[..., Iterator[Hits]]] = {
    "levenshtein": pairs_within_distance,
    "first_sentences": pairs_sharing_words,
    "either": pairs_of_either_kind,
    "meaning": pairs_by_meaning,
}

# Long enough to fill a kernel's blocks, short enough that the parts of a cluster are alike.
STRETCH_ROWS = 256


def get_kernel() -> Kernel:
    """The kernel of extractions."""
    # Here and not above: numba takes half a second and 80 MB, which forms need not pay.
    from paragold.extraction.numba_lanes import NumbaLanes

    return NumbaLanes


Part = tuple[int, int]
"""The part of that number (from 0) of so many; together the parts find each pair of a cluster once."""
WHOLE: Part = (0, 1)


def stretches_of(part: Part, texts: int) -> Iterator[range]:
    """The rows of a part among `texts` rows, in stretches dealt out in turn.

    The first texts of a cluster have the most partners after them, so that halves would not be equal.
    """
    number, parts = part
    for start in range(number * STRETCH_ROWS, texts, parts * STRETCH_ROWS):
        yield range(start, min(start + STRETCH_ROWS, texts))


def extract_cluster(sentences: ClusterSentences, criteria: Criteria) -> NDArray[np.void]:
    """The candidate pairs (`PAIRS`) of a cluster, by position; each two texts once, where first seen.

    Over several clusters, remember every `content_key` and leave out pairs that come again.

    Parameters
    ----------
    sentences : ClusterSentences
        The cluster.
    criteria : Criteria
        What pairs must meet; see `paragold.extraction.presets` for those of the papers.

    References
    ----------
    Dolan, Quirk & Brockett (2004); Brockett & Dolan (2005), table 2.
    """
    return ClusterSearch(sentences, criteria).sorted_pairs()


class ClusterSearch:
    """The search for the pairs of a cluster, or of a part of it, block by block.

    Each distinct text is compared once. Its repetitions enter the counts, and decide where a pair is seen
    first. `counts` are complete when all blocks have been taken; what is counted for the cluster as a whole
    is in the counts of its part 0.

    A pair keeps the same numbers whatever criteria found it: those of the words as printed; `as_compared`
    gives it those that were held to the criteria.
    """

    def __init__(
        self,
        sentences: ClusterSentences,
        criteria: Criteria,
        part: Part = WHOLE,
        *,
        as_compared: bool = False,
    ) -> None:
        self._started = perf_counter()
        self._criteria, self._part, self._as_compared = criteria, part, as_compared
        # Sentences of equal numbers are never paired.
        self._groups = range(len(sentences)) if criteria.same_article else sentences.articles
        self._kernel = get_kernel()
        self._method = EXTRACTION_METHODS.get(criteria.method)
        self._search = self._method.search or SEARCHES[self._method.id]
        tokens, indices = sentences.tokens, sentences.indices
        compared = tokens
        if criteria.placeholders:
            compared = [*map(language(criteria.language).placeholders, tokens)]

        def is_first(position: int) -> bool:
            return criteria.first_n is None or indices[position] < criteria.first_n

        eligible = [
            position
            for position, text in enumerate(compared)
            if criteria.admits_length(len(text))
            and (self._method.first_sentences != "only" or is_first(position))
        ]
        self._also_first = self._method.first_sentences == "also"
        self._texts = DistinctSentences(
            eligible, tokens, criteria.shared_word_length, compared, is_first if self._also_first else None
        )
        self._printed = RapidfuzzBlocks(self._texts.tokens)
        self._group_numbers: Integers = np.array(self._groups, dtype=np.int64)
        self._indices: Integers = np.array(indices, dtype=np.int64)
        counted = compared if as_compared else tokens
        self._lengths: Integers = np.array([len(text) for text in counted], dtype=np.int64)
        # Of each text, the number of its positions and the first one; by whether first sentences alone count.
        self._places = {False: _places(self._texts.positions)}
        if self._also_first:
            self._places[True] = _places(self._texts.first_positions)
        self.counts = new_counts()
        self.seconds = 0.0
        if part[0] == 0:
            self.counts.update(
                clusters=1,
                articles=len(set(sentences.articles)),
                sentences=len(sentences),
                pairs_compared=_pairs_within(eligible, self._groups),
                rejected_same_text=self._repetitions(),
            )

    def blocks(self) -> Iterator[NDArray[np.void]]:
        """The pairs, as `PAIRS`, in no order; each two texts once, where first seen in the cluster."""
        stretches = stretches_of(self._part, len(self._texts))
        for hits in self._search(self._texts, self._criteria, stretches, self._kernel):
            yield self._pairs(hits if self._method.search is None else self._checked(hits))
        self.seconds = perf_counter() - self._started

    def sorted_pairs(self) -> NDArray[np.void]:
        """The pairs of all blocks in canonical order: by first, then second position."""
        pairs = np.concatenate([np.empty(0, dtype=PAIRS), *self.blocks()])
        return pairs[np.lexsort((pairs["second"], pairs["first"]))]

    def _checked(self, hits: object) -> Hits:
        """What the method of a plug-in found. Raises PluginError for what it must not give."""

        def wrong(what: str) -> PluginError:
            return EXTRACTION_METHODS.wrong_result(self._method.id, what)

        if not isinstance(hits, Hits):
            raise wrong(f"an object of type {type(hits).__name__} in place of Hits")
        columns = hits[:4]
        if not all(isinstance(column, np.ndarray) and column.dtype.kind in "iu" for column in columns):
            raise wrong("columns that are no arrays of whole numbers")
        if any(column.shape != (len(hits.a),) for column in columns):
            raise wrong("columns of different lengths")
        if len(hits.a) and not (
            hits.a.min() >= 0 and (hits.a < hits.b).all() and hits.b.max() < len(self._texts)
        ):
            raise wrong(
                "pairs of texts that are not in the cluster, or whose first text is not before the second"
            )
        if len(hits.a) and min(hits.distances.min(), hits.shared_words.min()) < 0:
            raise wrong("a negative distance or number of shared words")
        return hits

    def _pairs(self, hits: Hits) -> NDArray[np.void]:
        """The hits that are no rejections, as `PAIRS`."""
        texts, criteria = self._texts, self._criteria
        printed, first, second = self._first_seen(hits)
        across = printed > 0
        hits, printed, first, second = hits.where(across), printed[across], first[across], second[across]
        same = texts.same_words(hits.a, hits.b)
        accepted = hits.where(~same)
        pairs = np.empty(len(accepted.a), dtype=PAIRS)
        pairs["first"], pairs["second"] = first, second = first[~same], second[~same]
        pairs["length_a"], pairs["length_b"] = self._lengths[first], self._lengths[second]
        pairs["position_a"], pairs["position_b"] = self._indices[first], self._indices[second]
        pairs["edit_distance"], pairs["shared_words"] = accepted.distances, accepted.shared_words
        if not self._as_compared:
            if criteria.placeholders or criteria.distance != "levenshtein":
                pairs["edit_distance"] = self._printed.distances(accepted.a, accepted.b)
            if criteria.placeholders or criteria.shared_word_length != SHARED_WORD_LENGTH:
                pairs["shared_words"] = texts.stored_shared_words(accepted.a, accepted.b)
        pairs["content_key"] = texts.content_keys(accepted.a, accepted.b)
        self.counts.update(
            pairs_kept=len(pairs),
            rejected_same_text=int(printed[same].sum()),
            rejected_seen_before=int((printed[~same] - 1).sum()),
        )
        return pairs

    def _first_seen(self, hits: Hits) -> tuple[Integers, Integers, Integers]:
        """The number of times that each two texts occur in different groups, and the first two positions.

        Where they never are, the positions mean nothing.
        """
        texts, groups = self._texts, self._group_numbers
        positions = texts.first_positions if hits.first_only else texts.positions
        often, places = self._places[hits.first_only]
        a, b = places[hits.a], places[hits.b]
        first, second = np.minimum(a, b), np.maximum(a, b)
        printed = (groups[a] != groups[b]).astype(np.int64)
        for row in np.flatnonzero((often[hits.a] > 1) | (often[hits.b] > 1)).tolist():
            one, other = positions[int(hits.a[row])], positions[int(hits.b[row])]
            printed[row] = _pairs_across_groups(one, other, self._groups)
            if printed[row]:
                first[row], second[row] = _first_pair(one, other, self._groups)
        return printed, first, second

    def _repetitions(self) -> int:
        """Pairs of identical sentences of different groups that meet the criteria (distance 0, ratio 1)."""
        criteria, texts = self._criteria, self._texts
        number = 0
        often, _ = self._places[False]
        for text in np.flatnonzero(often > 1).tolist():
            if len(texts.long_words(text)) < criteria.min_shared_words:
                continue
            length = len(texts.compared[text])
            if criteria.admits_distance(0) and criteria.longest_partner(length) >= length:
                number += _pairs_within(texts.positions[text], self._groups)
            elif self._also_first and criteria.longest_partner(length, first=True) >= length:
                number += _pairs_within(texts.first_positions[text], self._groups)
        return number


def _pairs_within(positions: Sequence[int], groups: Sequence[int]) -> int:
    """The number of pairs of these positions in different groups."""
    in_one_group = Counter([groups[position] for position in positions]).values()
    return (len(positions) ** 2 - sum(n * n for n in in_one_group)) // 2


def _places(positions_of_texts: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """For each text, the number of its positions and the first one (0 where there is none)."""
    often = np.array([len(positions) for positions in positions_of_texts], dtype=np.int64)
    first = np.array([positions[0] if positions else 0 for positions in positions_of_texts], dtype=np.int64)
    return often, first


def _pairs_across_groups(a: Sequence[int], b: Sequence[int], groups: Sequence[int]) -> int:
    """The number of pairs of a position of each text that are in different groups."""
    in_a, in_b = (Counter([groups[position] for position in positions]) for positions in (a, b))
    return len(a) * len(b) - sum(n * in_b[group] for group, n in in_a.items())


def _first_pair(a: Sequence[int], b: Sequence[int], groups: Sequence[int]) -> tuple[int, int]:
    """The canonically first pair of positions of the two texts, in different groups; one exists."""
    # Were a partner before `first` in another group, the pair would have been met at its turn.
    partners = merge(((first, b) for first in a), ((first, a) for first in b), key=lambda item: item[0])
    return next(
        (first, second) for first, others in partners for second in others if groups[second] != groups[first]
    )
