"""Pairs of sentences as arrays of word numbers, and which words of a pair answer each other.

Equal words answer each other first, one for one; lexicons look at the residue.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paragold.arrays import Flags, Floats, Integers
from paragold.classification.classes import LEXICAL_CLASSES
from paragold.languages import ENGLISH, Language
from paragold.problems import quoted

_FIRST_SURROGATE = 0xD800
_SURROGATES = 0x800
MAX_WORDS = 0x110000 - _SURROGATES

# Pairs and word combinations of one chunk: enough for long arrays, few enough for little memory.
CHUNK_PAIRS = 2_048
CHUNK_COMBINATIONS = 1 << 23


@dataclass(frozen=True, slots=True)
class Side:
    """The words of n sentences one after the other.

    words: (m,) word numbers. rows: (m,) the sentence of each, ascending. starts: (n + 1,) where each
    sentence begins. names: (m,) whether the word is capitalised within its sentence, not at its beginning.
    """

    words: Integers
    rows: Integers
    starts: Integers
    names: Flags

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        return np.diff(self.starts)

    def take(self, rows: Integers) -> "Side":
        """The sentences of these numbers in this order."""
        lengths = self.lengths[rows]
        starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        places = np.arange(int(starts[-1])) - np.repeat(starts[:-1] - self.starts[rows], lengths)
        return Side(self.words[places], np.repeat(np.arange(len(rows)), lengths), starts, self.names[places])


@dataclass(frozen=True, slots=True)
class CodedPairs:
    """n pairs of sentences; a word number is the word's place in `vocabulary`.

    split: where the words of a second language begin in the vocabulary, which may then have a spelling twice,
    once for each language; 0 for sentences in one language.
    """

    vocabulary: tuple[str, ...]
    first: Side
    second: Side
    split: int = 0

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Integers) -> "CodedPairs":
        """The pairs of these numbers in this order, with the whole vocabulary."""
        return replace(self, first=self.first.take(rows), second=self.second.take(rows))

    def chunks(self) -> Iterator[Integers]:
        """The numbers of stretches of pairs, in order, whose word combinations fit into memory."""
        combined = np.cumsum(self.first.lengths * self.second.lengths)
        start = 0
        while start < len(self):
            before = int(combined[start - 1]) if start else 0
            fitting = int(np.searchsorted(combined, before + CHUNK_COMBINATIONS, side="right"))
            stop = min(max(fitting, start + 1), start + CHUNK_PAIRS)
            yield np.arange(start, min(stop, len(self)))
            start = stop

    def alphabetical_ranks(self) -> Integers:
        """The rank of each word of the vocabulary, (v,)."""
        ranks = np.empty(len(self.vocabulary), dtype=np.int64)
        ranks[sorted(range(len(self.vocabulary)), key=self.vocabulary.__getitem__)] = np.arange(len(ranks))
        return ranks


def words_of_key(vocabulary: Sequence[str], key: int, split: int = 0) -> tuple[str, str]:
    """The two words of a key of `pair_keys`, in alphabetical order; with a `split` that of the first language
    first."""
    first, second = vocabulary[key // len(vocabulary)], vocabulary[key % len(vocabulary)]
    return (first, second) if split else (min(first, second), max(first, second))


def words_of(token: str) -> str:
    """The word that a token counts as, in lower case, thousands without commas; "" for punctuation."""
    word = token.lower().replace("’", "'")
    if word[0].isdigit():
        word = word.replace(",", "")
    return word if any(map(str.isalnum, word)) else ""


class _Chunks(dict[str, int]):
    """Text between white space -> its number; `codes` has the words of each, one after the other.

    The code of a word is twice its number, plus one if it is capitalised. Punctuation has none. Most chunks
    come again and again, and the tokeniser looks at each by itself: so each is tokenised once.
    """

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._tokens = language.tokens
        self.vocabulary: dict[str, int] = {}
        self.codes = array("q")
        self.lengths = array("q")

    def __missing__(self, chunk: str) -> int:
        before = len(self.codes)
        for token in self._tokens(chunk)[0]:
            if word := words_of(token):
                number = self.vocabulary.setdefault(word, len(self.vocabulary))
                self.codes.append(2 * number + token[0].isupper())
        self.lengths.append(len(self.codes) - before)
        number = self[chunk] = len(self)
        return number


def code_pairs(
    texts: Iterable[tuple[str, str]], language: Language = ENGLISH, second_language: Language | None = None
) -> CodedPairs:
    """Tokenise pairs of texts as their language does, drop punctuation, fold case and number the words.

    second_language: of the second texts, where it is another one. Raises TypeError for lists of words, and
    OverflowError beyond 1.1 million different words: give the pairs in parts.
    """
    chunks = _Chunks(language)
    other = chunks if second_language is None else _Chunks(second_language)
    seconds: list[str] = []

    def firsts() -> Iterator[str]:
        for pair in texts:
            if isinstance(pair, str) or not all(isinstance(text, str) for text in pair):
                raise TypeError(
                    f"A pair must be two texts here, not {quoted(pair)}. Join lists of words by spaces."
                )
            first, second = pair
            seconds.append(second)
            yield first

    # The words of the first sentences have the lower numbers.
    numbered = [
        _number(sentences, own) for sentences, own in zip((firsts(), seconds), (chunks, other), strict=True)
    ]
    words = [*chunks.vocabulary, *(other.vocabulary if other is not chunks else ())]
    if len(words) > MAX_WORDS:
        raise OverflowError(f"More than {MAX_WORDS:,} different words at once: split the pairs.")
    first, second = (_side(*numbers, own) for numbers, own in zip(numbered, (chunks, other), strict=True))
    if other is chunks:
        return CodedPairs(tuple(words), first, second)
    split = len(chunks.vocabulary)
    return CodedPairs(tuple(words), first, replace(second, words=second.words + split), split)


def _number(texts: Iterable[str], chunks: _Chunks) -> tuple[Integers, Integers]:
    """The chunks of n texts one after the other, (m,), and how many each text has, (n,)."""
    numbers, counts = array("q"), array("q")
    for text in texts:
        parts = text.split()
        numbers.extend(map(chunks.__getitem__, parts))
        counts.append(len(parts))
    return _integers(numbers), _integers(counts)


def _side(numbers: Integers, counts: Integers, chunks: _Chunks) -> Side:
    lengths = _integers(chunks.lengths)
    begins = np.cumsum(lengths) - lengths
    words_in = lengths[numbers]
    stops = np.cumsum(words_in)
    places = np.arange(int(words_in.sum())) - np.repeat(stops - words_in - begins[numbers], words_in)
    codes = _integers(chunks.codes)[places]
    rows = np.repeat(np.repeat(np.arange(len(counts)), counts), words_in)
    starts = np.searchsorted(rows, np.arange(len(counts) + 1))
    names = (codes & 1).astype(bool)
    names[starts[:-1][np.diff(starts) > 0]] = False
    return Side(codes >> 1, rows, starts, names)


def _integers(numbers: "array[int]") -> Integers:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.zeros(0, dtype=np.int64)


def as_strings(words: Integers, starts: Integers) -> list[str]:
    """Each sentence as a string of one character a word, for string kernels."""
    points = np.where(words < _FIRST_SURROGATE, words, words + _SURROGATES).astype("<u4")
    text = points.tobytes().decode("utf-32-le")
    return [text[start:stop] for start, stop in pairwise(starts.tolist())]


# The table of `perhaps_member` has a flag for each value of the upper bits of the mixed keys.
_TABLE = 1 << 22
_SHIFT = 64 - 22
_MIXER = 0x1E3779B97F4A7C15


def occurrences(keys: Integers) -> Integers:
    """The number of earlier elements equal to each element: 0 for the first of its kind. Shape (m,)."""
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    begins = np.flatnonzero(np.concatenate(([True], in_order[1:] != in_order[:-1]))) if len(keys) else order
    runs = np.diff(np.concatenate((begins, [len(keys)])))
    counted = np.empty(len(keys), dtype=np.int64)
    counted[order] = np.arange(len(keys)) - np.repeat(begins, runs)
    return counted


def shared_one_to_one(first: Integers, second: Integers) -> tuple[Flags, Flags]:
    """Which elements find an equal partner on the other side, each partner serving once."""
    # Odd, so that hashed elements stay apart when the product wraps round.
    width = max(len(first), len(second)) | 1
    numbered_first = first * width + occurrences(first)
    numbered_second = second * width + occurrences(second)
    return member(numbered_first, np.sort(numbered_second)), member(numbered_second, np.sort(numbered_first))


def member(values: Integers, sorted_values: Integers) -> Flags:
    """Whether each value is among the sorted ones."""
    if not len(sorted_values):
        return np.zeros(len(values), dtype=bool)
    places = np.searchsorted(sorted_values, values)
    places[places == len(sorted_values)] = 0
    return np.asarray(sorted_values[places] == values)


def perhaps_member(values: Integers, others: Integers) -> Integers:
    """The places of all values that are among the others, ascending, and of a few that are not.

    Where few are it is much faster than `member`, which decides on what is left.
    """
    table = np.zeros(_TABLE, dtype=bool)
    table[_mixed(others)] = True
    return np.flatnonzero(table[_mixed(values)])


def _mixed(keys: Integers) -> Integers:
    return np.asarray((keys * _MIXER) >> _SHIFT) & (_TABLE - 1)


def find_residue(
    pairs: CodedPairs, *, all_words: bool = False
) -> tuple[Flags, Flags, Integers, Integers, Integers]:
    """Take out identical words, one for one, and combine what is left, or all words, within each pair.

    Returns flags by token of those with an identical partner, of either side, and of each combination its
    tokens, as places in either side's words, and its pair, (k,) each.
    """
    size = len(pairs.vocabulary)
    identical_first, identical_second = shared_one_to_one(
        pairs.first.rows * size + pairs.first.words, pairs.second.rows * size + pairs.second.words
    )
    left, right = np.flatnonzero(~identical_first | all_words), np.flatnonzero(~identical_second | all_words)
    left_rows, right_rows = pairs.first.rows[left], pairs.second.rows[right]
    bounds = np.searchsorted(right_rows, np.arange(len(pairs) + 1))
    partners = np.diff(bounds)[left_rows]
    begins = np.cumsum(partners) - partners
    inner = np.arange(int(partners.sum())) - np.repeat(begins, partners)
    second_tokens = right[np.repeat(bounds[:-1][left_rows], partners) + inner]
    rows = np.repeat(left_rows, partners)
    return identical_first, identical_second, np.repeat(left, partners), second_tokens, rows


def pair_keys(first: Integers, second: Integers, size: int) -> Integers:
    """One number for each unordered pair of word numbers below `size`."""
    return np.minimum(first, second) * size + np.maximum(first, second)


IDENTICAL = "identical"
KINDS = (IDENTICAL, *LEXICAL_CLASSES)
UNMATCHED = len(KINDS)


Sides = tuple[tuple[Side, Integers], tuple[Side, Integers]]
"""Both sides of n pairs; by token, the place in KINDS of the best match it has, or UNMATCHED. Equal words
serve once each; other matches may share a partner."""
Events = Mapping[str, tuple[Integers, Integers]]
"""By lexical class (rows, keys) of the word pairs found, once for each pair of sentences; a key is that of
`pair_keys`."""


def match(
    pairs: CodedPairs, related: Mapping[str, Integers], opposites: Integers, *, all_words: bool = False
) -> tuple[Sides, Events, Flags]:
    """Match the words of each pair by the lexicons that are given.

    Returns the sides, the events, and (n,) whether words of opposite meaning face each other.

    related: by lexical class the ascending keys of its word pairs; opposites: those of words of opposite
    meaning. All are keys over the vocabulary of `pairs`. all_words: events are of all words; matches and
    words of opposite meaning are of the residue all the same.
    """
    size = len(pairs.vocabulary)
    identical_first, identical_second, *combined = find_residue(pairs, all_words=all_words)
    keys = pair_keys(pairs.first.words[combined[0]], pairs.second.words[combined[1]], size)
    # Hardly any of the combinations is known to a lexicon.
    known = perhaps_member(keys, np.concatenate([*related.values(), opposites]))
    keys = keys[known]
    first_tokens, second_tokens, rows = (places[known] for places in combined)
    first_kinds = np.where(identical_first, 0, UNMATCHED)
    second_kinds = np.where(identical_second, 0, UNMATCHED)
    in_residue = ~(identical_first[first_tokens] | identical_second[second_tokens])
    events = {}
    for kind, name in reversed(list(enumerate(KINDS))):
        if name not in related:
            continue
        is_related = member(keys, related[name])
        first_kinds[first_tokens[is_related & in_residue]] = kind
        second_kinds[second_tokens[is_related & in_residue]] = kind
        events[name] = distinct(rows[is_related], keys[is_related])
    opposed = np.zeros(len(pairs), dtype=bool)
    opposed[rows[member(keys, opposites) & in_residue]] = True
    return ((pairs.first, first_kinds), (pairs.second, second_kinds)), events, opposed


def distinct(rows: Integers, keys: Integers) -> tuple[Integers, Integers]:
    """Each row with a key once, rows ascending, then keys."""
    order = np.lexsort((keys, rows))
    rows, keys = rows[order], keys[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    return rows[fresh], keys[fresh]


def sum_by_pair(side: Side, weights: NDArray[np.generic]) -> Floats:
    """The sum of a number of each token over each sentence. Shape (n,)."""
    return np.bincount(side.rows, weights.astype(np.float64), minlength=len(side)).astype(np.float64)


def max_by_pair(side: Side, weights: Floats) -> Floats:
    """The largest number (at least 0) of the tokens of each sentence. Shape (n,)."""
    maxima = np.zeros(len(side))
    np.maximum.at(maxima, side.rows, weights)
    return maxima


def longest_run(side: Side, flags: Flags) -> Floats:
    """The longest run of flagged tokens in each sentence. Shape (n,)."""
    places = np.arange(len(flags))
    # The place of the last token that is not in the run, or the one before the sentence.
    before = np.maximum.accumulate(np.where(flags, -1, places)) if len(flags) else places
    before = np.maximum(before, side.starts[side.rows] - 1)
    return max_by_pair(side, np.where(flags, places - before, 0).astype(np.float64))
