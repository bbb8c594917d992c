"""Word association by the log-likelihood ratio of Moore (2001), after Dunning (1993).

The identical words of each pair are deleted first; the residue is read as if it were a bilingual parallel
corpus (Brockett and Dolan 2005, section 3.4). The sides of a pair have no order, so each pair is read twice,
once in either direction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from paragold.classification.classes import MORPHOLOGY
from paragold.classification.coded_pairs import CodedPairs, Integers, code_pairs
from paragold.classification.function_words import FUNCTION_WORDS
from paragold.classification.lexicons import Lexicon
from paragold.classification.matching import Numbers, distinct, find_residue, match, member, pair_keys
from paragold.text.stemming import Stemmer

DEFAULT_RANKS = 13_001
MIN_TOGETHER = 2


@dataclass(frozen=True, slots=True)
class Association:
    """Two words, how strongly they go together, and in how many pairs they face each other."""

    first: str
    second: str
    score: float
    together: int


def log_likelihood_ratio(together: Numbers, first: Numbers, second: Numbers, total: float) -> Numbers:
    """-2 log lambda of Dunning (1993): 2 * sum over the four cells of C(f, e) log(p(f | e) / p(f)).

    together: how often f faces e; first, second: how often f and e occur at all, all of one shape (m,);
    total: the readings. Where f and e face each other less often than chance has it the result is 0.
    """
    cells = (
        (together, first, second),
        (first - together, first, total - second),
        (second - together, total - first, second),
        (total - first - second + together, total - first, total - second),
    )
    ratio = np.zeros(np.shape(together))
    for cell, row, column in cells:
        # A cell that never occurs adds nothing.
        occurs = cell > 0
        expected = np.where(occurs, row * column, 1.0)
        ratio += cell * np.log(np.where(occurs, cell * total / expected, 1.0))
    return np.where(together * total > first * second, 2 * ratio, 0.0)


def associate(
    texts: Iterable[tuple[str, str]], *, ranks: int = DEFAULT_RANKS, min_together: int = MIN_TOGETHER
) -> list[Association]:
    """The word pairs of a dataset by log-likelihood ratio, highest first; ties in the order of the words.

    Words are lower-cased; punctuation and function words are left out.

    Parameters
    ----------
    texts : iterable of (str, str)
        The pairs of sentences.
    ranks : int
        The maximum number of word pairs.
    min_together : int
        The minimum number of pairs of sentences in which the two words face each other.

    References
    ----------
    Dunning (1993); Brockett & Dolan (2005), section 3.4.
    """
    pairs = code_pairs(texts)
    size = len(pairs.vocabulary)
    if not size:
        return []
    ignored = np.fromiter((word in FUNCTION_WORDS for word in pairs.vocabulary), dtype=bool, count=size)
    keys: list[Integers] = []
    counts: list[Integers] = []
    occurring = np.zeros(size, dtype=np.int64)
    for start, stop in pairs.chunks():
        met, by_word = _count(pairs.part(start, stop), ignored)
        occurring += by_word
        unique, times = np.unique(met, return_counts=True)
        keys.append(unique)
        counts.append(times)
    unique, places = np.unique(np.concatenate(keys), return_inverse=True)
    together: Numbers = np.bincount(places, np.concatenate(counts), len(unique)).astype(np.float64)
    frequent = together >= min_together
    unique, together = unique[frequent], together[frequent]
    first, second = unique // size, unique % size
    # Read in both directions, each pair counts twice; a word occurs once for each side it is on.
    often = occurring.astype(np.float64)
    scores = log_likelihood_ratio(together, often[first], often[second], 2.0 * len(pairs))
    associations = [
        _association(pairs.vocabulary[i], pairs.vocabulary[j], score, int(count))
        for i, j, score, count in zip(
            first.tolist(), second.tolist(), scores.tolist(), together.tolist(), strict=True
        )
        if score > 0
    ]
    associations.sort(key=lambda one: (-one.score, one.first, one.second))
    return associations[:ranks]


def _association(first: str, second: str, score: float, together: int) -> Association:
    return Association(min(first, second), max(first, second), score, together)


def _count(pairs: CodedPairs, ignored: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Keys of the word pairs that face each other, one for each pair of sentences, and sides by word."""
    size = len(pairs.vocabulary)
    residue = find_residue(pairs)
    occurring = np.zeros(size, dtype=np.int64)
    for side, identical in (
        (pairs.first, residue.identical_first),
        (pairs.second, residue.identical_second),
    ):
        left = ~identical & ~ignored[side.words]
        types = np.unique(side.rows[left] * size + side.words[left])
        occurring += np.bincount(types % size, minlength=size)
    first = pairs.first.words[residue.first_tokens]
    second = pairs.second.words[residue.second_tokens]
    counted = ~ignored[first] & ~ignored[second] & (first != second)
    keys = pair_keys(first[counted], second[counted], size)
    return distinct(residue.rows[counted], keys)[1], occurring


def facing_pairs(
    texts: Iterable[tuple[str, str]], lexicon: Lexicon, *, ranks: int, min_together: int
) -> list[Association]:
    """The word pairs of a lexicon that face each other in the residue of pairs of texts, most often first.

    Ties come in the order of the words; the score is the number of pairs of texts.
    """
    pairs = code_pairs(texts)
    vocabulary = pairs.vocabulary
    if not vocabulary:
        return []
    # Any name of a lexical class serves: only this one lexicon is looked into.
    related = {MORPHOLOGY: lexicon.related(vocabulary)}
    nothing = np.zeros(0, dtype=np.int64)
    keys = [
        match(pairs.part(start, stop), related, nothing).events[MORPHOLOGY][1]
        for start, stop in pairs.chunks()
    ]
    unique, counts = np.unique(np.concatenate(keys), return_counts=True)
    associations = []
    for key, count in zip(unique.tolist(), counts.tolist(), strict=True):
        if count >= min_together:
            words = sorted((vocabulary[key // len(vocabulary)], vocabulary[key % len(vocabulary)]))
            associations.append(Association(words[0], words[1], float(count), count))
    associations.sort(key=lambda one: (-one.together, one.first, one.second))
    return associations[:ranks]


def found_in(pairs: Sequence[Association], lexicon: Lexicon) -> list[bool]:
    """Whether another lexicon has each of the word pairs."""
    vocabulary = sorted({word for one in pairs for word in (one.first, one.second)})
    place = {word: number for number, word in enumerate(vocabulary)}
    keys = np.array([place[one.first] * len(vocabulary) + place[one.second] for one in pairs], dtype=np.int64)
    inside: list[bool] = member(keys, lexicon.related(vocabulary)).tolist()
    return inside


def share_by_rank(inside: Sequence[bool], *, step: int) -> list[tuple[int, float]]:
    """(rank, share from 0 to 1 of those up to it that are inside) for each `step` ranks and the last one."""
    counted = np.cumsum(np.array(inside, dtype=np.int64)).tolist()
    ranks = [*range(step, len(inside), step), *([len(inside)] if inside else [])]
    return [(rank, counted[rank - 1] / rank) for rank in ranks]


def trivial(pairs: Sequence[Association], language: str | None) -> list[bool]:
    """Whether the words of each pair differ in spelling or ending alone.

    So they do when one holds the other, when they have one stem, or when at most one letter in four (one at
    least) is changed: colour and color, organise and organize. Brockett and Dolan (2005, section 3.4) leave
    such pairs out when they compare lexicons.
    """
    stem = Stemmer(language).stem if language else str
    return [
        one.first in one.second
        or one.second in one.first
        or stem(one.first) == stem(one.second)
        or Levenshtein.distance(one.first, one.second) <= max(1, min(len(one.first), len(one.second)) // 4)
        for one in pairs
    ]
