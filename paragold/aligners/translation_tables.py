"""The translation probabilities of both directions: t(target | source) and t(source | target)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.compilation import compiled
from paragold.aligners.entries import Entries
from paragold.aligners.text import Text

FloatArray = NDArray[np.float64]


@dataclass(slots=True)
class Tables:
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
    for t(a | b) counts for it whichever of both was the source.
    """

    entries: Entries
    source_words: int
    target_words: int
    places: NDArray[np.int64]
    """The entries that have a pseudo-count, each once."""
    pseudo_counts: FloatArray
    """What each of them has, in both directions."""

    def start(self, source: Text, target: Text) -> Tables:
        """Every word that stands with another as likely as the next, but for the pseudo-counts.

        Null words generate each word by its share of the text.
        """
        counts = Tables.zeros(len(self.entries), self.source_words, self.target_words)
        counts.forward[:] = counts.backward[:] = 1
        counts.null_forward += np.bincount(target.words, minlength=self.target_words)
        counts.null_backward += np.bincount(source.words, minlength=self.source_words)
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
                _merge_diagonal(*block, counts.forward, counts.backward)
        counts.forward[self.places] += self.pseudo_counts
        counts.backward[self.places] += self.pseudo_counts
        for block in entries.rows_by_block():
            _add_up(*block, entries.shared, counts.forward, counts.backward, source_totals, target_totals)
        for block in entries.rows_by_block():
            _divide(*block, counts.forward, counts.backward, source_totals, target_totals)
        tables = Tables(counts.forward, counts.backward, _shares(null_forward), _shares(null_backward))
        return tables, source_totals, target_totals


def _shares(counts: FloatArray) -> FloatArray:
    total = counts.sum()
    return counts / total if total > 0 else np.zeros_like(counts)


@compiled
def _merge_diagonal(
    start: int,
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    forward: NDArray[np.float32],
    backward: NDArray[np.float32],
) -> None:
    """A word with itself has one count: both directions' together. It is the first entry of its row."""
    for row in range(len(rows) - 1):
        entry = rows[row]
        if entry < rows[row + 1] and targets[entry - rows[0]] == start + row:
            forward[entry] += backward[entry]
            backward[entry] = forward[entry]


@compiled
def _add_up(
    start: int,
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    shared: bool,
    forward: NDArray[np.float32],
    backward: NDArray[np.float32],
    source_totals: FloatArray,
    target_totals: FloatArray,
) -> None:
    for row in range(len(rows) - 1):
        for entry in range(rows[row], rows[row + 1]):
            source_totals[start + row] += forward[entry]
            target = targets[entry - rows[0]]
            if not shared or target != start + row:
                target_totals[target] += backward[entry]


@compiled
def _divide(
    start: int,
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    forward: NDArray[np.float32],
    backward: NDArray[np.float32],
    source_totals: FloatArray,
    target_totals: FloatArray,
) -> None:
    """Turn counts into shares of the totals of their words; a word without any has zeros."""
    for row in range(len(rows) - 1):
        source_total = source_totals[start + row]
        for entry in range(rows[row], rows[row + 1]):
            if source_total > 0:
                forward[entry] /= source_total
            target_total = target_totals[targets[entry - rows[0]]]
            if target_total > 0:
                backward[entry] /= target_total
