"""Word association in two passes (Moore 2001) over the residue of sentence pairs.

The identical words of each pair are deleted first; the residue is read as if it were a bilingual parallel
corpus (Brockett and Dolan 2005, section 3.4). The sides of a pair have no order, so each pair is read twice,
once in either direction.

The first pass ranks word pairs by log-likelihood ratio. By it the words of one event go together crosswise,
each with every other. The second pass links the words of each pair of sentences one to one, the best ranked
first, and ranks again by how often two words are linked when they meet.

Of sentences in two languages, which are what Moore wrote of, no word is identical to another: a word belongs
to its language, each pair is read once, and the lexicon has translations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from paragold.arrays import Array, Flags, Floats, Integers
from paragold.classification.classes import MORPHOLOGY
from paragold.classification.lexicons import Lexicon
from paragold.classification.settings import LexiconSpec
from paragold.classification.words import (
    CodedPairs,
    code_pairs,
    distinct,
    find_residue,
    match,
    member,
    pair_keys,
    words_of_key,
)
from paragold.languages import ENGLISH, Language, language_of_stemmer
from paragold.parallel import compiled
from paragold.text.stemming import Stemmer

ABBREVIATION = 4
DIGITS = 9


Association = tuple[str, str, float, int, int | None]
"""Two words; how strongly they go together: their log-likelihood ratio, or the next number where another
lexicon relates them; in how many pairs of sentences they face each other; in how many of those the second
pass links the two, None without a second pass."""


def log_likelihood_ratio(together: Floats, first: Floats, second: Floats, total: float) -> Floats:
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
    texts: Iterable[tuple[str, str]],
    spec: LexiconSpec | None = None,
    *,
    language: Language = ENGLISH,
    second_language: Language | None = None,
) -> list[Association]:
    """The word pairs of pairs of sentences, best first; ties by log-likelihood ratio, then by the words.

    With a `second_language`, that of the second sentences, these are translations: a word of the first
    language, then its counterpart.

    Words are lower-cased, punctuation is left out. A word counts once for each side of a pair. With
    `spec.ranking` "links" the order is by (linked - discount) / together, and pairs that are never linked
    are left out; with "ratio" it is by log-likelihood ratio. The `kind` of the Spec is ignored.
    Dunning (1993); Moore (2001); the discount: Moore (2005); Brockett & Dolan (2005), section 3.4.
    """
    spec = spec or LexiconSpec()
    pairs = code_pairs(texts, language, second_language)
    size = len(pairs.vocabulary)
    if not size:
        return []
    ignored = np.zeros(size, dtype=bool)
    if spec.without_function_words:
        words = (language.function_words, (second_language or language).function_words)
        ignored[
            [place for place, word in enumerate(pairs.vocabulary) if word in words[place >= pairs.split]]
        ] = True
    keys, together, scores = _first_pass(pairs, ignored, spec)
    linked = _second_pass(pairs, keys) if spec.ranking == "links" else None
    order = np.arange(len(keys))
    if linked is not None:
        strength = (linked - spec.discount) / together
        # Stable: among equals the first pass decides.
        order = np.argsort(-strength, kind="stable")
        order = order[linked[order] > 0]
    order = order[: spec.ranks]
    counts = [None] * len(order) if linked is None else linked[order].tolist()
    columns = (column[order].tolist() for column in (keys, scores, together))
    return [
        (*words_of_key(pairs.vocabulary, key, pairs.split), score, times, count)
        for key, score, times, count in zip(*columns, counts, strict=True)
    ]


_Candidates = tuple[Integers, Integers, Floats]
"""Word pairs by falling log-likelihood ratio: keys of `pair_keys`, how often they face each other, ratios,
(k,)."""


def _first_pass(pairs: CodedPairs, ignored: Flags, spec: LexiconSpec) -> _Candidates:
    """Rank the word pairs that go together more often than by chance."""
    size = len(pairs.vocabulary)
    keys: list[Integers] = []
    counts: list[Integers] = []
    occurring = np.zeros(size, dtype=np.int64)
    for rows in pairs.chunks():
        met, by_word = _count(pairs.take(rows), ignored)
        occurring += by_word
        unique, times = np.unique(met, return_counts=True)
        keys.append(unique)
        counts.append(times)
    unique, places = np.unique(np.concatenate(keys), return_inverse=True)
    together = np.bincount(places, np.concatenate(counts), len(unique)).astype(np.int64)
    frequent = together >= spec.min_together
    unique, together = unique[frequent], together[frequent]
    first, second = unique // size, unique % size
    # Read in both directions, each pair counts twice; a word occurs once for each side it is on.
    often, readings = occurring.astype(np.float64), 1.0 if pairs.split else 2.0
    scores = log_likelihood_ratio(
        together.astype(np.float64), often[first], often[second], readings * len(pairs)
    )
    # Equal but for the order of their additions, two are a tie.
    scores = scores.round(DIGITS)
    alphabet = pairs.alphabetical_ranks()
    lower, higher = alphabet[first], alphabet[second]
    if not pairs.split:
        lower, higher = np.minimum(lower, higher), np.maximum(lower, higher)
    order = np.lexsort((higher, lower, -scores))
    order = order[(scores[order] > 0) & (scores[order] >= spec.min_score)]
    return unique[order], together[order], scores[order]


def _second_pass(pairs: CodedPairs, candidates: Integers) -> Integers:
    """In how many pairs of sentences each candidate is linked, (k,); `candidates` are their keys, best
    first."""
    size = len(pairs.vocabulary)
    by_key = np.argsort(candidates)
    sorted_keys = candidates[by_key]
    linked = np.zeros(len(by_key), dtype=np.int64)
    for rows_of_part in pairs.chunks():
        part = pairs.take(rows_of_part)
        _, _, first_tokens, second_tokens, rows = find_residue(part)
        first, second = part.first.words[first_tokens], part.second.words[second_tokens]
        keys = pair_keys(first, second, size)
        known = member(keys, sorted_keys)
        ranks = by_key[np.searchsorted(sorted_keys, keys[known])]
        rows, first, second = rows[known], first[known], second[known]
        order = np.lexsort((ranks, rows))
        chosen = order[link_greedily(rows[order], first[order], second[order], size)]
        linked += np.bincount(ranks[chosen], minlength=len(linked))
    return linked


def _count(pairs: CodedPairs, ignored: Flags) -> tuple[Integers, Integers]:
    """Keys of the word pairs that face each other, one for each pair of sentences, and sides by word."""
    size = len(pairs.vocabulary)
    identical_first, identical_second, first_tokens, second_tokens, rows = find_residue(pairs)
    occurring = np.zeros(size, dtype=np.int64)
    for side, identical in ((pairs.first, identical_first), (pairs.second, identical_second)):
        left = ~identical & ~ignored[side.words]
        types = np.unique(side.rows[left] * size + side.words[left])
        occurring += np.bincount(types % size, minlength=size)
    first, second = pairs.first.words[first_tokens], pairs.second.words[second_tokens]
    counted = ~ignored[first] & ~ignored[second] & (first != second)
    keys = pair_keys(first[counted], second[counted], size)
    return distinct(rows[counted], keys)[1], occurring


def facing_pairs(
    texts: Iterable[tuple[str, str]],
    lexicon: Lexicon,
    *,
    ranks: int,
    min_together: int,
    language: Language = ENGLISH,
) -> list[Association]:
    """The word pairs of a lexicon that face each other in the residue of pairs of texts, most often first.

    Ties come in the order of the words; the score is the number of pairs of texts.
    """
    pairs = code_pairs(texts, language)
    vocabulary = pairs.vocabulary
    if not vocabulary:
        return []
    # Any name of a lexical class serves: only this one lexicon is looked into.
    related = {MORPHOLOGY: lexicon.related(vocabulary)}
    nothing = np.zeros(0, dtype=np.int64)
    keys = [match(pairs.take(rows), related, nothing)[1][MORPHOLOGY][1] for rows in pairs.chunks()]
    unique, counts = np.unique(np.concatenate(keys), return_counts=True)
    associations: list[Association] = [
        (*words_of_key(vocabulary, key), float(count), count, None)
        for key, count in zip(unique.tolist(), counts.tolist(), strict=True)
        if count >= min_together
    ]
    associations.sort(key=lambda pair: (-pair[3], pair[0], pair[1]))
    return associations[:ranks]


def known_pairs(pairs: Sequence[Association], lexicon: Lexicon) -> list[bool]:
    """Whether another lexicon has each of the word pairs."""
    vocabulary = sorted({word for pair in pairs for word in pair[:2]})
    place = {word: number for number, word in enumerate(vocabulary)}
    keys = np.array([place[a] * len(vocabulary) + place[b] for a, b, *_ in pairs], dtype=np.int64)
    inside: list[bool] = member(keys, lexicon.related(vocabulary)).tolist()
    return inside


def share_by_rank(inside: Sequence[bool], *, step: int) -> list[tuple[int, float]]:
    """(rank, share from 0 to 1 of those up to it that are inside) for each `step` ranks and the last one."""
    counted = np.cumsum(np.array(inside, dtype=np.int64)).tolist()
    ranks = [*range(step, len(inside), step), *([len(inside)] if inside else [])]
    return [(rank, counted[rank - 1] / rank) for rank in ranks]


def trivial(pairs: Sequence[Association], language: str | None) -> list[bool]:
    """Whether the words of each pair differ in spelling, ending or length alone, or one is a number.

    They differ in no more where they have one stem, where one holds the other, where at most one letter in
    four (one at least) is changed (colour and color, organise and organize), and where a word of up to four
    letters abbreviates the other (govt and government). Of a function word only the stem counts: "he"
    abbreviates no "house". Brockett and Dolan (2005, section 3.4) leave such pairs out of figure 1.
    """
    stem = Stemmer(language).stem if language else str
    words = language_of_stemmer(language or "").function_words
    return [_trivial(_letters(first), _letters(second), stem, words) for first, second, *_ in pairs]


def _letters(word: str) -> str:
    """The word without punctuation: u.s. and us are one word."""
    return "".join(filter(str.isalnum, word))


def _trivial(first: str, second: str, stem: Callable[[str], str], function_words: Collection[str]) -> bool:
    if any(map(str.isdigit, first + second)) or stem(first) == stem(second):
        return True
    if first in function_words or second in function_words:
        return False
    short, long = sorted((first, second), key=len)
    if short in long or Levenshtein.distance(short, long) <= max(1, len(short) // 4):
        return True
    same_ends = short[0] == long[0] and short[-1] == long[-1]
    letters = iter(long)
    return len(short) <= ABBREVIATION and same_ends and all(letter in letters for letter in short)


@compiled
def link_greedily(rows: Array, first: Array, second: Array, words: int) -> Array:
    """Which candidates are linked where each word of a pair of sentences is linked at most once.

    rows, first, second: (k,) the pair of sentences of each candidate, ascending, and its word on either
    side, the best candidates of a row first. words: the size of the vocabulary. Returns flags, (k,).
    """
    linked = np.zeros(rows.size, np.bool_)
    # By word the last row in which it was linked.
    last_first = np.full(words, -1, np.int64)
    last_second = np.full(words, -1, np.int64)
    for number in range(rows.size):
        row = rows[number]
        if last_first[first[number]] != row and last_second[second[number]] != row:
            last_first[first[number]] = row
            last_second[second[number]] = row
            linked[number] = True
    return linked
