"""Characteristics of candidate pairs that are added up in memory; the database computes its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from paragold.extraction.criteria import Selection
from paragold.extraction.records import CandidatePair
from paragold.extraction.selection import Characteristics


@dataclass(slots=True)
class Tally:
    """Adds pairs up, in any order, for the characteristics of all of them."""

    pairs: int = 0
    clusters: int = 0
    # Edit distance, length (both sentences together in the sum), shared words.
    sums: list[int] = field(default_factory=lambda: [0, 0, 0])
    minima: list[int] = field(default_factory=list)
    maxima: list[int] = field(default_factory=list)
    position: int = 0
    ratio: float = 1.0

    def add_cluster(self, pairs: Iterable[CandidatePair]) -> None:
        before = self.pairs
        for pair in pairs:
            shorter, longer = sorted((pair.length_a, pair.length_b))
            self.pairs += 1
            self.position = max(self.position, pair.position_a, pair.position_b)
            self.ratio = min(self.ratio, shorter / longer)
            minima = [pair.edit_distance, shorter, pair.shared_words]
            maxima = [pair.edit_distance, longer, pair.shared_words]
            self.sums = [
                self.sums[0] + pair.edit_distance,
                self.sums[1] + shorter + longer,
                self.sums[2] + pair.shared_words,
            ]
            self.minima = list(map(min, minima, self.minima)) if self.minima else minima
            self.maxima = list(map(max, maxima, self.maxima)) if self.maxima else maxima
        self.clusters += self.pairs > before

    def characteristics(
        self, name: str, asked: Sequence[Selection], seconds: float | None = None
    ) -> Characteristics:
        if not self.pairs:
            return Characteristics(name=name, asked=asked, pairs=0, clusters=0, seconds=seconds)
        low, high = self.minima, self.maxima
        return Characteristics(
            name=name,
            asked=asked,
            pairs=self.pairs,
            clusters=self.clusters,
            distance_least=low[0],
            distance_greatest=high[0],
            distance_mean=self.sums[0] / self.pairs,
            position_greatest=self.position,
            shortest=low[1],
            longest=high[1],
            length_mean=self.sums[1] / self.pairs / 2,
            ratio_least=self.ratio,
            shared_least=low[2],
            shared_greatest=high[2],
            shared_mean=self.sums[2] / self.pairs,
            seconds=seconds,
        )
