"""The sentence pairs that a translation model is trained on, as numbers, and their expected counts.

Words are numbered in alphabetical order and counts are whole numbers, so that a text has the same model in
whatever order its pairs are given (docs/adr/0024).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.expectation_maximisation import ExpectedCounts, FloatArray, Tables, expected_counts
from paragold.aligners.method import Pair
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.translation_model import kernel, null_probabilities

MAX_CELLS = 250_000
"""Source times target words of the longest sentence pairs that are trained on: 500 by 500."""
Jumps = tuple[FloatArray, FloatArray]


class TrainingText:
    """Sentence pairs, their words in alphabetical order, and which of them occur together.

    With one language both vocabularies are one object. Pairs with an empty side or more than MAX_CELLS cells
    are left out; with the lexicon of the parameters each word is also paired with itself.
    Raises ValueError when there are too many different word pairs to be numbered.
    """

    def __init__(self, pairs: Sequence[Pair], parameters: TrainingParameters) -> None:
        pairs = [pair for pair in pairs if 0 < len(pair[0]) * len(pair[1]) <= MAX_CELLS]
        if parameters.lexicon:
            words = {word.lower() for pair in pairs for side in pair for word in side}
            pairs += [((word,), (word,)) for word in sorted(words)]
        self.parameters = parameters
        sources = Vocabulary()
        targets = sources if parameters.one_language else Vocabulary()
        source = Text.of((pair[0] for pair in pairs), sources)
        target = Text.of((pair[1] for pair in pairs), targets)
        self.sources = sources.in_order()
        self.targets = self.sources if parameters.one_language else targets.in_order()
        self.source = Text(sources.places_in(self.sources).astype(np.int32)[source.words], source.starts)
        self.target = Text(targets.places_in(self.targets).astype(np.int32)[target.words], target.starts)
        self.entries = cooccurrences(
            self.source,
            self.target,
            source_words=len(self.sources),
            target_words=len(self.targets),
            shared=parameters.one_language,
        )
        self.frequencies = (
            np.bincount(self.source.words, minlength=len(self.sources)),
            np.bincount(self.target.words, minlength=len(self.targets)),
        )
        """How often each source and each target word occurs."""
        self._nulls = null_probabilities(parameters, self.source.lengths, self.target.lengths)

    def counts(self, tables: Tables, jumps: Jumps, *, model: str) -> ExpectedCounts:
        """One E-step of "ibm1" or "hmm"."""
        step = kernel(model, self.source, self.target, tables, jumps, self._nulls, self.parameters)
        return expected_counts(self.source, self.target, self.entries, tables, step)
