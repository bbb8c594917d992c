"""The coefficients of agreement for many weightings of the same items at once, as a bootstrap needs them.

Weights have shape (draws, kinds): how often each kind of item occurs in a draw. Results have shape (draws,),
with NaN where a coefficient is undefined.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .label_counts import Counts

Floats = NDArray[np.float64]


def observed(counts: Counts, weights: Floats) -> Floats:
    """The mean share of annotator pairs that agree on an item (Fleiss 1971, P-bar); 0 to 1."""
    return _divide(weights @ _agreeing_share(counts), weights.sum(axis=1))


def fleiss_kappa(counts: Counts, weights: Floats) -> Floats:
    """Fleiss' kappa (1971) of items with equally many labels; at most 1.

    kappa = (P - Pe) / (1 - Pe), with P the observed agreement and Pe the sum of the squared shares of the
    labels. Undefined when only one label was given. Raises ValueError for unequally many labels.
    """
    sizes = counts.sum(axis=1)
    if len(sizes) and (sizes != sizes[0]).any():
        raise ValueError("Fleiss' kappa needs items with equally many labels")
    given = weights @ counts
    shares = given / np.maximum(given.sum(axis=1, keepdims=True), 1)
    by_chance = (shares**2).sum(axis=1)
    return _divide(observed(counts, weights) - by_chance, 1 - by_chance)


def krippendorff_alpha(counts: Counts, weights: Floats, *, ordinal: bool = False) -> Floats:
    """Krippendorff's alpha (2011), nominal or ordinal in the order of the columns; at most 1.

    alpha = 1 - (n - 1) sum(o_ck d_ck) / sum(n_c n_k d_ck), with the coincidences o, their margins n_c and
    their total n. Squared differences d_ck are 1 for c != k when nominal; when ordinal, the square of the
    labels given from c to k less half of those given to the two ends.
    Undefined when only one label was given.
    """
    sizes = counts.sum(axis=1)
    labels = counts.shape[1]
    pairs = (counts[:, :, None] * counts[:, None, :]).astype(np.float64)
    pairs[:, range(labels), range(labels)] -= counts
    per_kind = pairs / np.maximum(sizes - 1, 1)[:, None, None]
    coincidences = np.tensordot(weights, per_kind, axes=1)
    margins = coincidences.sum(axis=2)
    total = margins.sum(axis=1)
    differences = _ordinal(margins) if ordinal else np.broadcast_to(1 - np.eye(labels), coincidences.shape)
    disagreement = (coincidences * differences).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * differences).sum(axis=(1, 2))
    return 1 - _divide((total - 1) * disagreement, expected)


def cohen_kappa(tables: Floats) -> Floats:
    """Cohen's kappa (1960) of tables (draws, labels, labels) of two annotators; -1 to 1.

    Undefined without items, or when both gave one and the same label throughout.
    """
    items = tables.sum(axis=(1, 2))
    expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1)
    agreed = np.trace(tables, axis1=1, axis2=2)
    return _divide(agreed * items - expected, items * items - expected)


def _agreeing_share(counts: Counts) -> Floats:
    sizes = counts.sum(axis=1)
    return _divide((counts * (counts - 1)).sum(axis=1), sizes * (sizes - 1))


def _ordinal(margins: Floats) -> Floats:
    """Squared ordinal differences, (draws, labels, labels), from how often each label was given."""
    up_to = margins.cumsum(axis=1)
    places = np.arange(margins.shape[1])
    low, high = np.minimum.outer(places, places), np.maximum.outer(places, places)
    between = up_to[:, high] - up_to[:, low] + margins[:, low]
    differences: Floats = (between - (margins[:, low] + margins[:, high]) / 2) ** 2
    return differences


def _divide(above: NDArray[np.number], below: NDArray[np.number]) -> Floats:
    """Element by element, NaN where the divisor is 0."""
    quotient = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient
