"""What the first stage of the link classifier says of the links around a link, for its second stage."""

from __future__ import annotations

import numpy as np

from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.grids import logit, rivals, shifted
from paragold.aligners.translation_tables import FloatArray

NEIGHBOUR_NAMES = (
    "first stage",
    "first stage, word before",
    "first stage, word after",
    "first stage, both neighbours",
    "first stage, two before",
    "first stage, two after",
    "first stage, strongest rival",
    "first stage, second rival",
    "first stage, rest of row and column",
    "first stage, identical, rivals",
    "first stage, different, neighbours",
    "first stage, same word, next word",
    "first stage, confident neighbourhood",
    "first stage, best within three words",
    "first stage, all within three words",
    "first stage, identical function words, neighbours",
    "first stage, identical function words, all within three words",
    "first stage, one word skipped",
    "first stage, rest of row or column",
)
_NEAR = [
    (down, right) for down in (-3, -2, -1, 1, 2, 3) for right in (-3, -2, -1, 1, 2, 3) if down * right > 0
]
_SKIPPED = ((-1, -2), (-2, -1), (1, 2), (2, 1))


def neighbour_evidence(candidates: Evidence, probabilities: FloatArray) -> FloatArray:
    """What the first stage's probabilities of a link and of those around it tell; see NEIGHBOUR_NAMES."""
    if not len(candidates.sources):
        return np.zeros((0, len(NEIGHBOUR_NAMES)))
    i, j = candidates.sources, candidates.targets
    matrix = candidates.matrix(probabilities)
    before, after = shifted(matrix, -1, -1), shifted(matrix, 1, 1)
    two_before, two_after = shifted(matrix, -2, -2), shifted(matrix, 2, 2)
    rival, second = rivals(matrix)
    rest = matrix.sum(axis=0, keepdims=True) + matrix.sum(axis=1, keepdims=True) - 2 * matrix
    identical = candidates.matrix(candidates.features[:, NAMES.index("identical")])
    beside = np.maximum.reduce(
        [shifted(matrix, 0, -1), shifted(matrix, 0, 1), shifted(matrix, -1, 0), shifted(matrix, 1, 0)]
    )
    function_words = candidates.matrix(candidates.features[:, NAMES.index("identical function words")])
    around = [shifted(matrix, down, right) for down, right in _NEAR]
    all_around = np.sum(around, axis=0)
    columns = (
        logit(matrix),
        before,
        after,
        before * after,
        two_before,
        two_after,
        rival,
        second,
        np.minimum(rest, 3),
        identical * rival,
        (1 - identical) * (before + after),
        beside,
        before + after + two_before + two_after,
        np.maximum.reduce(around),
        all_around,
        function_words * (before + after),
        function_words * all_around,
        np.maximum.reduce([shifted(matrix, down, right) for down, right in _SKIPPED]),
        np.minimum(matrix.sum(axis=1, keepdims=True) - matrix, matrix.sum(axis=0, keepdims=True) - matrix),
    )
    return np.column_stack([value[i, j] for value in columns])
