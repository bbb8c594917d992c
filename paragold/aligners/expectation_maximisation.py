"""Translation probabilities of both directions, and the steps that estimate them: expectation, maximisation.

The E-step works block by block, so that memory does not grow with the number of sentence pairs. A block's
posteriors are computed by all cores, each sentence pair by itself. They are then added to the counts so that
every count has its summands in the order of the sentence pairs: any number of cores gives the same bytes.

Counts have 32 bits, since there are two for every pair of words. One that has reached SET_ASIDE is noted and
begins again at 0; at the end the notes are added up in 64 bits. So no summand is lost in a large sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Entries, Rows, Text, parts
from paragold.parallel import compiled, cores, each

FloatArray = NDArray[np.float64]


class Tables(NamedTuple):
    """Probabilities, or expected counts, of every entry (32 bits) and of the null words (64 bits).

    `forward[e]` belongs to t(target | source) of entry e = (source, target), `backward[e]` to
    t(source | target). `null_forward` and `null_backward` hold t(target | null), t(source | null).
    """

    forward: NDArray[np.float32]
    backward: NDArray[np.float32]
    null_forward: FloatArray
    null_backward: FloatArray

    @classmethod
    def zeros(cls, entries: int, source_words: int, target_words: int) -> Tables:
        """Both directions of an entry lie side by side in memory: they are used together, in any order."""
        both = np.zeros((entries, 2), dtype=np.float32)
        return cls(both[:, 0], both[:, 1], np.zeros(target_words), np.zeros(source_words))


@dataclass(frozen=True, slots=True)
class Estimator:
    """The M-step: probabilities from expected counts and pseudo-counts.

    With shared entries both sides are one language, and both directions share one table: what is counted
    for t(a | b) counts for it, whichever of them was the source.
    """

    entries: Entries
    source_words: int
    target_words: int
    places: NDArray[np.int64]
    """The entries that have a pseudo-count, each once."""
    pseudo_counts: FloatArray
    """What each of them has, in both directions."""

    def start(self, source: Text, target: Text) -> Tables:
        """Every word that occurs with another as likely as the next, but for the pseudo-counts.

        Null words generate each word by its share of the text.
        """
        counts = Tables.zeros(len(self.entries), self.source_words, self.target_words)
        counts.forward[:] = counts.backward[:] = 1
        counts.null_forward[:] = np.bincount(target.words, minlength=self.target_words)
        counts.null_backward[:] = np.bincount(source.words, minlength=self.source_words)
        return self.probabilities(counts)[0]

    def probabilities(self, counts: Tables) -> tuple[Tables, FloatArray, FloatArray]:
        """The tables, and the counts that each source and each target word's probabilities are shares of.

        The counts are used up: the probabilities of entries take their places.
        """
        entries = self.entries
        null_forward, null_backward = counts.null_forward, counts.null_backward
        source_totals, target_totals = np.zeros(self.source_words), np.zeros(self.target_words)
        if entries.shared:
            null_forward = null_backward = null_forward + null_backward
            target_totals = source_totals
            for block in entries.rows_by_block():
                _merge_diagonal(block, counts)
        counts.forward[self.places] += self.pseudo_counts
        counts.backward[self.places] += self.pseudo_counts
        for block in entries.rows_by_block():
            _add_up(block, entries.shared, counts, source_totals, target_totals)
        for block in entries.rows_by_block():
            _divide(block, counts, source_totals, target_totals)
        tables = Tables(counts.forward, counts.backward, _shares(null_forward), _shares(null_backward))
        return tables, source_totals, target_totals


def _shares(counts: FloatArray) -> FloatArray:
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
def _add_up(
    block: Rows, shared: bool, counts: Tables, source_totals: FloatArray, target_totals: FloatArray
) -> None:
    start, rows, targets = block
    forward, backward = counts.forward, counts.backward
    for row in range(len(rows) - 1):
        for entry in range(rows[row], rows[row + 1]):
            source_totals[start + row] += forward[entry]
            target = targets[entry - rows[0]]
            if not shared or target != start + row:
                target_totals[target] += backward[entry]


@compiled
def _divide(block: Rows, counts: Tables, source_totals: FloatArray, target_totals: FloatArray) -> None:
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


FARTHEST_JUMP = 50
"""Longer jumps of the HMM count as this one."""
JUMPS = 2 * FARTHEST_JUMP + 1
SET_ASIDE = 32.0


Noted = tuple[NDArray[np.int32], NDArray[np.float32]]
_NOTHING = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)


class Block(NamedTuple):
    """What a model makes of the sentence pairs start..stop; cells are ordered as in `Entries`."""

    start: int
    stop: int
    forward: FloatArray
    """For each cell the probability that the target word was generated by the source word."""
    backward: FloatArray
    """... that the source word was generated by the target word."""
    forward_nulls: FloatArray
    """For each target word the probability that the null word generated it."""
    backward_nulls: FloatArray
    likelihoods: FloatArray
    """Shape (sentence pairs, 2): log-likelihood (natural), forward and backward."""
    jumps: FloatArray
    """Shape (2, JUMPS): expected number of each jump, forward and backward; zeros for IBM Model 1."""


Kernel = Callable[[NDArray[np.int32], Block], None]
"""Fills in a block, given its cells."""


def posteriors(
    source: Text, target: Text, entries: Entries, start: int, stop: int, kernel: Kernel
) -> tuple[Block, NDArray[np.int32]]:
    """What a model makes of some sentence pairs, and their cells."""
    first = entries.first
    cells = entries.cells.read(int(first[start]), int(first[stop]))
    ranges = parts(first, start, stop)
    jumps = np.zeros((len(ranges), 2, JUMPS))
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

    def compute(number: int) -> None:
        begin, end = ranges[number]
        cell = first[begin] - first[start]
        part = Block(
            begin,
            end,
            block.forward[cell:],
            block.backward[cell:],
            block.forward_nulls[target.starts[begin] - target.starts[start] :],
            block.backward_nulls[source.starts[begin] - source.starts[start] :],
            block.likelihoods[begin - start :],
            jumps[number],
        )
        kernel(cells[cell:], part)

    each(compute, range(len(ranges)))
    block.jumps[:] = jumps.sum(axis=0)
    return block, cells


def expected_counts(
    source: Text, target: Text, entries: Entries, tables: Tables, kernel: Kernel
) -> tuple[Tables, FloatArray, float, float]:
    """One E-step: expected counts of words and of jumps, and the log-likelihoods forward and backward."""
    counts = Tables.zeros(len(entries), len(tables.null_backward), len(tables.null_forward))
    set_aside: list[Noted] = []
    jumps = np.zeros((2, JUMPS))
    likelihoods = np.zeros(2)
    for start, stop in entries.blocks():
        block, cells = posteriors(source, target, entries, start, stop, kernel)

        def add(part: int, block: Block = block, cells: NDArray[np.int32] = cells) -> Noted:
            return _add_links(cells, block, counts, part, cores())

        set_aside += each(add, range(cores()))
        _add_nulls(target.words[target.starts[start] :], block.forward_nulls, counts.null_forward)
        _add_nulls(source.words[source.starts[start] :], block.backward_nulls, counts.null_backward)
        jumps += block.jumps
        likelihoods += block.likelihoods.sum(axis=0)
    _add_noted(set_aside, counts)
    return counts, jumps, float(likelihoods[0]), float(likelihoods[1])


@compiled
def _add_links(cells: NDArray[np.int32], block: Block, counts: Tables, part: int, parts: int) -> Noted:
    """Add the cells of one part of the entries: stretches of 64, so that no two threads meet.

    The counts set aside are returned: entry e for one forward, -e - 1 for one backward, and how much.
    """
    forward, backward = block.forward, block.backward
    forward_counts, backward_counts = counts.forward, counts.backward
    # Memory is taken only for what is written.
    places, amounts = np.empty(2 * len(cells), dtype=np.int32), np.empty(2 * len(cells), dtype=np.float32)
    noted = 0
    for cell in range(len(cells)):
        entry = cells[cell]
        turned = entry < 0
        if turned:
            entry = -entry - 1
        if (entry >> 6) % parts == part:
            forward_counts[entry] += backward[cell] if turned else forward[cell]
            if forward_counts[entry] >= SET_ASIDE:
                places[noted], amounts[noted] = entry, forward_counts[entry]
                forward_counts[entry] = 0
                noted += 1
            backward_counts[entry] += forward[cell] if turned else backward[cell]
            if backward_counts[entry] >= SET_ASIDE:
                places[noted], amounts[noted] = -entry - 1, backward_counts[entry]
                backward_counts[entry] = 0
                noted += 1
    return places[:noted].copy(), amounts[:noted].copy()


def _add_noted(noted: list[Noted], counts: Tables) -> None:
    places, amounts = (np.concatenate(column) for column in zip(*noted, strict=True)) if noted else _NOTHING
    for table, own, entries in (
        (counts.forward, places >= 0, places),
        (counts.backward, places < 0, -places - 1),
    ):
        distinct, numbers = np.unique(entries[own], return_inverse=True)
        # Summands of one entry stay in the order of the sentence pairs.
        table[distinct] += np.bincount(numbers, weights=amounts[own], minlength=len(distinct))


@compiled
def _add_nulls(words: NDArray[np.int32], nulls: FloatArray, counts: FloatArray) -> None:
    for place in range(len(nulls)):
        counts[words[place]] += nulls[place]
