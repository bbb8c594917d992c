"""Word pairs of a lexicon: which of them a dataset holds, and how two lexicons compare by rank."""

from collections.abc import Iterable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from paragold.classification.association import Association
from paragold.classification.classes import MORPHOLOGY
from paragold.classification.coded_pairs import code_pairs
from paragold.classification.lexicons import Lexicon
from paragold.classification.matching import match
from paragold.classification.residue import member
from paragold.text.stemming import Stemmer


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
    found = []
    for key, count in zip(unique.tolist(), counts.tolist(), strict=True):
        if count >= min_together:
            words = sorted((vocabulary[key // len(vocabulary)], vocabulary[key % len(vocabulary)]))
            found.append(Association(words[0], words[1], float(count), count))
    found.sort(key=lambda one: (-one.together, one.first, one.second))
    return found[:ranks]


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
