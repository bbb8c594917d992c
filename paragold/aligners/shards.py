"""Parts of a training text whose expected counts add up, and the word pairs of several of them together.

Words are numbered in alphabetical order and counts are whole numbers, so that a text has the same model
however it is divided, and in whatever order its parts are counted (docs/adr/0024).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np

from paragold.aligners.cooccurrences import Entries, Text, Vocabulary, cooccurrences
from paragold.aligners.expectation_maximisation import (
    JUMPS,
    LINKS_UNIT,
    SUMS_UNIT,
    ExpectedCounts,
    FloatArray,
    IntArray,
    Tables,
    expected_counts,
)
from paragold.aligners.method import Pair
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.translation_model import kernel, null_probabilities
from paragold.formats.model_files import Numbers

MAX_CELLS = 250_000
"""Source times target words of the longest sentence pairs that are trained on: 500 by 500."""
Jumps = tuple[FloatArray, FloatArray]


def usable(pairs: Sequence[Pair]) -> list[Pair]:
    """Those with words on both sides and not more than MAX_CELLS cells."""
    return [pair for pair in pairs if 0 < len(pair[0]) * len(pair[1]) <= MAX_CELLS]


def lexicon(words: Iterable[str]) -> list[Pair]:
    """A pair for each word, with itself, in alphabetical order."""
    return [((word,), (word,)) for word in sorted(words)]


@dataclass(frozen=True, slots=True)
class WordPairs:
    """The words of a text, in alphabetical order, and which of them occur together.

    With one language both vocabularies are one object.
    """

    sources: Vocabulary
    targets: Vocabulary
    entries: Entries
    frequencies: tuple[IntArray, IntArray]
    """How often each source and each target word occurs."""

    @property
    def keys(self) -> IntArray:
        """A number for each entry, ascending, by the numbers of its words."""
        return self.entries.sources.astype(np.int64) * len(self.targets) + self.entries.targets

    def places_in(self, whole: WordPairs) -> Places:
        """Where its words and entries are in `whole`, which has all of them."""
        sources, targets = self.sources.places_in(whole.sources), self.targets.places_in(whole.targets)
        keys = sources[self.entries.sources] * len(whole.targets) + targets[self.entries.targets]
        return Places(sources, targets, np.searchsorted(whole.keys, keys))

    def with_keys(self, keys: IntArray) -> WordPairs:
        """The same words with the word pairs of these `keys`, ascending, of no sentence pairs."""
        rows = np.searchsorted(keys, np.arange(len(self.sources) + 1, dtype=np.int64) * len(self.targets))
        listed = (keys % max(1, len(self.targets))).astype(np.int32)
        return replace(self, entries=Entries.listed_by(rows, listed, shared=self.entries.shared))

    @classmethod
    def without_pairs(
        cls, sources: Vocabulary, targets: Vocabulary, frequencies: Sequence[IntArray]
    ) -> WordPairs:
        """These words, of which none occur together; `targets` is `sources` where both are one language."""
        rows, nothing = np.zeros(len(sources) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32)
        entries = Entries.listed_by(rows, nothing, shared=sources is targets)
        return cls(sources, targets, entries, (frequencies[0], frequencies[1]))

    def numbers(self) -> Numbers:
        """All of it by name, as `model_files` stores it."""
        return {
            "keys": self.keys,
            "source_words": self.sources.as_bytes(),
            "target_words": self.targets.as_bytes(),
            "source_frequencies": self.frequencies[0],
            "target_frequencies": self.frequencies[1],
        }

    @classmethod
    def of_numbers(cls, numbers: Numbers, *, shared: bool) -> WordPairs:
        """What gave the `numbers`. Raises KeyError when some are missing."""
        sources = Vocabulary.of_bytes(numbers["source_words"])
        targets = sources if shared else Vocabulary.of_bytes(numbers["target_words"])
        frequencies = numbers["source_frequencies"], numbers["target_frequencies"]
        return cls.without_pairs(sources, targets, frequencies).with_keys(numbers["keys"])

    @classmethod
    def union(cls, parts: Sequence[WordPairs]) -> WordPairs:
        """The word pairs of all parts. Raises ValueError when there are too many to be numbered."""
        shared = parts[0].entries.shared
        sources = Vocabulary(sorted({word for part in parts for word in part.sources.numbers}))
        targets = sources
        if not shared:
            targets = Vocabulary(sorted({word for part in parts for word in part.targets.numbers}))
        keys = np.zeros(0, dtype=np.int64)
        frequencies = [np.zeros(len(side), dtype=np.int64) for side in (sources, targets)]
        for part in parts:
            # Numbers go up with the words: of a shared entry the lower one stays the lower one.
            own, others = part.sources.places_in(sources), part.targets.places_in(targets)
            entries = part.entries
            keys = np.union1d(keys, own[entries.sources] * len(targets) + others[entries.targets])
            frequencies[0][own] += part.frequencies[0]
            frequencies[1][others] += part.frequencies[1]
        return cls.without_pairs(sources, targets, frequencies).with_keys(keys)


class Places(NamedTuple):
    """Where the words and entries of one WordPairs are in another one, or in itself."""

    sources: IntArray
    targets: IntArray
    entries: IntArray


class Shard:
    """Some sentence pairs, and what they add to the counts of an iteration."""

    def __init__(self, pairs: Sequence[Pair], parameters: TrainingParameters) -> None:
        self.parameters = parameters
        sources = Vocabulary()
        targets = sources if parameters.one_language else Vocabulary()
        source = Text.of((pair[0] for pair in pairs), sources)
        target = Text.of((pair[1] for pair in pairs), targets)
        ordered = sources.in_order()
        others = ordered if parameters.one_language else targets.in_order()
        self.source = Text(sources.places_in(ordered).astype(np.int32)[source.words], source.starts)
        self.target = Text(targets.places_in(others).astype(np.int32)[target.words], target.starts)
        entries = cooccurrences(
            self.source,
            self.target,
            source_words=len(ordered),
            target_words=len(others),
            shared=parameters.one_language,
        )
        frequencies = (
            np.bincount(self.source.words, minlength=len(ordered)),
            np.bincount(self.target.words, minlength=len(others)),
        )
        self.word_pairs = WordPairs(ordered, others, entries, frequencies)
        self._nulls = null_probabilities(parameters, self.source.lengths, self.target.lengths)

    def counts(self, tables: Tables, jumps: Jumps, *, model: str) -> ExpectedCounts:
        """One E-step of "ibm1" or "hmm", given the probabilities of its own words and entries."""
        step = kernel(model, self.source, self.target, tables, jumps, self._nulls, self.parameters)
        return expected_counts(self.source, self.target, self.word_pairs.entries, tables, step)


def part_of(tables: Tables, places: Places) -> Tables:
    """The probabilities of some words and entries."""
    part = Tables.zeros(len(places.entries), 0, 0)
    part.forward[:] = tables.forward[places.entries]
    part.backward[:] = tables.backward[places.entries]
    return Tables(
        part.forward,
        part.backward,
        tables.null_forward[places.targets],
        tables.null_backward[places.sources],
    )


@dataclass(frozen=True, slots=True)
class Sums:
    """Expected counts of several shards together: whole numbers of the units of `ExpectedCounts`, 64 bits."""

    forward: IntArray
    backward: IntArray
    null_forward: IntArray
    null_backward: IntArray
    jumps: IntArray
    likelihoods: IntArray

    @classmethod
    def zeros(cls, word_pairs: WordPairs) -> Sums:
        entries, nulls = len(word_pairs.entries), (len(word_pairs.targets), len(word_pairs.sources))
        shapes = (entries, entries, *nulls, (2, JUMPS), 2)
        return cls(*[np.zeros(shape, dtype=np.int64) for shape in shapes])

    def copy(self) -> Sums:
        return Sums(*[getattr(self, one.name).copy() for one in fields(self)])

    def add(self, counts: ExpectedCounts | Sums, places: Places) -> None:
        """Add counts whose words and entries are at these places. The order of additions has no effect."""
        both = counts.whole() if isinstance(counts, ExpectedCounts) else (counts.forward, counts.backward)
        self.forward[places.entries] += both[0]
        self.backward[places.entries] += both[1]
        self.null_forward[places.targets] += counts.null_forward
        self.null_backward[places.sources] += counts.null_backward
        self.jumps[:] += counts.jumps
        self.likelihoods[:] += counts.likelihoods

    def tables(self) -> Tables:
        """The counts as numbers."""
        tables = Tables.zeros(len(self.forward), 0, 0)
        tables.forward[:] = self.forward * LINKS_UNIT
        tables.backward[:] = self.backward * LINKS_UNIT
        return Tables(
            tables.forward,
            tables.backward,
            np.asarray(self.null_forward * SUMS_UNIT),
            np.asarray(self.null_backward * SUMS_UNIT),
        )
