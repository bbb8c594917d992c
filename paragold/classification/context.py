"""The context of a pair: dates, places, cluster (Dolan, Quirk & Brockett 2004, 6)."""

import math
from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np

from paragold.classification.matching import Numbers
from paragold.formats.judgements.labelled_pairs import PairContext

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


def context_columns(contexts: Sequence[PairContext]) -> Numbers:
    """The class `context` of n pairs, (n, 4): days and places as logarithms, cohesion; NaN if not known."""
    columns = np.full((len(contexts), len(NAMES)), np.nan)
    for row, context in enumerate(contexts):
        if context.days is not None:
            columns[row, 0] = math.log1p(context.days)
        if context.places is not None:
            columns[row, 1:3] = np.log1p(sorted(context.places))
        if context.cohesion is not None:
            columns[row, 3] = context.cohesion
    return columns
