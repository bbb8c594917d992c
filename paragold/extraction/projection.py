"""The expected number of pairs of an extraction, from a sample of clusters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

from paragold.extraction.criteria import Criteria
from paragold.extraction.records import CandidatePair, ClusterSentences
from paragold.extraction.selection import decided_by_numbers
from paragold.text.placeholders import with_placeholders


class Measured(NamedTuple):
    """The arguments of `Selection.admits`: distance, both lengths and shared words under some criteria.

    position: index of the later of the two sentences in its article, from 0.
    """

    distance: int
    shorter: int
    longer: int
    shared: int
    position: int


def measured(
    pairs: Iterable[CandidatePair], sentences: ClusterSentences, criteria: Criteria
) -> Iterator[Measured]:
    """The numbers of each pair of a cluster by the distance, placeholders and word length of the criteria."""
    if decided_by_numbers(criteria):
        for pair in pairs:
            lengths = sorted((pair.length_a, pair.length_b))
            position = max(pair.position_a, pair.position_b)
            yield Measured(pair.edit_distance, lengths[0], lengths[1], pair.shared_words, position)
        return
    tokens = sentences.tokens
    compared = list(map(with_placeholders, tokens)) if criteria.placeholders else tokens
    distance = Indel.distance if criteria.distance == "indel" else Levenshtein.distance
    minimum = criteria.shared_word_length
    long_words = [frozenset([word for word in text if len(word) >= minimum]) for text in compared]
    for pair in pairs:
        a, b = compared[pair.first], compared[pair.second]
        lengths = sorted((len(a), len(b)))
        shared = len(long_words[pair.first] & long_words[pair.second])
        position = max(pair.position_a, pair.position_b)
        yield Measured(distance(a, b), lengths[0], lengths[1], shared, position)


# 95 % of a normal distribution lie within so many standard deviations.
DEVIATIONS = 1.96

WIDER_DISTANCE, WIDER_SHARED_WORDS, WIDER_MIN_LENGTH, WIDER_MAX_LENGTH = 5, 2, 3, 10


@dataclass(frozen=True, slots=True)
class Projection:
    """Pairs to expect, with a 95 % interval; both ends equal `pairs` when every cluster was looked at."""

    pairs: float
    low: float
    high: float


def projection(
    pairs_by_cluster: Sequence[int], work: Sequence[int], *, clusters: int, all_work: int
) -> Projection:
    """The ratio estimator of survey sampling (Cochran 1977, 6.2 to 6.4) over clusters drawn at random.

    pairs_by_cluster: pairs in each cluster of the sample. work: its square of sentences,
    to which the yield is held in proportion. clusters, all_work: the same of the whole corpus.
    A sample of one cluster has no upper end: `high` is infinite.
    """
    sampled = len(pairs_by_cluster)
    if not sampled or not sum(work):
        return Projection(0.0, 0.0, 0.0 if sampled == clusters else float("inf"))
    counted = float(sum(pairs_by_cluster))
    if sampled == clusters:
        return Projection(counted, counted, counted)
    ratio = counted / sum(work)
    pairs = ratio * all_work
    if sampled == 1:
        return Projection(pairs, counted, float("inf"))
    residues = sum((pair - ratio * size) ** 2 for pair, size in zip(pairs_by_cluster, work, strict=True))
    variance = (1 - sampled / clusters) * residues / (sampled - 1) / sampled
    # Scaled by the mean work of the sample against that of the corpus, which is known (Cochran, 6.4).
    mean_ratio = (all_work / clusters) / (sum(work) / sampled)
    margin = DEVIATIONS * clusters * sqrt(variance) * mean_ratio
    return Projection(pairs, max(counted, pairs - margin), pairs + margin)


def widened(criteria: Criteria) -> Criteria:
    """Criteria that let through what looser thresholds near these would: what a slider can be moved to.

    How many first sentences there are stays as it is, and so do options such as the kind of distance.
    """
    return dataclasses.replace(
        criteria,
        min_edit_distance=max(0, criteria.min_edit_distance - WIDER_DISTANCE),
        max_edit_distance=_wider(criteria.max_edit_distance, WIDER_DISTANCE),
        min_length_ratio=criteria.min_length_ratio * 3 / 4,
        first_length_ratio=criteria.first_length_ratio * 3 / 4,
        ratio_strict=False,
        min_shared_words=max(0, criteria.min_shared_words - WIDER_SHARED_WORDS),
        min_length=max(1, criteria.min_length - WIDER_MIN_LENGTH),
        max_length=_wider(criteria.max_length, WIDER_MAX_LENGTH),
    )


def _wider(limit: int | None, by: int) -> int | None:
    return None if limit is None else limit + by
