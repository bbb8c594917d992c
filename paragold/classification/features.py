"""The feature space: which columns there are, and pairs as rows of a sparse matrix.

Dense features are standardised by mean and standard deviation in training, and cut off at three deviations.
Lexical features, one for each word pair such as `morphology:orbit|orbital`, are 1 where the word pair occurs;
those of too few training pairs have no column (Brockett and Dolan 2005, section 4.3: frequency > 4).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.sparse import csr_matrix, hstack

from paragold.arrays import Flags, Floats, Integers
from paragold.classification.classes import (
    COMPOSITE,
    CONTEXT,
    CORRELATIONS,
    ENCODER,
    LEXICAL_CLASSES,
    MULTIPLIED,
    OVERLAP,
    PRODUCTS,
    STRING,
    WEIGHTED,
)
from paragold.classification.encoder_features import encoder_features
from paragold.classification.feature_classes import (
    composite_features,
    correlation_features,
    overlap_features,
    string_features,
    weighted_features,
    word_kinds,
)
from paragold.classification.lexicons import Lexicons
from paragold.classification.pair_scorers import all_classes
from paragold.classification.words import CodedPairs, code_pairs, match, member, words_of_key
from paragold.formats.labelled_pairs import NO_CONTEXT, Context


@dataclass(frozen=True, slots=True)
class PreparedPairs:
    """Coded pairs, the word pairs that each lexicon relates and whether they are looked for among all words,
    alphabetical ranks and kinds of the words, the columns of the context (n, 4), those of the encoder by
    name, if there is one, and the scores of the pair scorers that are feature classes, each (n,)."""

    pairs: CodedPairs
    related: Mapping[str, Integers]
    all_words: bool
    opposites: Integers
    alphabet: Integers
    word_kinds: Mapping[str, Flags]
    context: Floats
    encoder: Mapping[str, Floats]
    scores: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.pairs)

    def take(self, rows: Integers) -> PreparedPairs:
        """The pairs of these numbers in this order."""
        encoder, scores = (
            {name: values[rows] for name, values in columns.items()}
            for columns in (self.encoder, self.scores)
        )
        pairs, context = self.pairs.take(rows), self.context[rows]
        return replace(self, pairs=pairs, context=context, encoder=encoder, scores=scores)


def prepare(
    texts: Iterable[tuple[str, str]], lexicons: Lexicons, contexts: Sequence[Context] = ()
) -> PreparedPairs:
    """Tokenise pairs of texts and look their vocabulary up in the lexicons, each word once.

    contexts: one for each pair, or none: then nothing is known of them.
    """
    texts = list(texts)
    pairs = code_pairs(texts, lexicons.language)
    vocabulary = pairs.vocabulary
    return PreparedPairs(
        pairs,
        related=lexicons.related(vocabulary),
        all_words=lexicons.lookup[0],
        opposites=lexicons.opposites.related(vocabulary)
        if lexicons.opposites
        else np.zeros(0, dtype=np.int64),
        alphabet=pairs.alphabetical_ranks(),
        word_kinds=word_kinds(vocabulary, lexicons.language),
        context=context_columns(contexts or [NO_CONTEXT] * len(pairs)),
        encoder=encoder_features(lexicons.encoder, texts, lexicons.language) if lexicons.encoder else {},
        scores={scorer.id: scorer.scores(texts) for scorer in lexicons.scorers},
    )


# In standard deviations. Pairs of another kind than those in training (with many more matches, say) would
# otherwise be decided by one column alone.
FURTHEST = 3.0
# Products are held smaller than their factors, so that a weight of theirs costs more.
PRODUCT_SCALE = 0.3
# Pairs whose dense features are computed at a time; each part looks at every word of the vocabulary.
PAIRS_AT_ONCE = 1 << 16
# Rows of products that fit into the processor's cache.
ROWS_AT_ONCE = 512


Measured = tuple[Mapping[str, Floats], Mapping[str, tuple[Integers, Integers]]]
"""Features of n pairs: dense ones by column name, each (n,); by lexical class the rows and keys of word
pairs."""


def measure(prepared: PreparedPairs, classes: Collection[str], idf: Floats) -> Measured:
    """Count the features of `classes`. idf: (v,) the weight of each word of the vocabulary."""
    chunks = list(prepared.pairs.chunks()) or [np.arange(0)]
    parts = [_measure_part(prepared.take(rows), classes, idf) for rows in chunks]
    columns, of_lexicons = parts[0]
    events = {}
    for name in of_lexicons:
        own = [of_part[name] for _, of_part in parts]
        rows = [chunk[within] for chunk, (within, _) in zip(chunks, own, strict=True)]
        events[name] = np.concatenate(rows), np.concatenate([keys for _, keys in own])
    return {name: np.concatenate([dense[name] for dense, _ in parts]) for name in columns}, events


def _measure_part(prepared: PreparedPairs, classes: Collection[str], idf: Floats) -> Measured:
    pairs = prepared.pairs
    sides, events, opposed = match(
        pairs,
        {name: keys for name, keys in prepared.related.items() if name in classes},
        prepared.opposites,
        all_words=prepared.all_words,
    )
    strings = string_features(pairs, prepared.alphabet)
    by_class = {STRING: strings}
    if COMPOSITE in classes:
        by_class[COMPOSITE] = composite_features(sides, strings["edit_distance"], classes)
    if CORRELATIONS in classes:
        by_class[CORRELATIONS] = correlation_features(events, strings)
    if OVERLAP in classes:
        by_class[OVERLAP] = overlap_features(pairs)
    if WEIGHTED in classes:
        by_class[WEIGHTED] = weighted_features(sides, opposed, idf, prepared.word_kinds)
    if CONTEXT in classes:
        by_class[CONTEXT] = dict(zip(NAMES, prepared.context.T, strict=True))
    by_class[ENCODER] = dict(prepared.encoder)
    by_class |= {name: {"score": scores} for name, scores in prepared.scores.items()}
    dense = {
        f"{name}:{feature}": values
        for name, features in by_class.items()
        if name in classes
        for feature, values in features.items()
    }
    return dense, events


@dataclass(frozen=True, slots=True)
class FeatureSpace:
    """Columns chosen on training pairs: the dense ones, their products, then the lexical ones.

    means, scales: (d,) of the dense columns, then of the p products of two of them. word_pairs: (class, word,
    word) of the lexical columns. idf: weight by word, unseen_idf: that of a word never seen in training.
    """

    classes: tuple[str, ...]
    dense_names: tuple[str, ...]
    means: Floats
    scales: Floats
    word_pairs: tuple[tuple[str, str, str], ...]
    idf: Mapping[str, float]
    unseen_idf: float

    @classmethod
    def fit(
        cls, prepared: PreparedPairs, classes: Collection[str], *, min_frequency: int | None
    ) -> FeatureSpace:
        """Learn columns, scales and word weights from training pairs; their labels are not used.

        min_frequency: the minimum number of training pairs of a word pair with a column; None: none has one.
        """
        idf, unseen = inverse_document_frequencies(prepared.pairs)
        vocabulary = prepared.pairs.vocabulary
        columns, events = measure(prepared, classes, idf)
        dense = _stacked(columns.values(), len(prepared))
        means, scales = _mean_and_scale(dense)
        names = tuple(columns)
        products = _products(_standardised(dense, means, scales), names, classes)
        product_means, product_scales = _mean_and_scale(products)
        seen = np.unique(np.concatenate((prepared.pairs.first.words, prepared.pairs.second.words)))
        word_pairs: list[tuple[str, str, str]] = []
        if min_frequency is not None:
            for name in (name for name in LEXICAL_CLASSES if name in events):
                keys, counts = np.unique(events[name][1], return_counts=True)
                frequent = keys[counts >= min_frequency].tolist()
                word_pairs += [(name, *words_of_key(vocabulary, key)) for key in frequent]
        return cls(
            classes=tuple(name for name in all_classes() if name in classes),
            dense_names=names,
            means=np.concatenate((means, product_means)),
            scales=np.concatenate((scales, product_scales)),
            word_pairs=tuple(word_pairs),
            idf={vocabulary[word]: float(idf[word]) for word in seen.tolist()},
            unseen_idf=unseen,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns in order, such as string:edit_distance and wordnet:operation|work."""
        factors = _factors(self.dense_names, self.classes)
        return (
            *self.dense_names,
            *(f"{self.dense_names[i]} * {self.dense_names[j]}" for i, j in zip(*factors, strict=True)),
            *(f"{name}:{first}|{second}" for name, first, second in self.word_pairs),
        )

    def transform(self, prepared: PreparedPairs) -> csr_matrix:
        """The features of n pairs as a matrix of shape (n, columns)."""
        scaled, lexical = self._scaled(prepared)
        dense = np.hstack((scaled, self._multiplied(scaled)))
        return csr_matrix(hstack([csr_matrix(dense), lexical], format="csr"))

    def weighted_sums(self, prepared: PreparedPairs, weights: Floats) -> Floats:
        """The features of n pairs times a weight for each column, (n,), without a matrix of the products."""
        sums = [np.zeros(0)]
        for start in range(0, len(prepared), PAIRS_AT_ONCE):
            part = prepared.take(np.arange(start, min(start + PAIRS_AT_ONCE, len(prepared))))
            sums.append(self._weighted_sums_of_part(part, weights))
        return np.concatenate(sums)

    def _weighted_sums_of_part(self, prepared: PreparedPairs, weights: Floats) -> Floats:
        scaled, lexical = self._scaled(prepared)
        single, last = len(self.dense_names), len(self.means)
        sums: Floats = scaled @ weights[:single] + lexical @ weights[last:]
        if last > single:
            for start in range(0, len(sums), ROWS_AT_ONCE):
                rows = slice(start, start + ROWS_AT_ONCE)
                sums[rows] += self._multiplied(scaled[rows]) @ weights[single:last]
        return sums

    def _scaled(self, prepared: PreparedPairs) -> tuple[Floats, csr_matrix]:
        """The single dense columns, standardised, and the lexical ones."""
        vocabulary = prepared.pairs.vocabulary
        idf = np.fromiter(
            (self.idf.get(word, self.unseen_idf) for word in vocabulary), np.float64, len(vocabulary)
        )
        columns, events = measure(prepared, self.classes, idf)
        count = len(self.dense_names)
        dense = _stacked((columns[name] for name in self.dense_names), len(prepared))
        scaled = _standardised(dense, self.means[:count], self.scales[:count])
        return scaled, self._lexical(prepared, events)

    def _multiplied(self, scaled: Floats) -> Floats:
        """The products of the standardised columns, standardised themselves."""
        count = len(self.dense_names)
        products = _products(scaled, self.dense_names, self.classes)
        return PRODUCT_SCALE * _standardised(products, self.means[count:], self.scales[count:])

    def _lexical(
        self, prepared: PreparedPairs, events: Mapping[str, tuple[Integers, Integers]]
    ) -> csr_matrix:
        place = {word: number for number, word in enumerate(prepared.pairs.vocabulary)}
        size = len(place)
        rows: list[Integers] = []
        columns: list[Integers] = []
        for name in (name for name in LEXICAL_CLASSES if name in events):
            known = sorted(
                (min(place[first], place[second]) * size + max(place[first], place[second]), column)
                for column, (of, first, second) in enumerate(self.word_pairs)
                if of == name and first in place and second in place
            )
            keys = np.array([key for key, _ in known], dtype=np.int64)
            column_of = np.array([column for _, column in known], dtype=np.int64)
            event_rows, event_keys = events[name]
            known_keys = member(event_keys, keys)
            rows.append(event_rows[known_keys])
            columns.append(column_of[np.searchsorted(keys, event_keys[known_keys])])
        row = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        column = np.concatenate(columns) if columns else row
        shape = (len(prepared), len(self.word_pairs))
        return csr_matrix((np.ones(len(row)), (row, column)), shape=shape)


def _stacked(columns: Iterable[Floats], count: int) -> Floats:
    """Columns (n,) side by side: (n, d)."""
    return np.array([*columns], dtype=np.float64).reshape(-1, count).T


def _mean_and_scale(columns: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the known values of each column; 0 and 1 where none is known."""
    known = np.ma.masked_invalid(columns)
    scales = np.ma.filled(known.std(axis=0), 0.0)
    # A column that never varies is 0 for every training pair, whatever it is divided by.
    return np.ma.filled(known.mean(axis=0), 0.0), np.where(scales > 0, scales, 1.0)


def _standardised(columns: Floats, means: Floats, scales: Floats) -> Floats:
    """0, the mean, where a value is not known."""
    return np.nan_to_num(np.clip((columns - means) / scales, -FURTHEST, FURTHEST))


def _factors(names: Sequence[str], classes: Collection[str]) -> tuple[Integers, Integers]:
    """The places of the two factors of each product; none where the class `products` is off."""
    factors = []
    for group in MULTIPLIED if PRODUCTS in classes else ():
        own = [place for place, name in enumerate(names) if name.partition(":")[0] in group]
        factors.append(np.array(own, dtype=np.int64)[[*np.triu_indices(len(own))]])
    first, second = np.hstack([np.zeros((2, 0), dtype=np.int64), *factors])
    return first, second


def _products(scaled: Floats, names: Sequence[str], classes: Collection[str]) -> Floats:
    """The products of standardised columns (n, d): (n, p)."""
    first, second = _factors(names, classes)
    return scaled[:, first] * scaled[:, second]


def inverse_document_frequencies(pairs: CodedPairs) -> tuple[Floats, float]:
    """log((N + 1) / (sentences with the word + 0.5)) of N sentences by word, (v,), and for unseen words."""
    size = len(pairs.vocabulary)
    having = np.zeros(size)
    for side in (pairs.first, pairs.second):
        having += np.bincount(np.unique(side.rows * size + side.words) % size, minlength=size)
    total = 2 * len(pairs)
    return np.log((total + 1) / (having + 0.5)), float(np.log((total + 1) / 0.5))


NAMES = ("days_apart", "place_lesser", "place_greater", "cohesion")


def cohesion(articles: Sequence[Collection[str]]) -> float | None:
    """Similarity of the articles of a cluster: the mean Jaccard index of each two sets of words, 0 to 1.

    None for fewer than two articles.
    """
    shares = [
        len(first & second) / max(1, len(first | second))
        for first, second in combinations(map(frozenset, articles), 2)
    ]
    return sum(shares) / len(shares) if shares else None


def context_columns(contexts: Sequence[Context]) -> Floats:
    """The class `context` of n pairs, (n, 4): days and places as logarithms, cohesion; NaN if not known."""
    columns = np.full((len(contexts), len(NAMES)), np.nan)
    for row, (days, places, cohesion_) in enumerate(contexts):
        if days is not None:
            columns[row, 0] = math.log1p(days)
        if places is not None:
            columns[row, 1:3] = np.log1p(sorted(places))
        if cohesion_ is not None:
            columns[row, 3] = cohesion_
    return columns
