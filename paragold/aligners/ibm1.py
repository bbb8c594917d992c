"""IBM Model 1 with null words, in both directions (Brown et al. 1993; Och & Ney 2003, section 2.1.1).

For each sentence pair, `nulls` are the probabilities that a target word and that a source word is generated
by the null word; all words of the other side share the rest evenly.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Text
from paragold.aligners.expectation_maximisation import FloatArray, Kernel, Tables
from paragold.parallel import compiled


def viterbi(emission: FloatArray, null_emission: FloatArray, null: float) -> NDArray[np.int64]:
    """For each of the J words the likeliest of the I words, or -1 for the null word.

    `emission` is t(word j | word i), J x I; `null_emission` t(word j | null).
    """
    if not emission.shape[1]:
        return np.full(len(emission), -1)
    likely = emission * ((1 - null) / emission.shape[1])
    best = likely.argmax(axis=1)
    return np.where(likely[np.arange(len(best)), best] > null * null_emission, best, -1)


def kernel(source: Text, target: Text, tables: Tables, nulls: tuple[FloatArray, FloatArray]) -> Kernel:
    """What `expectation` asks of a model."""
    return partial(
        compute, source.words, source.starts, target.words, target.starts, tables.forward, tables.backward,
        tables.null_forward, tables.null_backward, *nulls,
    )  # fmt: skip


@compiled
def compute(
    source_words: NDArray[np.int32],
    source_starts: NDArray[np.int64],
    target_words: NDArray[np.int32],
    target_starts: NDArray[np.int64],
    forward: NDArray[np.float32],
    backward: NDArray[np.float32],
    null_forward: FloatArray,
    null_backward: FloatArray,
    forward_null: FloatArray,
    backward_null: FloatArray,
    start: int,
    stop: int,
    cells: NDArray[np.int32],
    forward_links: FloatArray,
    backward_links: FloatArray,
    forward_nulls: FloatArray,
    backward_nulls: FloatArray,
    likelihoods: FloatArray,
    jump_counts: FloatArray,
) -> None:
    """Fill in the posteriors of sentence pairs; see `expectation.Kernel`.

    A word that nothing can have generated has none.
    """
    cell = 0
    for pair in range(start, stop):
        height = source_starts[pair + 1] - source_starts[pair]
        width = target_starts[pair + 1] - target_starts[pair]
        if height == 0 or width == 0:
            continue
        target_totals, source_totals = np.zeros(width), np.zeros(height)
        share, turned_share = (1 - forward_null[pair]) / height, (1 - backward_null[pair]) / width
        for i in range(height):
            for j in range(width):
                place = cell + i * width + j
                entry = cells[place]
                if entry >= 0:
                    forward_links[place] = share * forward[entry]
                    backward_links[place] = turned_share * backward[entry]
                else:
                    forward_links[place] = share * backward[-entry - 1]
                    backward_links[place] = turned_share * forward[-entry - 1]
                target_totals[j] += forward_links[place]
                source_totals[i] += backward_links[place]
        for j in range(width):
            null = forward_null[pair] * null_forward[target_words[target_starts[pair] + j]]
            target_totals[j] += null
            if target_totals[j] > 0:
                likelihoods[pair - start, 0] += np.log(target_totals[j])
                forward_nulls[target_starts[pair] - target_starts[start] + j] = null / target_totals[j]
        for i in range(height):
            null = backward_null[pair] * null_backward[source_words[source_starts[pair] + i]]
            source_totals[i] += null
            if source_totals[i] > 0:
                likelihoods[pair - start, 1] += np.log(source_totals[i])
                backward_nulls[source_starts[pair] - source_starts[start] + i] = null / source_totals[i]
        for i in range(height):
            for j in range(width):
                place = cell + i * width + j
                if target_totals[j] > 0:
                    forward_links[place] /= target_totals[j]
                if source_totals[i] > 0:
                    backward_links[place] /= source_totals[i]
        cell += height * width
