"""A word aligner: each word is linked to the word of the other sentence with the highest Dice coefficient.

Dice coefficients of word pairs: Melamed (2000), Models of translational equivalence among words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from paragold.aligners.aligner import Aligner, Contents, Gold, OtherGold, Pair, Progress
from paragold.metrics.links import Link
from paragold.spec import Spec, param


class DiceSpec(Spec):
    """What can be chosen. Forms, commands and the API show it by themselves."""

    min_dice: float = param(
        0.5, "Minimum Dice coefficient", "Word pairs below it are not linked.", ge=0.0, le=1.0
    )
    min_count: int = param(
        1, "Minimum count", "Word pairs that occur together in fewer sentence pairs are not linked.", ge=1
    )


class Dice(Aligner):
    """Trained on sentence pairs in one step. The id is stored and typed, the label is what people read."""

    id = "dice"
    label = "dice: best Dice coefficient in both directions (example plug-in)"
    parameters = DiceSpec
    version = 1

    def learn(
        self, pairs: Sequence[Pair], gold: Gold, other_gold: OtherGold, progress: Progress | None
    ) -> None:
        """Count in how many pairs words occur, alone and together."""
        sources: Counter[str] = Counter()
        targets: Counter[str] = Counter()
        together: Counter[tuple[str, str]] = Counter()
        for source, target in pairs:
            first, second = {word.lower() for word in source}, {word.lower() for word in target}
            sources.update(first)
            targets.update(second)
            together.update((a, b) for a in first for b in second)
        self.coefficients = {
            (a, b): 2 * count / (sources[a] + targets[b])
            for (a, b), count in together.items()
            if count >= self.spec.min_count and 2 * count / (sources[a] + targets[b]) >= self.spec.min_dice
        }
        self.trained_on = len(pairs)

    def own_signature(self) -> str:
        """Equal signatures draw equal links; the plug-in's version is added to it."""
        return f"{super().own_signature()}|pairs:{self.trained_on}"

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """For each pair the words that are each other's best: indices from 0, ascending, each once."""
        return [self._links(*pair) for pair in pairs]

    def _links(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        rows = [[self.coefficients.get((a.lower(), b.lower()), 0.0) for b in target] for a in source]
        links = []
        for i, row in enumerate(rows):
            best = max(row, default=0.0)
            if best > 0:
                _, j = min((abs(i - j), j) for j, value in enumerate(row) if value == best)
                if best >= max(other[j] for other in rows):
                    links.append((i, j))
        return links

    def contents(self) -> Contents:
        """What a file holds of it. Without this the aligner works in experiments, but cannot be stored."""
        import numpy as np

        words = sorted(self.coefficients)
        values = np.array([self.coefficients[pair] for pair in words])
        description = {"words": [list(pair) for pair in words], "trained_on": self.trained_on}
        return {"coefficients": values}, description

    def restore(self, numbers: dict[str, Any], description: dict[str, Any]) -> None:
        """Take up what `contents` gave."""
        words = [(a, b) for a, b in description["words"]]
        self.coefficients = dict(zip(words, numbers["coefficients"].tolist(), strict=True))
        self.trained_on = description["trained_on"]


DICE = Dice()
