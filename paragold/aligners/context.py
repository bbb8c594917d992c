"""Evidence for a link from words in context: how near the vectors of an encoder are, in a sentence pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragold.arrays import Flags, Float32s, Floats
from paragold.text.encoder import Encoder

CONTEXT_NAMES = (
    "context, similarity",
    "context, similarity above that of the row and column",
    "context, lower margin",
    "context, higher margin",
    "context, mutual nearest",
    "context, nearest of one",
    "context, similarity of neighbours",
    "context, mutual nearest neighbours",
    "context, two words as one",
)
"""The columns of `context_evidence`."""
_DIGITS = 4
"""Of a similarity: its last bits depend on the number of sentences that are computed at a time."""
_NEAR, _VERY_NEAR = 0.4, 0.6
"""From these similarities on words that are each other's nearest, or the nearest of one, may be linked."""


def context_evidence(
    encoder: Encoder, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[tuple[Floats, Flags]]:
    """Of each sentence pair the values of CONTEXT_NAMES of each cell, names x I x J, and which may be links.

    Similarities are cosines. A margin is how much higher a word's is than that of its best other word, or
    lower than that of its best word.
    """
    vectors = encoder.vectors([side for pair in pairs for side in pair])
    return [_of_pair(*own) for own in zip(vectors[::2], vectors[1::2], strict=True)]


def _of_pair(source: Float32s, target: Float32s) -> tuple[Floats, Flags]:
    near = _cosines(source, target)
    if not near.size:
        return np.zeros((len(CONTEXT_NAMES), *near.shape)), near > 1
    margins = _margins(near), _margins(near.T).T
    mutual = (margins[0] >= 0) & (margins[1] >= 0) & (near > 0)
    nearest = (margins[0] >= 0) ^ (margins[1] >= 0)
    expected = near.mean(axis=0, keepdims=True) + near.mean(axis=1, keepdims=True) - near.mean()
    joined = np.maximum(_joined(source, target), _joined(target, source).T)
    values = (
        near,
        near - expected,
        np.minimum(*margins),
        np.maximum(*margins),
        mutual,
        nearest,
        _beside(near),
        _beside(mutual.astype(float)),
        joined - near,
    )
    may_be_linked = (mutual & (near >= _NEAR)) | (nearest & (near >= _VERY_NEAR))
    return np.array(values, dtype=float), may_be_linked


def _cosines(source: Float32s, target: Float32s) -> Floats:
    return np.round((source @ target.T).astype(float), _DIGITS)


def _margins(near: Floats) -> Floats:
    """How much more similar each cell is than the best other cell of its row."""
    if near.shape[1] < 2:
        return near.copy()
    highest = np.partition(near, -2, axis=1)[:, -2:]
    best, second = highest[:, 1:], highest[:, :1]
    return np.asarray(np.where(near >= best, near - second, near - best))


def _beside(values: Floats) -> Floats:
    """The mean of the two cells that continue the diagonal; 0 beyond the sentences."""
    padded = np.pad(values, 1)
    return np.asarray((padded[:-2, :-2] + padded[2:, 2:]) / 2)


def _joined(source: Float32s, target: Float32s) -> Floats:
    """The similarity to each target word of each source word together with the word before or after it."""
    if len(source) < 2:
        return _cosines(source, target)
    two = source[:-1] + source[1:]
    two /= np.maximum(np.linalg.norm(two, axis=1, keepdims=True), np.float32(1e-9))
    near = _cosines(two, target)
    return np.maximum(np.vstack([near[:1], near]), np.vstack([near, near[-1:]]))
