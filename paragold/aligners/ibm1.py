"""IBM Model 1 with null words, in both directions (Brown et al. 1993; Och & Ney 2003, section 2.1.1).

For each sentence pair, `nulls` are the probabilities that a target word and that a source word is generated
by the null word; all words of the other side share the rest evenly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Text
from paragold.aligners.expectation_maximisation import Block, FloatArray, Tables
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


@compiled
def compute(
    source: Text,
    target: Text,
    tables: Tables,
    nulls: tuple[FloatArray, FloatArray],
    cells: NDArray[np.int32],
    block: Block,
) -> None:
    """Fill in the posteriors of sentence pairs; see `expectation_maximisation.Kernel`.

    A word that nothing can have generated has none.
    """
    start, stop = block.start, block.stop
    source_starts, target_starts = source.starts, target.starts
    forward, backward = tables.forward, tables.backward
    forward_links, backward_links = block.forward, block.backward
    cell = 0
    for pair in range(start, stop):
        height = source_starts[pair + 1] - source_starts[pair]
        width = target_starts[pair + 1] - target_starts[pair]
        if height == 0 or width == 0:
            continue
        target_totals, source_totals = np.zeros(width), np.zeros(height)
        share, turned_share = (1 - nulls[0][pair]) / height, (1 - nulls[1][pair]) / width
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
            null = nulls[0][pair] * tables.null_forward[target.words[target_starts[pair] + j]]
            target_totals[j] += null
            if target_totals[j] > 0:
                block.likelihoods[pair - start, 0] += np.log(target_totals[j])
                block.forward_nulls[target_starts[pair] - target_starts[start] + j] = null / target_totals[j]
        for i in range(height):
            null = nulls[1][pair] * tables.null_backward[source.words[source_starts[pair] + i]]
            source_totals[i] += null
            if source_totals[i] > 0:
                block.likelihoods[pair - start, 1] += np.log(source_totals[i])
                block.backward_nulls[source_starts[pair] - source_starts[start] + i] = null / source_totals[i]
        for i in range(height):
            for j in range(width):
                place = cell + i * width + j
                if target_totals[j] > 0:
                    forward_links[place] /= target_totals[j]
                if source_totals[i] > 0:
                    backward_links[place] /= source_totals[i]
        cell += height * width
