"""Measures of translation quality and of retrieval between the sentences of a pair, off unless asked for.

No feature depends on the order of the two sentences: each is taken as the translation of the other, and what
comes of it stands as the lesser and the greater.
"""

import numpy as np

from paragold.classification.coded_pairs import CodedPairs, Flags, Integers, Side
from paragold.classification.matching import UNMATCHED, Matching, Numbers, sum_by_pair
from paragold.classification.residue import member
from paragold.classification.string_features import LONGEST_N_GRAM, ratio, shared_grams

# METEOR's weight of recall over precision, and its penalty for words that stand apart (Banerjee, Lavie 2005).
RECALL_WEIGHT = 9.0
GREATEST_PENALTY = 0.5


def translation_features(matching: Matching) -> dict[str, Numbers]:
    """The class `translation` by name, each of shape (n,), from 0 to 1: BLEU- and METEOR-like scores."""
    features: dict[str, Numbers] = {}
    for name, scores in (("bleu", bleu(matching.pairs)), ("meteor", meteor(matching))):
        features[f"{name}_lesser"] = np.minimum(*scores)
        features[f"{name}_greater"] = np.maximum(*scores)
    return features


def bleu(pairs: CodedPairs) -> tuple[Numbers, Numbers]:
    """BLEU of sentences (Papineni et al. 2002), the first and the second as the translation. (n,) each.

    Precisions of 1- to 4-grams, those from 2 on plus one in numerator and denominator (Lin and Och 2004),
    their geometric mean, times the brevity penalty. 0 where no word is shared.
    """
    logs = [np.zeros(len(pairs)), np.zeros(len(pairs))]
    shared_words = np.zeros(len(pairs))
    for n in range(1, LONGEST_N_GRAM + 1):
        shared, *totals = shared_grams(pairs, n)
        if n == 1:
            shared_words = shared
        more = float(n > 1)
        for side, total in enumerate(totals):
            logs[side] += np.log((np.maximum(shared, 1e-9 * (1 - more)) + more) / np.maximum(total + more, 1))
    first_lengths = np.maximum(pairs.first.lengths, 1)
    second_lengths = np.maximum(pairs.second.lengths, 1)
    penalties = 1 - second_lengths / first_lengths, 1 - first_lengths / second_lengths
    scores = [
        np.where(shared_words > 0, np.exp(log / LONGEST_N_GRAM + np.minimum(penalty, 0)), 0.0)
        for log, penalty in zip(logs, penalties, strict=True)
    ]
    return scores[0], scores[1]


def meteor(matching: Matching) -> tuple[Numbers, Numbers]:
    """Like METEOR (Banerjee and Lavie 2005), the first and the second as the translation. (n,) each.

    Words match when equal or joined by a lexicon. Fragments are counted as runs of matched words in the
    translation, whatever their order in the other sentence: hence "like".
    """
    (first, first_kinds), (second, second_kinds) = matching.sides()
    matched = first_kinds != UNMATCHED, second_kinds != UNMATCHED
    counts = [sum_by_pair(side, flags) for side, flags in zip((first, second), matched, strict=True)]
    matches = np.minimum(*counts)
    of_first, of_second = ratio(matches, first.lengths), ratio(matches, second.lengths)
    scores = []
    for side, flags, precision, recall in (
        (first, matched[0], of_first, of_second),
        (second, matched[1], of_second, of_first),
    ):
        mean = _quotient((1 + RECALL_WEIGHT) * precision * recall, recall + RECALL_WEIGHT * precision)
        fragments = np.minimum(sum_by_pair(side, _run_starts(side, flags)), matches)
        penalty = GREATEST_PENALTY * _quotient(fragments, matches) ** 3
        scores.append(mean * (1 - penalty))
    return scores[0], scores[1]


def tfidf_features(pairs: CodedPairs, idf: Numbers) -> dict[str, Numbers]:
    """The class `tfidf`: the cosine of the sentences' sets of words, each weighed by its rarity. 0 to 1.

    idf: (v,) the weight of each word of the vocabulary.
    """
    size = max(1, len(pairs.vocabulary))
    first, second = (np.unique(side.rows * size + side.words) for side in (pairs.first, pairs.second))
    squares = np.asarray(idf, dtype=np.float64) ** 2

    def total(keys: Integers) -> Numbers:
        return np.bincount(keys // size, squares[keys % size], minlength=len(pairs)).astype(np.float64)

    both = total(first[member(first, second)])
    return {"cosine": _quotient(both, np.sqrt(total(first) * total(second)))}


def _run_starts(side: Side, flags: Flags) -> Flags:
    """Whether a flagged token begins a run of flagged tokens within its sentence."""
    before = np.concatenate(([False], flags[:-1])) if len(flags) else flags
    before[side.starts[:-1][np.diff(side.starts) > 0]] = False
    return np.asarray(flags & ~before)


def _quotient(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
