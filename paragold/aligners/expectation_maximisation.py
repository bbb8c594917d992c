"""The steps that estimate translation probabilities of both directions: expectation, maximisation.

The E-step works block by block, so that memory does not grow with the number of sentence pairs. A block's
posteriors are computed by all cores, each sentence pair by itself. Expected counts are whole numbers of a
small unit (docs/adr/0024), so that their sums do not depend on any order: any number of cores and any order
of the sentence pairs gives the same bytes.

Counts of entries have 32 bits, since there are two for every pair of words. One that has reached SET_ASIDE is
noted and reduced by it; at the end the notes are added up in 64 bits. So nothing overflows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import CELLS_AT_ONCE, Entries, Rows, Text, parts
from paragold.aligners.hmm import JUMPS, SUMS_UNIT, Block, Tables
from paragold.arrays import Floats, Int32s, Integers
from paragold.parallel import compiled, cores, each

LINKS_UNIT = 2.0**-26
"""What 1 is worth in the expected counts of entries: a tenth of the precision of 32-bit numbers near 1."""
LIKELIHOODS_UNIT = 2.0**-20
SET_ASIDE = 1 << 31
"""32 links, in LINKS_UNIT."""
Kernel = Callable[[Int32s, Integers, Block, tuple[int, int], Integers], None]
"""Fills in some pairs of a block: the last arguments of `hmm.compute`."""


def probabilities(
    entries: Entries, counts: Tables, places: Integers, pseudo_counts: Floats
) -> tuple[Tables, Floats, Floats]:
    """The M-step: the tables, and the counts that each source and each target word's probabilities share.

    The entries at `places`, each there once, have these pseudo-counts in both directions. The counts are used
    up: the probabilities of entries take their places. With shared entries both sides are one language, and
    both directions share one table: what is counted for t(a | b) counts for it, whichever was the source.
    """
    null_forward, null_backward = counts.null_forward, counts.null_backward
    if entries.shared:
        null_forward = null_backward = null_forward + null_backward
    source_totals = np.zeros(len(null_backward))
    target_totals = source_totals if entries.shared else np.zeros(len(null_forward))
    if entries.shared:
        for block in entries.rows_by_block():
            _merge_diagonal(block, counts)
    counts.forward[places] += pseudo_counts
    counts.backward[places] += pseudo_counts
    for block in entries.rows_by_block():
        _add_up(block, entries.shared, counts, source_totals, target_totals)
    for block in entries.rows_by_block():
        _divide(block, counts, source_totals, target_totals)
    tables = Tables(counts.forward, counts.backward, _shares(null_forward), _shares(null_backward))
    return tables, source_totals, target_totals


def _shares(counts: Floats) -> Floats:
    total = counts.sum()
    return counts / total if total > 0 else np.zeros_like(counts)


@compiled
def _merge_diagonal(block: Rows, counts: Tables) -> None:
    """A word with itself has one count: both directions' together. It is the first entry of its row."""
    start, rows, targets = block
    for row in range(len(rows) - 1):
        entry = rows[row]
        if entry < rows[row + 1] and targets[entry - rows[0]] == start + row:
            counts.forward[entry] += counts.backward[entry]
            counts.backward[entry] = counts.forward[entry]


@compiled
def _add_up(block: Rows, shared: bool, counts: Tables, source_totals: Floats, target_totals: Floats) -> None:
    start, rows, targets = block
    forward, backward = counts.forward, counts.backward
    for row in range(len(rows) - 1):
        for entry in range(rows[row], rows[row + 1]):
            source_totals[start + row] += forward[entry]
            target = targets[entry - rows[0]]
            if not shared or target != start + row:
                target_totals[target] += backward[entry]


@compiled
def _divide(block: Rows, counts: Tables, source_totals: Floats, target_totals: Floats) -> None:
    """Turn counts into shares of the totals of their words; a word without any has zeros."""
    start, rows, targets = block
    forward, backward = counts.forward, counts.backward
    for row in range(len(rows) - 1):
        source_total = source_totals[start + row]
        for entry in range(rows[row], rows[row + 1]):
            if source_total > 0:
                forward[entry] /= source_total
            target_total = target_totals[targets[entry - rows[0]]]
            if target_total > 0:
                backward[entry] /= target_total


def posteriors(
    source: Text, target: Text, entries: Entries, start: int, stop: int, kernel: Kernel
) -> tuple[Block, Int32s]:
    """What a model makes of some sentence pairs, and their cells."""
    first = entries.first
    cells = entries.cells.read(int(first[start]), int(first[stop]))
    ranges = parts(first, start, stop)
    jumps = np.zeros((len(ranges), 2, JUMPS), dtype=np.int64)
    block = Block(
        start,
        stop,
        np.zeros(len(cells)),
        np.zeros(len(cells)),
        np.zeros(target.starts[stop] - target.starts[start]),
        np.zeros(source.starts[stop] - source.starts[start]),
        np.zeros((stop - start, 2)),
        jumps.sum(axis=0),
    )
    each(lambda part: kernel(cells, first, block, *part), zip(ranges, jumps, strict=True))
    block.jumps[:] = jumps.sum(axis=0)
    return block, cells


def expected_counts(
    source: Text, target: Text, entries: Entries, tables: Tables, kernel: Kernel
) -> tuple[Tables, Floats, Floats]:
    """One E-step: expected counts of words and, shape (2, JUMPS), of jumps, and both log-likelihoods."""
    counts = Tables.zeros(len(entries), len(tables.null_backward), len(tables.null_forward))
    forward, backward = counts.forward.view(np.uint32), counts.backward.view(np.uint32)
    null_forward, null_backward = (nulls.view(np.int64) for nulls in counts[2:])
    set_aside = [np.zeros(0, dtype=np.int32)]
    jumps = np.zeros((2, JUMPS), dtype=np.int64)
    likelihoods = np.zeros(2, dtype=np.int64)
    for start, stop in entries.blocks():
        block, cells = posteriors(source, target, entries, start, stop, kernel)

        def add(part: int, block: Block = block, cells: Int32s = cells) -> Int32s:
            return _add_links(cells, block, forward, backward, part, cores())

        set_aside += each(add, range(cores()))
        _add_nulls(target.words[target.starts[start] :], block.forward_nulls, null_forward)
        _add_nulls(source.words[source.starts[start] :], block.backward_nulls, null_backward)
        jumps += block.jumps
        likelihoods += np.rint(block.likelihoods / LIKELIHOODS_UNIT).astype(np.int64).sum(axis=0)
    carried = np.concatenate(set_aside).astype(np.int64)
    _to_numbers(forward, carried[carried >= 0])
    _to_numbers(backward, -carried[carried < 0] - 1)
    counts.null_forward[:], counts.null_backward[:] = null_forward * SUMS_UNIT, null_backward * SUMS_UNIT
    return counts, np.asarray(jumps * SUMS_UNIT), np.asarray(likelihoods * LIKELIHOODS_UNIT)


def _to_numbers(raw: NDArray[np.uint32], carried: Integers) -> None:
    """Counts in LINKS_UNIT become numbers in the same memory; each entry in `carried` lacks a SET_ASIDE."""
    entries, times = np.unique(carried, return_counts=True)
    large = (raw[entries] + times * SET_ASIDE) * LINKS_UNIT
    numbers = raw.view(np.float32)
    for start in range(0, len(raw), CELLS_AT_ONCE):
        numbers[start : start + CELLS_AT_ONCE] = raw[start : start + CELLS_AT_ONCE] * LINKS_UNIT
    numbers[entries] = large


@compiled
def _add_links(
    cells: Int32s,
    block: Block,
    forward_counts: NDArray[np.uint32],
    backward_counts: NDArray[np.uint32],
    part: int,
    parts: int,
) -> Int32s:
    """Add the cells of one part of the entries: stretches of 64, so that no two threads meet.

    An entry is returned for each SET_ASIDE that was taken off: e of the forward counts, -e - 1 of the others.
    """
    forward, backward = block.forward, block.backward
    # Memory is taken only for what is written.
    places = np.empty(2 * len(cells), dtype=np.int32)
    noted = 0
    for cell in range(len(cells)):
        entry = cells[cell]
        one, other = forward[cell], backward[cell]
        if entry < 0:
            entry, one, other = -entry - 1, other, one
        # 32 bits without a sign: this division is done for every cell, and the usual one takes far longer.
        if np.uint32(entry >> 6) % np.uint32(parts) != part:
            continue
        one, other = np.int64(one / LINKS_UNIT + 0.5), np.int64(other / LINKS_UNIT + 0.5)
        count = forward_counts[entry] + one
        if count >= SET_ASIDE:
            count -= SET_ASIDE
            places[noted] = entry
            noted += 1
        forward_counts[entry] = count
        count = backward_counts[entry] + other
        if count >= SET_ASIDE:
            count -= SET_ASIDE
            places[noted] = -entry - 1
            noted += 1
        backward_counts[entry] = count
    return places[:noted].copy()


@compiled
def _add_nulls(words: Int32s, nulls: Floats, counts: Integers) -> None:
    for place in range(len(nulls)):
        counts[words[place]] += np.int64(nulls[place] / SUMS_UNIT + 0.5)
