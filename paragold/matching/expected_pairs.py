"""The expected number of pairs of a matching, from a random sample of texts, with a 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from paragold.matching.similar_pairs import matched, word_sets, words_that_count
from paragold.matching.specs import MatchingSpec

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
Floats = NDArray[np.float64]
Table = NDArray[np.void]
# Each text at each of its places once, by place. article: the text's there, -1 where it has several.
PLACED = np.dtype([("text", np.int64), ("place", np.int64), ("article", np.int64)])
# Matches of a row with a column, as numbers of texts, and their place.
MATCHES = np.dtype([("row", np.int64), ("column", np.int64), ("place", np.int64)])


@dataclass(frozen=True, slots=True)
class ExpectedPairs:
    """Pairs to expect, with a 95 % interval; `complete`: all texts were compared, so that it is a count.

    texts: distinct texts; rows, columns: how many of them were drawn, each row compared with the columns of
    its place; matches: of a row with a column.
    """

    pairs: int
    low: int
    high: int
    texts: int
    rows: int
    columns: int
    matches: int

    @property
    def about(self) -> int:
        """`pairs` to three digits at most: the sample is not more exact."""
        return round(self.pairs, -max(0, len(str(self.pairs)) - 3))

    @property
    def complete(self) -> bool:
        return self.rows == self.columns == self.texts


def expected_pairs(
    texts: Sequence[str],
    articles: Numbers,
    places: Numbers,
    spec: MatchingSpec,
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
    number_of = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    distinct = list(number_of)
    numbers = np.fromiter((number_of[text] for text in texts), np.int64, len(texts))
    everything = _placed(numbers, articles, places)
    draw = np.random.default_rng(seed)
    chances = _chances(np.bincount(everything["place"]), max_texts)
    inside = everything[(draw.random(len(chances)) < chances)[everything["place"]]]
    there = np.unique(inside["text"])
    columns = np.sort(draw.permutation(there)[:max_texts])
    order = draw.permutation(there)
    count = _rows(inside, len(columns), spec, min(max_texts, len(there)), max_comparisons)
    pilot = np.sort(order[-PILOT_ROWS:])
    matcher = _Matcher(distinct, np.union1d(order[:count], pilot), _only(inside, columns), spec)
    a_row = len(matcher.matches(_only(inside, pilot))) / max(len(pilot), 1)
    rows = np.sort(order[: max(1, min(count, int(MAX_MATCHES / max(a_row, 1))))])
    matches = matcher.matches(_only(inside, rows))
    both = np.sort(np.stack((matches["row"], matches["column"])), axis=0)
    pairs = low = high = seen = np.unique(both, axis=1).shape[1]
    if not len(rows) == len(columns) == len(distinct):
        share_rows, share_columns = (len(chosen) / max(len(there), 1) for chosen in (rows, columns))
        repeats = _repeats(matches, everything)
        weights = 1 / (2 * repeats * chances[matches["place"]] * share_rows * share_columns)
        compared = _comparisons(inside) * share_rows * share_columns
        typical = _comparisons(everything) / max(compared, 1) / 2
        missed = (1 - chances, 1 - share_rows, 1 - share_columns)
        pairs, low, high = _interval(matches, weights, missed, typical)
        limit = len(distinct) * (len(distinct) - 1) // 2
        low, high = max(seen, low), max(seen, min(high, limit))
    return ExpectedPairs(pairs, low, high, len(distinct), len(rows), len(columns), len(matches))


def _placed(texts: Numbers, articles: Numbers, places: Numbers) -> Table:
    """`PLACED` of sentences, places numbered from 0."""
    numbered = np.unique(places, return_inverse=True)[1]
    rows = np.unique(np.stack((numbered, texts, articles), axis=1), axis=0)
    starts = np.ones(len(rows), bool)
    starts[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    heads = np.flatnonzero(starts)
    alone = np.diff(np.append(heads, len(rows))) == 1
    table = np.empty(len(heads), PLACED)
    table["place"], table["text"] = rows[heads, 0], rows[heads, 1]
    table["article"] = np.where(alone, rows[heads, 2], -1)
    return table


def _only(placed: Table, texts: Numbers) -> Table:
    return placed[np.isin(placed["text"], texts)]


def _by_place(placed: Table) -> dict[int, Table]:
    parts = np.split(placed, np.flatnonzero(np.diff(placed["place"])) + 1)
    return {int(part["place"][0]): part for part in parts if len(part)}


def _comparisons(placed: Table) -> float:
    """The number of comparisons of every text with every text of its place."""
    return float((np.bincount(placed["place"]).astype(float) ** 2).sum())


def _chances(sizes: Numbers, max_texts: int) -> Floats:
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


def _rows(inside: Table, columns: int, spec: MatchingSpec, limit: int, comparisons: int) -> int:
    """The number of texts, `limit` at most, that can be compared with `columns` texts."""
    texts = max(len(np.unique(inside["text"])), 1)
    keys = max(spec.permutations, KEYS_A_COMPARISON) if spec.method == "minhash" else KEYS_A_COMPARISON
    a_row = _comparisons(inside) / texts * columns / texts * keys / KEYS_A_COMPARISON
    return max(1, min(limit, int(comparisons / max(a_row, 1))))


class _Matcher:
    """Compares texts, among those whose numbers are `rows`, with the columns of their places."""

    def __init__(self, distinct: Sequence[str], rows: Numbers, columns: Table, spec: MatchingSpec) -> None:
        # The numbers, ascending, of the texts whose tokens and word sets are at hand.
        self._used = np.union1d(rows, columns["text"])
        known: dict[str, str] = {}
        self._tokens = [
            [known.setdefault(word, word) for word in distinct[text].split(" ")]
            for text in self._used.tolist()
        ]
        self._sets = word_sets(words_that_count(words, spec.stop_words) for words in self._tokens)
        self._columns = _by_place(columns)
        # Bands and the guard miss a few pairs, which a sample need not.
        method = "minhash" if spec.method == "minhash" else "exact"
        self._spec = spec.replace(greedy=False, method=method, max_entry=0)

    def matches(self, rows: Table) -> Table:
        parts = [
            self._at(left, self._columns[place])
            for place, left in _by_place(rows).items()
            if place in self._columns
        ]
        return np.concatenate([np.empty(0, MATCHES), *parts])

    def _at(self, left: Table, right: Table) -> Table:
        """The matches of one place."""
        both = np.searchsorted(self._used, np.concatenate((left["text"], right["text"])))
        pairs = matched(self._sets.take(both), self._spec, split=len(left))
        row, column = left[pairs["first"]], right[pairs["second"] - len(left)]
        accepted = (row["article"] < 0) | (row["article"] != column["article"])
        accepted &= row["text"] != column["text"]
        for match in np.flatnonzero(accepted & (pairs["score"] >= 1)).tolist():
            one, other = (self._tokens[both[pairs[side][match]]] for side in ("first", "second"))
            accepted[match] = words_that_count(one, frozenset()) != words_that_count(other, frozenset())
        matches = np.empty(int(accepted.sum()), MATCHES)
        matches["row"], matches["column"] = row["text"][accepted], column["text"][accepted]
        matches["place"] = left["place"][0]
        return matches


def _repeats(matches: Table, everything: Table) -> Numbers:
    """In how many places each two texts occur in different articles: a pair counts once for all of them."""
    places: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for text, place, article in _only(everything, np.union1d(matches["row"], matches["column"])).tolist():
        places[text][place] = article

    def count(one: dict[int, int], other: dict[int, int]) -> int:
        common = one.keys() & other.keys()
        return sum(one[place] < 0 or one[place] != other[place] for place in common)

    return np.array([count(places[row], places[column]) for row, column, _ in matches.tolist()], np.int64)


def _interval(
    matches: Table, weights: Floats, missed: tuple[Floats, float, float], typical: float
) -> tuple[int, int, int]:
    """The sum of the weights, each the number of pairs that a match represents, and its interval.

    missed: the chance of each place, and the share of rows and columns, to be left out; typical: the pairs
    that one match represents on average. The interval is that of Fay and Feuer (1997) for weighted sums of
    Poisson counts: right where few are seen, wide where a few texts or places have most of them.
    """
    from scipy.special import gammaincinv  # here, since pages that import this file need it seldom

    total = float(weights.sum())
    variance, heaviest = 0.0, typical
    for name, left_out in zip(("place", "row", "column"), missed, strict=True):
        sums = np.bincount(matches[name], weights)
        chance = left_out[: len(sums)] if isinstance(left_out, np.ndarray) else np.full(len(sums), left_out)
        variance += float((sums**2 * chance).sum())
        heaviest = max(heaviest, float(sums[chance > 0].max(initial=0.0)))
    low = 0.0
    if total:
        low = gammaincinv(total**2 / variance, (1 - CONFIDENCE) / 2) * variance / total
    further, spread = total + heaviest, variance + heaviest**2
    high = gammaincinv(further**2 / spread, (1 + CONFIDENCE) / 2) * spread / further
    return round(total), floor(low), ceil(high)
