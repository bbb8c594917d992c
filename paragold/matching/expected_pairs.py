"""The expected number of pairs of a matching, from a random sample of texts, with a 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from paragold.matching.settings import MatchingSpec, matched
from paragold.matching.word_sets import WordSets, word_sets, words_that_count

# The work is bounded by these counts, never by a clock: the same data and seed give the same answer anywhere.
MAX_TEXTS = 20_000
MAX_COMPARISONS = 40_000_000
# MinHash looks at every key; so many take as long as one comparison of two word sets.
KEYS_A_COMPARISON = 64
# A low threshold matches nearly everything: fewer rows are drawn when those of a pilot have many matches.
MAX_MATCHES = 200_000
PILOT_ROWS = 50
# Clusters of so large a share of MAX_TEXTS are never left out of the sample.
LARGE = 1 / 20
CONFIDENCE = 0.95

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ExpectedPairs:
    """Pairs to expect, with a 95 % interval; `complete`: all texts were compared, so that it is a count.

    texts: distinct texts; rows, columns: how many of them were drawn, each row compared with the columns of
    its place; found: matches of a row with a column.
    """

    pairs: int
    low: int
    high: int
    texts: int
    rows: int
    columns: int
    found: int

    @property
    def about(self) -> int:
        """`pairs` to three digits at most: the sample is not more exact."""
        digits = max(0, len(str(self.pairs)) - 3)
        return round(self.pairs, -digits)

    @property
    def complete(self) -> bool:
        return self.rows == self.columns == self.texts


def expected_pairs(
    texts: Sequence[str],
    articles: Numbers,
    places: Numbers,
    settings: MatchingSpec,
    *,
    seed: int = 1,
    max_texts: int = MAX_TEXTS,
    max_comparisons: int = MAX_COMPARISONS,
) -> ExpectedPairs:
    """Estimate how many pairs of distinct texts a matching keeps, without bias.

    Only sentences of one place and of different articles are paired; each two texts count once, and texts
    that differ in punctuation alone do not. One partner at most is not taken into account: with it there are
    fewer pairs. Places are drawn in proportion to their size, large ones always.

    Parameters
    ----------
    texts : sequence of str, of length n
        The lower-case tokens of sentences, joined by spaces.
    articles, places : arrays of shape (n,)
        The article of each sentence, and its place: a cluster, or a side of the hold-out.
    max_texts, max_comparisons : int
        The maximum number of texts drawn as columns, and of comparisons of them with the texts drawn as rows.
    """
    distinct = list(dict.fromkeys(texts))
    number_of = {text: number for number, text in enumerate(distinct)}
    numbers = np.fromiter((number_of[text] for text in texts), np.int64, len(texts))
    everything = _Texts.of(numbers, articles, places)
    draw = np.random.default_rng(seed)
    sizes = np.bincount(everything.places)
    chances = _chances(sizes, max_texts)
    inside = everything.at(draw.random(len(sizes)) < chances)
    there = np.unique(inside.texts)
    columns = np.sort(draw.permutation(there)[:max_texts])
    order = draw.permutation(there)
    count = _rows(inside, len(columns), settings, min(max_texts, len(there)), max_comparisons)
    pilot = np.sort(order[-PILOT_ROWS:])
    matcher = _Matcher.of(distinct, np.union1d(order[:count], pilot), inside.only(columns), settings)
    a_row = len(matcher.matches(inside.only(pilot)).rows) / max(len(pilot), 1)
    rows = np.sort(order[: max(1, min(count, int(MAX_MATCHES / max(a_row, 1))))])
    matches = matcher.matches(inside.only(rows))
    repeats = _repeats(matches, everything)
    share_rows, share_columns = (len(chosen) / max(len(there), 1) for chosen in (rows, columns))
    seen = np.unique(np.sort(np.stack((matches.rows, matches.columns)), axis=0), axis=1).shape[1]
    limit = len(distinct) * (len(distinct) - 1) // 2
    if len(rows) == len(columns) == len(distinct):
        pairs = low = high = seen
    else:
        weights = 1 / (2 * repeats * chances[matches.places] * share_rows * share_columns)
        compared = inside.comparisons() * share_rows * share_columns
        typical = everything.comparisons() / max(compared, 1) / 2
        missed = (1 - chances, 1 - share_rows, 1 - share_columns)
        pairs, low, high = _interval(matches, weights, missed, typical)
        low, high = max(seen, low), max(seen, min(high, limit))
    return ExpectedPairs(pairs, low, high, len(distinct), len(rows), len(columns), len(matches.rows))


@dataclass(frozen=True, slots=True)
class _Texts:
    """Each text at each of its places once, by place; arrays of shape (n,).

    places: numbered from 0; only_article: the text's article there, -1 where it has several.
    """

    texts: Numbers
    places: Numbers
    only_article: Numbers

    @classmethod
    def of(cls, texts: Numbers, articles: Numbers, places: Numbers) -> _Texts:
        numbered = np.unique(places, return_inverse=True)[1]
        rows = np.unique(np.stack((numbered, texts, articles), axis=1), axis=0)
        starts = np.ones(len(rows), bool)
        starts[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
        heads = np.flatnonzero(starts)
        alone = np.diff(np.append(heads, len(rows))) == 1
        return cls(rows[heads, 1], rows[heads, 0], np.where(alone, rows[heads, 2], -1))

    def take(self, chosen: NDArray[np.bool_]) -> _Texts:
        return _Texts(self.texts[chosen], self.places[chosen], self.only_article[chosen])

    def at(self, chosen: NDArray[np.bool_]) -> _Texts:
        """The texts of the places where `chosen`, shape (places,), is true."""
        return self.take(chosen[self.places])

    def comparisons(self) -> float:
        """The number of comparisons of every text with every text of its place."""
        return float((np.bincount(self.places).astype(float) ** 2).sum())

    def only(self, texts: Numbers) -> _Texts:
        return self.take(np.isin(self.texts, texts))

    def by_place(self) -> dict[int, _Texts]:
        edges = np.flatnonzero(np.diff(self.places)) + 1
        parts = zip(
            *(np.split(part, edges) for part in (self.texts, self.places, self.only_article)), strict=True
        )
        return {int(part[1][0]): _Texts(*part) for part in parts if len(part[1])}


@dataclass(frozen=True, slots=True)
class _Matches:
    """Matches of a row with a column, as numbers of texts, and their place, (n,) each."""

    rows: Numbers
    columns: Numbers
    places: Numbers


def _chances(sizes: Numbers, max_texts: int) -> NDArray[np.float64]:
    """The chance of each place to be looked at, in proportion to its size, for about `max_texts` texts."""
    if sizes.sum() <= max_texts:
        return np.ones(len(sizes))
    large = sizes >= LARGE * max_texts
    room = max(max_texts - int(sizes[large].sum()), max_texts // 2)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        within = (np.minimum(1, middle * sizes) * sizes)[~large].sum() <= room
        low, high = (middle, high) if within else (low, middle)
    return np.where(large, 1.0, np.minimum(1, high * sizes))


def _rows(inside: _Texts, columns: int, settings: MatchingSpec, limit: int, comparisons: int) -> int:
    """The number of texts, `limit` at most, that can be compared with `columns` texts."""
    texts = max(len(np.unique(inside.texts)), 1)
    keys = (
        max(settings.permutations, KEYS_A_COMPARISON) if settings.method == "minhash" else KEYS_A_COMPARISON
    )
    a_row = inside.comparisons() / texts * columns / texts * keys / KEYS_A_COMPARISON
    return max(1, min(limit, int(comparisons / max(a_row, 1))))


@dataclass(frozen=True, slots=True)
class _Matcher:
    """Compares texts with the columns of their places.

    used: numbers of the texts whose `tokens` and word `sets` are at hand, ascending.
    """

    used: Numbers
    tokens: list[list[str]]
    sets: WordSets
    columns: dict[int, _Texts]
    settings: MatchingSpec

    @classmethod
    def of(cls, distinct: Sequence[str], rows: Numbers, columns: _Texts, settings: MatchingSpec) -> _Matcher:
        used = np.union1d(rows, columns.texts)
        known: dict[str, str] = {}
        tokens = [
            [known.setdefault(word, word) for word in distinct[text].split(" ")] for text in used.tolist()
        ]
        sets = word_sets(words_that_count(words, settings.stop_words) for words in tokens)
        # Bands and the guard miss a few pairs, which a sample need not.
        method = "minhash" if settings.method == "minhash" else "exact"
        settings = settings.replace(greedy=False, method=method, max_entry=0)
        return cls(used, tokens, sets, columns.by_place(), settings)

    def matches(self, rows: _Texts) -> _Matches:
        matches = [np.empty((0, 3), np.int64)]
        for place, left in rows.by_place().items():
            if place in self.columns:
                pairs = self._at(left, self.columns[place])
                matches.append(np.concatenate((pairs, np.full((len(pairs), 1), place)), axis=1))
        return _Matches(*np.concatenate(matches).T)

    def _at(self, left: _Texts, right: _Texts) -> Numbers:
        """The matches of one place, (n, 2)."""
        both = np.searchsorted(self.used, np.concatenate((left.texts, right.texts)))
        pairs = matched(_chosen(self.sets, both), self.settings, split=len(left.texts))
        row, column = pairs.first, pairs.second - len(left.texts)
        alone = left.only_article[row]
        accepted = (alone < 0) | (alone != right.only_article[column])
        accepted &= left.texts[row] != right.texts[column]
        for match in np.flatnonzero(accepted & (pairs.scores >= 1)).tolist():
            one, other = (self.tokens[both[text]] for text in (pairs.first[match], pairs.second[match]))
            accepted[match] = _plain(one) != _plain(other)
        return np.stack((left.texts[row[accepted]], right.texts[column[accepted]]), axis=1)


def _repeats(matches: _Matches, everything: _Texts) -> Numbers:
    """In how many places each two texts occur in different articles: a pair counts once for all of them."""
    rows, columns = matches.rows, matches.columns
    held = everything.only(np.union1d(rows, columns))
    places: dict[int, dict[int, int]] = defaultdict(dict)
    for text, place, article in zip(
        held.texts.tolist(), held.places.tolist(), held.only_article.tolist(), strict=True
    ):
        places[text][place] = article

    def count(one: dict[int, int], other: dict[int, int]) -> int:
        common = one.keys() & other.keys()
        return sum(one[place] < 0 or one[place] != other[place] for place in common)

    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return np.array([count(places[one], places[other]) for one, other in pairs], np.int64)


def _chosen(sets: WordSets, texts: Numbers) -> WordSets:
    """The word sets of these texts, in this order."""
    sizes = sets.sizes[texts]
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    shift = np.repeat(sets.offsets[texts] - offsets[:-1], sizes)
    return WordSets(sets.codes[np.arange(offsets[-1]) + shift], offsets, sets.words)


def _plain(tokens: Sequence[str]) -> list[str]:
    return words_that_count(tokens, stop_words=frozenset())


def _interval(
    matches: _Matches,
    weights: NDArray[np.float64],
    missed: tuple[NDArray[np.float64], float, float],
    typical: float,
) -> tuple[int, int, int]:
    """The sum of the weights, each the number of pairs that a match represents, and its interval.

    missed: the chance of each place, and the share of rows and columns, to be left out; typical: the pairs
    that one match represents on average. The interval is that of Fay and Feuer (1997) for weighted sums of
    Poisson counts: right where few are seen, wide where a few texts or places have most of them.
    """
    from scipy.special import gammaincinv  # here, since pages that import this file need it seldom

    total = float(weights.sum())
    variance, heaviest = 0.0, typical
    for numbers, left_out in zip((matches.places, matches.rows, matches.columns), missed, strict=True):
        sums = np.bincount(numbers, weights)
        chance = left_out[: len(sums)] if isinstance(left_out, np.ndarray) else np.full(len(sums), left_out)
        variance += float((sums**2 * chance).sum())
        heaviest = max(heaviest, float(sums[chance > 0].max(initial=0.0)))
    low = 0.0
    if total:
        low = gammaincinv(total**2 / variance, (1 - CONFIDENCE) / 2) * variance / total
    further, spread = total + heaviest, variance + heaviest**2
    high = gammaincinv(further**2 / spread, (1 + CONFIDENCE) / 2) * spread / further
    return round(total), floor(low), ceil(high)
