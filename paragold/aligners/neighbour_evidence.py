"""Evidence for the second stage of `best`: what the first one says of a link and of those around it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragold.aligners.evidence import NAMES, Evidence, logit
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.grids import Grids, rivals, two_highest

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
    "phrase, three corners of a block",
    "phrase, two corners of a block",
    "phrase, beside a likely link, free word",
    "phrase, beside a likely link, linked word",
)
_CORNERS = [(down, right) for down in (-1, 1) for right in (-1, 1)]
_NEAR = [
    (down, right) for down in (-3, -2, -1, 1, 2, 3) for right in (-3, -2, -1, 1, 2, 3) if down * right > 0
]
_SKIPPED = ((-1, -2), (-2, -1), (1, 2), (2, 1))


def neighbour_evidence(candidates: Sequence[Evidence], probabilities: FloatArray) -> FloatArray:
    """Features from the first stage's probabilities of a link and of those around it; see NEIGHBOUR_NAMES.

    A row for each candidate of all sentence pairs, one pair after another, as `probabilities`.
    """
    grids = Grids([own.shape for own in candidates])
    number = np.repeat(np.arange(len(candidates)), [len(own.sources) for own in candidates])
    i, j = (
        np.concatenate([np.zeros(0, dtype=np.int64), *(getattr(own, name) for own in candidates)])
        for name in ("sources", "targets")
    )
    features = np.concatenate([np.zeros((0, len(NAMES))), *(own.features for own in candidates)])
    places, strides = grids.places(number, i, j), grids.strides[number]
    filled = grids.filled(places, probabilities)

    def at(down: int, right: int) -> FloatArray:
        return np.asarray(filled[places + down * strides + right])

    rows, columns = grids.first_rows[number] + i, grids.first_columns[number] + j
    own = probabilities
    before, after, two_before, two_after = at(-1, -1), at(1, 1), at(-2, -2), at(2, 2)
    rival, second = rivals(own, rows, columns)
    row_sums = grids.row_sums(filled)[rows]
    column_sums = np.bincount(columns, weights=own)[columns]
    identical = features[:, NAMES.index("identical")]
    function_words = features[:, NAMES.index("identical function words")]
    beside = {(down, right): at(down, right) for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0))}
    around = [at(down, right) for down, right in _NEAR]
    all_around = sum(around[1:], around[0])
    edges = [np.minimum(beside[down, 0], beside[0, right]) for down, right in _CORNERS]
    blocks = [np.minimum(edge, at(*corner)) for edge, corner in zip(edges, _CORNERS, strict=True)]
    row_free, column_free = (
        1 - two_highest(own, lines, int(lines.max(initial=-1)) + 1)[0][lines] for lines in (rows, columns)
    )
    down = np.maximum(beside[-1, 0], beside[1, 0]) * row_free
    right = np.maximum(beside[0, -1], beside[0, 1]) * column_free
    return np.column_stack(
        [
            logit(own),
            before,
            after,
            before * after,
            two_before,
            two_after,
            rival,
            second,
            np.minimum(column_sums + row_sums - 2 * own, 3),
            identical * rival,
            (1 - identical) * (before + after),
            np.maximum.reduce(list(beside.values())),
            before + after + two_before + two_after,
            np.maximum.reduce(around),
            all_around,
            function_words * (before + after),
            function_words * all_around,
            np.maximum.reduce([at(*skipped) for skipped in _SKIPPED]),
            np.minimum(row_sums - own, column_sums - own),
            np.maximum.reduce(blocks),
            np.maximum.reduce(edges),
            np.maximum(down, right),
            np.minimum(down, right),
        ]
    )
