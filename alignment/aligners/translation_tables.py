"""The translation probabilities of both directions: t(target | source) and t(source | target)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignment.aligners.compilation import compiled
from alignment.aligners.entries import Entries
from alignment.aligners.text import Text

FloatArray = NDArray[np.float64]


@dataclass(slots=True)
class Tables:
    """Probabilities (32 bits), or expected counts (64 bits), of every entry and of the null words.

    `forward[e]` belongs to t(target | source) of entry e = (source, target), `backward[e]` to
    t(source | target). `null_forward` and `null_backward` hold t(target | null), t(source | null).
    """

    forward: NDArray[Any]
    backward: NDArray[Any]
    null_forward: FloatArray
    null_backward: FloatArray

    @classmethod
    def zeros(cls, entries: int, source_words: int, target_words: int) -> Tables:
        return cls(np.zeros(entries), np.zeros(entries), np.zeros(target_words), np.zeros(source_words))


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
        counts = Tables(
            np.ones(len(self.entries)),
            np.ones(len(self.entries)),
            np.bincount(target.words, minlength=self.target_words).astype(float),
            np.bincount(source.words, minlength=self.source_words).astype(float),
        )
        return self.probabilities(counts)[0]

    def probabilities(self, counts: Tables) -> tuple[Tables, FloatArray, FloatArray]:
        """The tables, and the counts that each source and each target word's probabilities are shares of.

        The counts are used up: their arrays are let go of as soon as they were turned into probabilities.
        """
        entries = self.entries
        null_forward, null_backward = counts.null_forward, counts.null_backward
        source_totals, target_totals = np.zeros(self.source_words), np.zeros(self.target_words)
        if entries.shared:
            null_forward = null_backward = null_forward + null_backward
            target_totals = source_totals
            _merge_diagonal(entries.rows, entries.targets, counts.forward, counts.backward)
        counts.forward[self.places] += self.pseudo_counts
        counts.backward[self.places] += self.pseudo_counts
        _add_up(
            entries.rows, entries.targets, entries.shared, counts.forward, counts.backward, source_totals,
            target_totals,
        )  # fmt: skip
        forward = np.zeros(len(entries), dtype=np.float32)
        _divide_by_source(entries.rows, counts.forward, source_totals, forward)
        counts.forward = np.zeros(0)
        backward = np.zeros(len(entries), dtype=np.float32)
        _divide_by_target(entries.targets, counts.backward, target_totals, backward)
        counts.backward = np.zeros(0)
        tables = Tables(forward, backward, _shares(null_forward), _shares(null_backward))
        return tables, source_totals, target_totals


def _shares(counts: FloatArray) -> FloatArray:
    total = counts.sum()
    return counts / total if total > 0 else np.zeros_like(counts)


@compiled
def _merge_diagonal(
    rows: NDArray[np.int64], targets: NDArray[np.int32], forward: FloatArray, backward: FloatArray
) -> None:
    """A word with itself has one count: both directions' together. It is the first entry of its row."""
    for word in range(len(rows) - 1):
        entry = rows[word]
        if entry < rows[word + 1] and targets[entry] == word:
            forward[entry] += backward[entry]
            backward[entry] = forward[entry]


@compiled
def _add_up(
    rows: NDArray[np.int64],
    targets: NDArray[np.int32],
    shared: bool,
    forward: FloatArray,
    backward: FloatArray,
    source_totals: FloatArray,
    target_totals: FloatArray,
) -> None:
    for source in range(len(rows) - 1):
        for entry in range(rows[source], rows[source + 1]):
            source_totals[source] += forward[entry]
            if not shared or targets[entry] != source:
                target_totals[targets[entry]] += backward[entry]


@compiled
def _divide_by_source(
    rows: NDArray[np.int64], counts: FloatArray, totals: FloatArray, shares: NDArray[np.float32]
) -> None:
    for source in range(len(rows) - 1):
        if totals[source] > 0:
            for entry in range(rows[source], rows[source + 1]):
                shares[entry] = counts[entry] / totals[source]


@compiled
def _divide_by_target(
    targets: NDArray[np.int32], counts: FloatArray, totals: FloatArray, shares: NDArray[np.float32]
) -> None:
    for entry in range(len(targets)):
        if totals[targets[entry]] > 0:
            shares[entry] = counts[entry] / totals[targets[entry]]
