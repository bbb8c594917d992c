"""Headlines as TF-IDF vectors within their cluster, and their cosines (Wubben et al. 2009, section 2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from paragold.matching.word_sets import content_words
from paragold.text.stemming import Stemmer

Matrix = NDArray[np.float64]


def stems(text: str, stemmer: Stemmer) -> frozenset[str]:
    """The different stems of a text; TF is binary. Only punctuation is left out."""
    return frozenset(stemmer.stem(word) for word in content_words(text, frozenset()))


def inverse_document_frequencies(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """log(texts / texts with the term), natural, for each term: 0 for one that all texts have."""
    counts = Counter(term for terms in texts for term in terms)
    return {term: log(len(texts) / count) for term, count in counts.items()}


def cosines(texts: Sequence[frozenset[str]], weights: Mapping[str, float] | None = None) -> Matrix:
    """The cosine of each pair of texts, shape (texts, texts), from 0 to 1.

    `weights` are the terms' IDF, by default those within `texts`. A text whose terms all weigh 0 is
    similar to none, not even to itself.
    """
    if weights is None:
        weights = inverse_document_frequencies(texts)
    places: dict[str, int] = {}
    for terms in texts:
        # Sorted, so that sums are rounded alike in every process: words of a set come in any order.
        for term in sorted(terms):
            places.setdefault(term, len(places))
    vectors = np.zeros((len(texts), len(places)))
    for row, terms in enumerate(texts):
        for term in terms:
            vectors[row, places[term]] = weights[term]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    # Rounding puts some cosines a little outside.
    return np.clip(vectors @ vectors.T, 0, 1)
