"""The extraction methods by the name that criteria carry."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from paragold.extraction.criteria import Criteria
from paragold.extraction.distinct_sentences import DistinctSentences
from paragold.extraction.first_sentences import pairs_of_either_kind, pairs_sharing_words
from paragold.extraction.hits import Hits
from paragold.extraction.kernels import Kernel
from paragold.extraction.levenshtein import pairs_within_distance

# A method yields all two texts a < b that meet the criteria, a in the stretches of rows that it is given, in
# blocks of any order, each pair once. Texts come from the shortest to the longest.
Method = Callable[[DistinctSentences, Criteria, Iterable[range], Kernel], Iterator[Hits]]

METHODS: Mapping[str, Method] = {
    "levenshtein": pairs_within_distance,
    "first_sentences": pairs_sharing_words,
    "either": pairs_of_either_kind,
}
