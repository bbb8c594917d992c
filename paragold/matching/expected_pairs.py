"""The expected number of pairs of a matching, from a random sample of texts, with a 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil, floor
from typing import Any

import numpy as np

from paragold.arrays import Floats, Integers
from paragold.matching.similar_pairs import matched, sets_of_tokens, words_that_count
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


def expected_pairs(
    texts: Sequence[str],
    articles: Integers,
    places: Integers,
    spec: MatchingSpec,
    *,
    seed: int = 1,
    max_texts: int = MAX_TEXTS,
    max_comparisons: int = MAX_COMPARISONS,
) -> dict[str, Any]:
    """Estimate how many pairs of distinct texts a matching keeps, without bias.

    Only sentences of one place and of different articles are paired; each two texts count once, and texts
    that differ in punctuation alone do not. One partner at most is not taken into account: with it there are
    fewer pairs. Places are drawn in proportion to their size, large ones always, and of their texts rows and
    columns, independently; each row is compared with the columns of its place.

    Parameters
    ----------
    texts : sequence of str, of length n
        The lower-case tokens of sentences, joined by spaces.
    articles, places : arrays of shape (n,)
        The article of each sentence, and its place: a cluster, or a side of the hold-out.
    max_texts, max_comparisons : int
        The maximum number of texts drawn as columns, and of comparisons of them with the texts drawn as rows.

    Returns
    -------
    dict
        `pairs` to expect, with a 95 % interval, `low` and `high`, and to three digits (`about`); `complete`:
        all texts were compared, so that it is a count. `texts`: distinct texts; `rows` and `columns`: how
        many of them were drawn; `matches` of a row with a column.
    """
    number_of = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    distinct = list(number_of)
    numbers = np.fromiter((number_of[text] for text in texts), np.int64, len(texts))
    # Each text at each of its places once: place, text, and its article there, -1 where it has several.
    rows = np.column_stack((np.unique(places, return_inverse=True)[1], numbers, articles))
    rows = np.unique(rows.astype(np.int64), axis=0)
    _, first, count = np.unique(rows[:, :2], axis=0, return_index=True, return_counts=True)
    everything = rows[first]
    everything[count > 1, 2] = -1
    draw = np.random.default_rng(seed)
    chances = _chances(np.bincount(everything[:, 0]), max_texts)
    inside = everything[(draw.random(len(chances)) < chances)[everything[:, 0]]]
    size = max(len(inside), 1)
    columns = np.sort(draw.permutation(len(inside))[:max_texts])
    order = draw.permutation(len(inside))
    keys = max(spec.permutations, KEYS_A_COMPARISON) if spec.method == "minhash" else KEYS_A_COMPARISON
    a_row = _comparisons(inside) / size * len(columns) / size * keys / KEYS_A_COMPARISON
    order = order[: max(1, min(max_texts, int(max_comparisons / max(a_row, 1))))]
    compare = _Comparison(inside, distinct, order, columns, spec)
    a_row = len(compare.matches(order[:PILOT_ROWS])) / max(min(len(order), PILOT_ROWS), 1)
    chosen = np.sort(order[: max(1, int(MAX_MATCHES / max(a_row, 1)))])
    matches = compare.matches(chosen)
    pairs = low = high = seen = len(np.unique(np.sort(inside[matches, 1]), axis=0))
    complete = len(chosen) == len(columns) == len(everything)
    if not complete:
        shares = len(chosen) / size, len(columns) / size
        both = shares[0] * shares[1]
        owners = inside[matches[:, 0], 0], matches[:, 0], matches[:, 1]
        weights = 1 / (2 * _repeats(inside[matches, 1], everything) * chances[owners[0]] * both)
        typical = _comparisons(everything) / max(_comparisons(inside) * both, 1) / 2
        missed = (1 - chances, 1 - shares[0], 1 - shares[1])
        pairs, low, high = _interval(weights, list(zip(owners, missed, strict=True)), typical)
        low, high = max(seen, low), max(seen, min(high, len(distinct) * (len(distinct) - 1) // 2))
    return {
        "pairs": pairs,
        "low": low,
        "high": high,
        "about": round(pairs, -max(0, len(str(pairs)) - 3)),
        "complete": complete,
        "texts": len(distinct),
        "rows": len(np.unique(inside[chosen, 1])),
        "columns": len(np.unique(inside[columns, 1])),
        "matches": len(matches),
    }


def _comparisons(entries: Integers) -> float:
    """The number of comparisons of every text with every text of its place."""
    return float((np.bincount(entries[:, 0]).astype(float) ** 2).sum())


def _chances(sizes: Integers, max_texts: int) -> Floats:
    """The chance of each place to be looked at, in proportion to its size, for at most about `max_texts`."""
    if sizes.sum() <= max_texts:
        return np.ones(len(sizes))
    small = sizes < LARGE * max_texts
    room = max(max_texts - sizes[~small].sum(), max_texts / 2)
    return np.where(small, np.minimum(1, room * sizes / max(1, (sizes[small] ** 2).sum())), 1.0)


class _Comparison:
    """Compares texts, among those that are `rows` of the entries, with the columns of their places."""

    def __init__(
        self,
        entries: Integers,
        distinct: Sequence[str],
        rows: Integers,
        columns: Integers,
        spec: MatchingSpec,
    ) -> None:
        self._entries, self._columns = entries, columns
        # The numbers, ascending, of the texts whose tokens and word sets are at hand.
        self._used = np.union1d(entries[rows, 1], entries[columns, 1])
        self._tokens = [distinct[text].split(" ") for text in self._used.tolist()]
        self._sets = sets_of_tokens(self._tokens, spec)
        # Bands miss a few pairs, which a sample need not.
        method = "exact" if spec.method == "bands" else spec.method
        self._spec = spec.replace(greedy=False, method=method)

    def matches(self, rows: Integers) -> Integers:
        """The matches of these rows with columns, as numbers of entries, shape (matches, 2)."""
        rows = np.sort(rows)
        ends = np.arange(self._entries[:, 0].max(initial=-1) + 2)
        bounds, column_bounds = (
            np.searchsorted(self._entries[chosen, 0], ends) for chosen in (rows, self._columns)
        )
        parts = [np.empty((0, 2), np.int64)]
        for place in np.flatnonzero((np.diff(bounds) > 0) & (np.diff(column_bounds) > 0)).tolist():
            left = rows[bounds[place] : bounds[place + 1]]
            right = self._columns[column_bounds[place] : column_bounds[place + 1]]
            parts.append(self._at_place(left, right))
        return np.concatenate(parts)

    def _at_place(self, left: Integers, right: Integers) -> Integers:
        both = np.concatenate((left, right))
        texts = np.searchsorted(self._used, self._entries[both, 1])
        pairs = matched(self._sets.take(texts), self._spec, split=len(left))
        places = np.column_stack((pairs["first"], pairs["second"]))
        _, text, article = np.moveaxis(self._entries[both[places]], -1, 0)
        accepted = ((article[:, 0] < 0) | (article[:, 0] != article[:, 1])) & (text[:, 0] != text[:, 1])
        for match in np.flatnonzero(accepted & (pairs["score"] >= 1)).tolist():
            one, other = (
                words_that_count(self._tokens[texts[place]], frozenset()) for place in places[match]
            )
            accepted[match] = one != other
        return np.asarray(both[places[accepted]])


def _repeats(texts: Integers, everything: Integers) -> Integers:
    """In how many places each two texts (m, 2) occur in different articles: a pair counts once for all."""
    places: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for place, text, article in everything[np.isin(everything[:, 1], texts)].tolist():
        places[text][place] = article

    def count(first: dict[int, int], second: dict[int, int]) -> int:
        common = first.keys() & second.keys()
        return sum(first[place] < 0 or first[place] != second[place] for place in common)

    return np.array([count(places[first], places[second]) for first, second in texts.tolist()], np.int64)


def _interval(
    weights: Floats, samples: Sequence[tuple[Integers, float | Floats]], typical: float
) -> tuple[int, int, int]:
    """The sum of the weights, each the number of pairs that a match represents, and its interval.

    samples: which place, row and column each match is of, and their chances to be left out; typical: the
    pairs that one match represents on average. The interval is that of Fay and Feuer (1997) for weighted sums
    of Poisson counts: right where few are seen, wide where a few texts or places have most of them.
    """
    from scipy.special import gammaincinv  # here, since pages that import this file need it seldom

    total = float(weights.sum())
    variance, heaviest = 0.0, typical
    for owners, left_out in samples:
        sums = np.bincount(owners, weights)
        chance = np.resize(left_out, len(sums))
        variance += float((sums**2 * chance).sum())
        heaviest = max(heaviest, float(sums[chance > 0].max(initial=0.0)))
    low = 0.0
    if total:
        low = gammaincinv(total**2 / variance, (1 - CONFIDENCE) / 2) * variance / total
    further, spread = total + heaviest, variance + heaviest**2
    high = gammaincinv(further**2 / spread, (1 + CONFIDENCE) / 2) * spread / further
    return round(total), floor(low), ceil(high)
