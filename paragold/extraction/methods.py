"""The extraction methods: which texts of a cluster are candidates (Dolan, Quirk and Brockett 2004, 3)."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragold.arrays import Array, Flags, Integers
from paragold.extraction.criteria import SHARED_WORD_LENGTH, Criteria
from paragold.extraction.rapidfuzz_blocks import Kernel, RapidfuzzBlocks, longest_partners
from paragold.extraction.records import KEY_BYTES, content_key, sentence_bytes, words_only


class DistinctSentences:
    """The different texts of a cluster, each compared once, however often it occurs.

    From the shortest to the longest as compared, ties in the order of first occurrence. Methods that take `a`
    and `b` look at each text of `a`, by number, with the text of `b` beside it.

    tokens: the lower-cased tokens of each text, n in all.
    compared: the tokens of each text that criteria are held to: the same, or those with placeholders.
    positions: for each text, the positions in the cluster where it occurs, ascending.
    first_positions: those of `positions` that are among the first sentences of their articles.
    lengths: int64 array of shape (n,), in compared tokens, ascending.
    long_words: a function that gives the distinct compared words of a text, by its number, that have at least
        the length of shared words.
    """

    def __init__(
        self,
        positions: Sequence[int],
        tokens: Sequence[tuple[str, ...]],
        shared_word_length: int,
        compared: Sequence[tuple[str, ...]] | None = None,
        first: Callable[[int], bool] | None = None,
    ) -> None:
        """`positions` are those of the sentences to use, ascending; `tokens` those of the whole cluster.

        So are `compared`; without them, the tokens are compared as they are. `first` says whether a position
        is that of one of the first sentences; without it, all are.
        """
        compared = tokens if compared is None else compared
        occurrences: dict[tuple[str, ...], list[int]] = {}
        for position in positions:
            occurrences.setdefault(tokens[position], []).append(position)
        by_length = sorted(occurrences.items(), key=lambda item: len(compared[item[1][0]]))
        self.tokens = [text for text, _ in by_length]
        self.positions = [at for _, at in by_length]
        self.compared = [compared[at[0]] for at in self.positions]
        self.first_positions = [list(filter(first, at)) for at in self.positions] if first else self.positions
        self.lengths: Integers = np.array([len(text) for text in self.compared], dtype=np.int64)
        self.long_words = _long_words(self.compared, shared_word_length)
        # The same number for texts of the same words; below 0 where it is not computed yet.
        self._words_only = np.full(len(self.tokens), -1, dtype=np.int64)
        self._classes: dict[tuple[str, ...], int] = {}
        self._bytes = [b""] * len(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def shared_words(self, a: Integers, b: Integers) -> Integers:
        """How many distinct long words both texts have."""
        return _shared(self.long_words, a, b)

    def stored_shared_words(self, a: Integers, b: Integers) -> Integers:
        """The same for the words as printed and the length that is stored with every pair."""
        return _shared(_long_words(self.tokens, SHARED_WORD_LENGTH), a, b)

    def same_words(self, a: Integers, b: Integers) -> Flags:
        """Whether the texts differ in punctuation only."""
        words, classes = self._words_only, self._classes
        for text in {*a.tolist(), *b.tolist()}:
            if words[text] < 0:
                words[text] = classes.setdefault(words_only(self.tokens[text]), len(classes))
        same: Flags = words[a] == words[b]
        return same

    def content_keys(self, a: Integers, b: Integers) -> NDArray[np.void]:
        """The `content_key` of both texts."""
        left, right, encoded = a.tolist(), b.tolist(), self._bytes
        for text in {*left, *right}:
            encoded[text] = encoded[text] or sentence_bytes(self.tokens[text])
        keys = [content_key(encoded[one], encoded[other]) for one, other in zip(left, right, strict=True)]
        return np.frombuffer(b"".join(keys), dtype=f"V{KEY_BYTES}")


def _long_words(texts: Sequence[tuple[str, ...]], length: int) -> Callable[[int], frozenset[str]]:
    return cache(lambda text: frozenset([word for word in texts[text] if len(word) >= length]))


def _shared(words_of: Callable[[int], frozenset[str]], a: Integers, b: Integers) -> Integers:
    left, right = a.tolist(), b.tolist()
    words = {text: words_of(text) for text in {*left, *right}}
    shared = [len(words[one] & words[other]) for one, other in zip(left, right, strict=True)]
    return np.array(shared, dtype=np.int64)


class Hits(NamedTuple):
    """Pairs of texts a < b of a `DistinctSentences` that meet the criteria, as arrays of one length.

    distances: by the criteria's distance, between the compared tokens.
    shared_words: distinct compared words of the criteria's length found in both.
    first_only: whether they meet the criteria only where both are among the first sentences.
    """

    a: Integers
    b: Integers
    distances: Integers
    shared_words: Integers
    first_only: bool = False

    def where(self, chosen: Array) -> Hits:
        """The hits that are chosen, by a mask or by a slice's numbers."""
        a, b, distances, shared_words, first_only = self
        return Hits(a[chosen], b[chosen], distances[chosen], shared_words[chosen], first_only)


# A kernel's block may be large; so many of its hits at once keep memory small.
HITS_AT_ONCE = 1 << 14
BATCH_PAIRS = 4096


def pairs_within_distance(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches."""
    for block in kernel(texts.compared).hits(texts.lengths, criteria, stretches):
        for start in range(0, len(block[0]), HITS_AT_ONCE):
            a, b, distances = (column[start : start + HITS_AT_ONCE] for column in block)
            hits = Hits(a, b, distances, texts.shared_words(a, b))
            if criteria.min_shared_words:
                hits = hits.where(hits.shared_words >= criteria.min_shared_words)
            yield hits


def pairs_sharing_words(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches.

    The texts are those of first sentences already. The distance is measured for what is left when length and
    shared words have been looked at: it decides only where the criteria limit it.
    """
    for hits in _measured(texts, criteria, range(len(texts)), stretches):
        yield hits.where(criteria.admits_distance(hits.distances))


def pairs_of_either_kind(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Pairs within the limits of distance and ratio, and others whose texts are among the first sentences."""
    stretches = list(stretches)
    yield from pairs_within_distance(texts, criteria, stretches, kernel)
    first = [text for text, positions in enumerate(texts.first_positions) if positions]
    longest_partner = np.zeros(len(texts), dtype=np.int64)
    longest_partner[first] = longest_partners(criteria, texts.lengths[first])
    for hits in _measured(texts, criteria, first, stretches, also_first=True):
        within = texts.lengths[hits.b] <= longest_partner[hits.a]
        others = hits.where(~(within & criteria.admits_distance(hits.distances)))
        yield others._replace(first_only=True)


def pairs_by_meaning(
    texts: DistinctSentences, criteria: Criteria, stretches: Iterable[range], kernel: Kernel
) -> Iterator[Hits]:
    """Yield all two texts a < b that meet the criteria, a in one of the stretches: exact, by all cosines."""
    if len(texts) < 2:
        return
    from paragold.text.encoder import LAST, open_encoder
    from paragold.text.nearness import near_blocks

    vectors = open_encoder(criteria.encoder, LAST).of_sentences(texts.tokens)
    measured, indel = RapidfuzzBlocks(texts.compared), criteria.distance == "indel"
    longest = longest_partners(criteria, texts.lengths)
    for found in near_blocks(vectors, stretches, criteria.min_similarity):
        for start in range(0, len(found[0]), HITS_AT_ONCE):
            a, b = (column[start : start + HITS_AT_ONCE] for column in found[:2])
            fits = texts.lengths[b] <= longest[a]
            a, b = a[fits], b[fits]
            hits = Hits(a, b, measured.distances(a, b, indel=indel), texts.shared_words(a, b))
            fits = criteria.admits_distance(hits.distances) & (hits.shared_words >= criteria.min_shared_words)
            yield hits.where(fits)


def _measured(
    texts: DistinctSentences,
    criteria: Criteria,
    among: Sequence[int],
    stretches: Iterable[range],
    *,
    also_first: bool = False,
) -> Iterator[Hits]:
    """Texts a < b of `among` with enough shared words, their distances measured and not looked at."""
    allowed = set(among)
    compared = [text if number in allowed else () for number, text in enumerate(texts.compared)]
    measured, indel = RapidfuzzBlocks(compared), criteria.distance == "indel"
    rows = [text for text in chain.from_iterable(stretches) if text in allowed]
    longest = longest_partners(criteria, texts.lengths[np.array(rows, dtype=np.int64)], first=also_first)
    ends = texts.lengths.searchsorted(longest, side="right").tolist()
    partners = _partners(texts, among, zip(rows, ends, strict=True), criteria.min_shared_words)
    while batch := list(islice(partners, BATCH_PAIRS)):
        a, b = np.array(batch, dtype=np.int64).T
        yield Hits(a, b, measured.distances(a, b, indel=indel), texts.shared_words(a, b))


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
