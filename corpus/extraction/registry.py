"""The extraction methods by the name that criteria carry."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from corpus.extraction.criteria import Criteria
from corpus.extraction.distinct_sentences import DistinctSentences
from corpus.extraction.first_sentences import pairs_of_either_kind, pairs_sharing_words
from corpus.extraction.hits import Hits
from corpus.extraction.kernels import Kernel
from corpus.extraction.levenshtein import pairs_within_distance

# A method yields all two texts a < b that meet the criteria, a in the stretches of rows that it is given, in
# blocks of any order, each pair once. Texts come from the shortest to the longest.
Method = Callable[[DistinctSentences, Criteria, Iterable[range], Kernel], Iterator[Hits]]

METHODS: Mapping[str, Method] = {
    "levenshtein": pairs_within_distance,
    "first_sentences": pairs_sharing_words,
    "either": pairs_of_either_kind,
}
