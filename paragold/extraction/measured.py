"""The numbers of pairs as criteria look at them, which need not be those that are kept with a pair."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

from paragold.extraction.criteria import Criteria
from paragold.extraction.placeholders import with_placeholders
from paragold.extraction.records import CandidatePair, ClusterSentences
from paragold.extraction.selection import told_by_numbers


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
    """The numbers of each pair of a cluster under the distance, placeholders and word length asked for."""
    if told_by_numbers(criteria):
        for pair in pairs:
            lengths = sorted((pair.length_a, pair.length_b))
            position = max(pair.position_a, pair.position_b)
            yield Measured(pair.edit_distance, lengths[0], lengths[1], pair.shared_words, position)
        return
    tokens = sentences.tokens
    compared = list(map(with_placeholders, tokens)) if criteria.placeholders else tokens
    distance = Indel.distance if criteria.distance == "indel" else Levenshtein.distance
    least = criteria.shared_word_length
    long_words = [frozenset([word for word in text if len(word) >= least]) for text in compared]
    for pair in pairs:
        a, b = compared[pair.first], compared[pair.second]
        lengths = sorted((len(a), len(b)))
        shared = len(long_words[pair.first] & long_words[pair.second])
        position = max(pair.position_a, pair.position_b)
        yield Measured(distance(a, b), lengths[0], lengths[1], shared, position)
